#!/usr/bin/env bats
# promises.bats: what docs/STABILITY.md promises is still there.

load helpers

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

# promised: tests/data/promises/0.9.txt with a line for each option, of which a command has one there
promised() {
	awk '/^option [a-z ]*:/ { split($0, of, ": "); n = split(of[2], names, " ")
		for (i = 1; i <= n; i++) print of[1], names[i]; next } { print }' "$ROOT/tests/data/promises/0.9.txt"
}

# lost FILE: the lines of promised that FILE lacks
lost() {
	comm -23 <(promised | sort) <(sort "$1")
}

@test "options, their words, columns of views and exit statuses of version 0.9 are all there" {
	needs_learn
	"$BUILD/tests/genprof" --out PROF_1 --samples
	python3 "$HELPERS/promises.py" "$MSPROF" "$JOB" PROF_1 >now.txt
	equal "$(lost now.txt)" ''
	# nothing of this passes by itself: a name less is a promise broken
	grep -v '^option show --top$' now.txt >less.txt
	equal "$(lost less.txt)" 'option show --top'
}

@test "layouts of version 0.9 are understood" {
	mkdir "$BATS_TEST_TMPDIR/layouts"
	tar -xzf "$ROOT/tests/data/promises/layouts_0.9.tar.gz" -C "$BATS_TEST_TMPDIR/layouts"
	[ "$(find "$BATS_TEST_TMPDIR/layouts" -name '*.rec' | wc -l)" -ge 4 ]
	expect 0 check -q -dir "$JOB" --layouts "$BATS_TEST_TMPDIR/layouts"
	has "$output" svp.aicore
}

@test "every promise names the test that holds it" {
	grep -oE 'tests/[a-z_/]+\.(bats|c|txt)' "$ROOT/docs/STABILITY.md" | sort -u >named.txt
	[ "$(wc -l <named.txt)" -ge 5 ]
	while read -r file; do [ -f "$ROOT/$file" ] || fail "docs/STABILITY.md names $file"; done <named.txt
}
