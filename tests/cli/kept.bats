#!/usr/bin/env bats
# kept.bats: aggregates that are kept beside a database: used while nothing has changed, and never otherwise.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	"$BUILD/tests/genprof" --out PROF_1 --tasks 60 >/dev/null
	expect 0 aggregate -q -dir PROF_1 -o fresh.json
	KEPT=PROF_1/sqlite/aggregates.kept
	[ -s "$KEPT" ]
	cp "$KEPT" kept
}

# edited [SQL]: what is kept has another name for each operator, or what SQL does; it is valid.
edited() {
	discard_file "$KEPT"
	cp kept "$KEPT"
	python3 "$HELPERS/kept.py" "$KEPT" "${1:-UPDATE aggregate_operator SET name = 'kept'}"
}

discard_file() {
	if [ -d "$1" ]; then rmdir "$1"; else rm -f "$1"; fi
}

# told: the aggregate is that of the database, and what is kept is as after the first run.
told() {
	expect 0 aggregate -q -dir PROF_1 -o again.json
	cmp again.json fresh.json || fail "$1"
	cmp "$KEPT" kept || fail "$1: not kept again"
	equal "$(find PROF_1/sqlite -type f | sort | tr '\n' ' ')" "$KEPT PROF_1/sqlite/msprof.db "
}

@test "what is kept is used, by aggregate, cluster and publish, and not written again" {
	edited
	before=$(stat -c '%i %y' "$KEPT")
	expect 0 aggregate -q -dir PROF_1 -o again.json
	equal "$(jq -c '[.operator[][1]] | unique' again.json)" '["kept"]'
	equal "$(jq -c 'del(.operator)' again.json)" "$(jq -c 'del(.operator)' fresh.json)"
	expect 0 cluster -q -dir PROF_1 --format json
	equal "$(jq -c '[.operators[].operator] | unique' <<<"$output")" '["kept"]'
	mkdir bin && cp "$MSPROF" bin && ln -s "$HELPERS/fleet_loader.py" bin/msprof-publish
	[ -z "${MSPROF_EMULATED:-}" ] || PATH=$PWD/bin:$PATH
	FLEET_ROWS=$PWD/rows.json MSPROF=$PWD/bin/msprof expect 0 publish -q --to postgresql://user@127.0.0.1:1/fleet -dir PROF_1
	equal "$(jq -r 'select(.table == "operator").name' rows.json | sort -u)" kept
	equal "$(stat -c '%i %y' "$KEPT")" "$before"
	# a copy that keeps times keeps this, too
	cp -rp PROF_1 PROF_2
	expect 0 aggregate -q -dir PROF_2 -o again.json
	equal "$(jq -c '[.operator[][1]] | unique' again.json)" '["kept"]'
}

@test "another import, another database, another program or schema: what is kept does not count" {
	edited
	expect 0 import -q -dir PROF_1
	expect 0 aggregate -q -dir PROF_1 -o again.json
	cmp again.json fresh.json
	cp "$KEPT" kept
	edited
	python3 "$HELPERS/kept.py" "$KEPT" --maker
	told 'another program'
	# a change in place, at the same time and of the same size
	edited
	touch -r PROF_1/sqlite/msprof.db time
	sqlite3 PROF_1/sqlite/msprof.db "UPDATE control SET text = replace(text, 'rank_id', 'RANK_ID')"
	touch -r time PROF_1/sqlite/msprof.db
	expect 0 aggregate -q -dir PROF_1 -o again.json
	equal "$(jq -c '.operator' again.json)" "$(jq -c '.operator' fresh.json)"
}

@test "a kept file that is damaged, cut, something else or hostile is replaced, and nothing of it is told" {
	size=$(stat -c %s kept)
	for at in 30 $((size / 2)) $((size - 200)); do
		edited
		printf '\251' | dd of="$KEPT" bs=1 seek="$at" conv=notrunc status=none
		told "a byte at $at"
	done
	for at in 0 256 $((size - 1)); do
		edited
		truncate -s "$at" "$KEPT"
		told "cut at $at"
	done
	discard_file "$KEPT" && mkfifo "$KEPT" && told "a pipe"
	echo other >other && discard_file "$KEPT" && ln -s "$PWD/other" "$KEPT" && told "a link"
	equal "$(cat other)" other
	for sql in "DROP TABLE aggregate_link; CREATE VIEW aggregate_link AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT i, i, i, '', '', i, i, i, 1.0 FROM n" \
		"DROP TABLE aggregate_job; CREATE TABLE aggregate_job(a)" "UPDATE aggregate_step SET span_ns = 'x'"; do
		edited "$sql"
		told "$sql"
	done
	# what cannot be replaced is left alone
	discard_file "$KEPT" && mkdir "$KEPT"
	expect 0 aggregate -q -dir PROF_1 -o again.json
	cmp again.json fresh.json
	equal "$(ls -A PROF_1/sqlite)" $'aggregates.kept\nmsprof.db'
}

@test "a job that cannot be written is summed up all the same; what is kept there is used" {
	edited
	cp -rp PROF_1 PROF_2 && rm PROF_2/sqlite/aggregates.kept
	chmod -R a-w PROF_1 PROF_2
	run ordinary "$MSPROF" aggregate -q -dir PROF_1 -o "$PWD/one.json"
	run ordinary "$MSPROF" aggregate -q -dir PROF_2 -o "$PWD/two.json"
	chmod -R u+w PROF_1 PROF_2
	equal "$(jq -c '[.operator[][1]] | unique' one.json)" '["kept"]'
	equal "$(jq -c 'del(.name)' two.json)" "$(jq -c 'del(.name)' fresh.json)"
	[ ! -e PROF_2/sqlite/aggregates.kept ]
}

@test "without a database nothing is left: --clear and a first import" {
	rm PROF_1/sqlite/msprof.db
	expect 0 aggregate -q -dir PROF_1 -o again.json
	cmp again.json fresh.json
	expect 0 export summary -q -dir PROF_1 --clear
	[ ! -e PROF_1/sqlite ]
}
