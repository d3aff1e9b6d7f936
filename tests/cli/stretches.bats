#!/usr/bin/env bats
# stretches.bats: exports that several threads write: the same bytes and the same errors as one thread's.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup_file() {
	export PROF=$BATS_FILE_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	umask 0027
	"$BUILD/tests/genprof" --out "$PROF" --tasks 20011 --samples # not a whole number of stretches
	"$MSPROF" import -q -dir "$PROF"
}

setup() {
	umask 0027
	OUT=$PROF/mindstudio_profiler_output
	discard "$OUT"
	ONE=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

# one ARGUMENT..., all ARGUMENT...: msprof on one processor, or on all processors
one() {
	run --separate-stderr taskset -c "$ONE" "$MSPROF" "$@" -dir "$PROF"
}
all() {
	run --separate-stderr "$MSPROF" "$@" -dir "$PROF"
}

# Sums of the files, which have the moment in their names.
sums() {
	(cd "$OUT" && for file in *; do echo "${file%_*}.${file##*.} $(sha256sum <"$file")"; done)
}

# same STATUS ARGUMENT...: one processor and all processors give the same results
same() {
	local want=$1 said files
	shift
	discard "$OUT"
	one "$@"
	equal "$status" "$want"
	said=$stderr files=$(sums)
	discard "$OUT"
	all "$@"
	equal "$status" "$want"
	equal "$stderr" "$said"
	equal "$(sums)" "$files"
}

@test "one processor and several write the same bytes" {
	same 0 export timeline -q
	has "$(sums)" msprof.json
	same 0 export summary -q
	has "$(sums)" op_summary.csv task_time.csv
	same 0 export summary -q --format json
	echo '{"json_process":{"freq":false,"cann":false}}' >"$BATS_TEST_TMPDIR/reports.json"
	same 0 export timeline -q --reports "$BATS_TEST_TMPDIR/reports.json"
}

@test "the trace has each task, call and arrow once" {
	all export timeline -q
	equal "$status" 0
	equal "$(jq -c '[(map(select(.args["Task Id"] != null)) | length), (map(select(.ph == "f") | .id) | unique | length),
		(map(select(.ph == "s" and .cat == "HostToDevice") | .id) | unique | length), (map(select(.args.level != null) | .args.connection_id) | length, (unique | length))]' \
		"$OUT"/msprof_*.json)" "[20011,20011,20011,60033,60033]"
}

@test "a file that grows too large after many stretches: one error, no part file, the earlier file stays" {
	all export timeline -q
	before=$(sums)
	for blocks in 100 3000 20000; do
		for bound in "taskset -c $ONE" ""; do
			# a full disk, as far as this process is concerned
			run --separate-stderr bash -c "trap '' XFSZ; ulimit -f $blocks; exec $bound \"\$@\"" - "$MSPROF" export timeline -q -dir "$PROF"
			equal "$status" 1
			has "$stderr" "cannot write" "File too large"
			equal "$(wc -l <<<"$stderr")" 1
			equal "$(sums)" "$before"
			no_part_files "$PROF"
		done
	done
}

@test "a damaged database: the same error, once, whoever meets it" {
	cp -rp "$PROF" "$BATS_TEST_TMPDIR/whole"
	db=$PROF/sqlite/msprof.db
	pages=$(($(stat -c %s "$db") / 4096))
	failures=0
	for part in 1 2 3 5 6 7 8 9; do
		cp -p "$BATS_TEST_TMPDIR/whole/sqlite/msprof.db" "$db"
		head -c 12288 /dev/zero | tr '\0' '\377' | dd of="$db" bs=4096 seek=$((pages * part / 10)) conv=notrunc status=none
		for kind in timeline summary; do
			discard "$OUT"
			one export "$kind" -q
			want=$status said=$stderr
			discard "$OUT"
			all export "$kind" -q
			equal "$part $kind: $status $stderr" "$part $kind: $want $said"
			[ "$status" = 0 ] || failures=$((failures + 1))
		done
	done
	cp -p "$BATS_TEST_TMPDIR/whole/sqlite/msprof.db" "$db"
	[ "$failures" -gt 3 ] || fail "only $failures exports met the damage"
}
