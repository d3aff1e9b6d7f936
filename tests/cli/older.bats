#!/usr/bin/env bats
# older.bats: databases of earlier versions without raw files: tests/data/databases.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# archived FILE: a job in $JOB with nothing but this database
archived() {
	local name=${1##*/}
	JOB=$BATS_TEST_TMPDIR/${name%.db.gz}/${2##*/}
	DB=$JOB/sqlite/msprof.db
	mkdir -p "$JOB/sqlite"
	gzip -dc "$1" >"$DB"
}

# The time of a collection is that of the raw files; a checkout changes their times.
without_time() {
	sed -E 's/20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9:]{8}/TIME/' <<<"$1"
}

# A JSON document without the table of standings; other formats have none.
without_standing() {
	if read -r -n 1 first && [ "$first" = "{" ]; then
		{ printf '{'; cat; } | jq 'walk(if type == "array" then map(select(type != "object" or .table != "Standing")) else . end)'
	else
		printf '%s' "$first"
		cat
	fi
}

# same_exports FRESH: show, query and exports of $JOB are those of the job FRESH, which has its raw files
same_exports() {
	local fresh=$1 command
	for command in "show --format json" "query --format csv" "show --style vendor --format json"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$fresh"
		want=$(without_time "$output" | without_standing)
		[ -n "$want" ]
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB"
		equal "$(without_time "$output" | without_standing)" "$want"
		equal "$stderr" "msprof: '$DB' was made by another version of msprof: tables that it lacks are empty"
	done
	expect 0 show -dir "$JOB" # whose lines break elsewhere where the first schemas did not part the names of layers
	for job in "$fresh" "$JOB"; do
		expect 0 export timeline -q -dir "$job"
		equal "$stderr" ""
		expect 0 export summary -dir "$job"
		expect 0 check -dir "$job"
	done
}

@test "SS928 databases of each earlier schema are shown and exported as the version that made the last one did" {
	local name=${JOB##*/}
	tar -xzf "$ROOT/tests/data/databases/svp_outputs.tar.gz" -C "$BATS_TEST_TMPDIR"
	for file in "$ROOT"/tests/data/databases/svp_[1-6].db.gz; do
		archived "$file" "$name"
		before=$(sha256sum <"$DB")
		for command in "show --format json:show.json" "show --style vendor --format json:show_vendor.json" "query --format csv:query.csv"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 ${command%:*} -dir "$JOB"
			equal "$(without_time "$output")" "$(<"$BATS_TEST_TMPDIR/svp/${command#*:}")"
			equal "$stderr" "msprof: '$DB' was made by another version of msprof: tables that it lacks are empty"
		done
		for command in "show" "show --by stream" "export timeline -q" "export summary" advise check; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -dir "$JOB"
		done
		for kind in timeline summary; do
			diff -r -x .msprof "$BATS_TEST_TMPDIR/svp/$kind" "$JOB/$kind"
		done
		equal "$(sha256sum <"$DB")" "$before"
	done
}

@test "a database of schema 4, of the sample that is here, has no standing; all else is that of the raw files" {
	expect 0 import -dir "$JOB"
	fresh=$JOB
	archived "$ROOT/tests/data/databases/svp_7.db.gz" "$fresh"
	before=$(sha256sum <"$DB")
	for command in "show --each --format json" "show --style vendor --format json" "query --format csv" "advise --format json"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -q -dir "$fresh"
		want=$(without_time "$(without_standing <<<"$output")")
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -q -dir "$JOB"
		equal "$(without_time "$(without_standing <<<"$output")")" "$want"
		lacks "$output" '"table": "Standing"'
		lacks "$stderr" standing withheld contradicted
	done
	for kind in timeline summary; do
		for job in "$fresh" "$JOB"; do expect 0 export $kind -q -dir "$job"; done
		if [ $kind = timeline ]; then # notes of an import keep their words
			sed -i '/^ *{"standing":"[^"]*"},*$/d; s/{"counters":"[^"]*"}/{"counters":""}/' "$fresh"/timeline/* "$JOB"/timeline/*
		fi
		diff -r -x .msprof "$fresh/$kind" "$JOB/$kind"
	done
	expect 0 check -dir "$JOB"
	lacks "$output" standing Standing
	expect 0 report -q -dir "$JOB" -o "$BATS_TEST_TMPDIR/page.html"
	equal "$(sha256sum <"$DB")" "$before"
}

@test "of a database of schema 4 whose counters cannot be true the note says why" {
	archived "$ROOT/tests/data/databases/svp_7.db.gz" "$JOB"
	sqlite3 "$DB" "UPDATE meta SET value = 'contradicted' WHERE key = 'counters'; DELETE FROM note WHERE kind = 'counters';
		INSERT INTO note VALUES ('contradicted', NULL, 'counters are not shown: mac_ppen is above mac_busy in 1 of 6 records; msprof learn finds their places')"
	expect 0 show -dir "$JOB"
	has "$output" "Counters : counters are not shown: mac_ppen is above mac_busy in 1 of 6 records; msprof learn -dir $JOB finds their places"
}

@test "times in parts of a cycle, of learned layouts, stay exact" {
	archived "$ROOT/tests/data/databases/svp_6.db.gz" "${JOB##*/}"
	sqlite3 "$DB" "UPDATE aicore_task SET cycles = (end_tick - start_tick) * 300 + 1, start_tick = NULL, end_tick = NULL, mac_busy = 3 * mac_busy + 1;
		INSERT INTO meta VALUES('parts.aicore_task', 3)"
	expect 0 export summary -dir "$JOB"
	equal "$(cut -d, -f5,7 "$JOB"/summary/op_summary_0.resnet50.46.1.1.0.* | sed -n 3p)" "$(sqlite3 "$DB" "SELECT round((cycles) / 2100.0, 2) || ',' ||
		CAST(round(100.0 * mac_busy / cycles, 2) AS INTEGER) FROM aicore_task WHERE rowid = 1")"
}

@test "PROF databases of each earlier schema are shown and exported as the raw data is, as a database, too" {
	fresh=$BATS_TEST_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$fresh"
	for file in "$ROOT"/tests/data/databases/prof_*.db.gz; do
		archived "$file" "$fresh"
		before=$(sha256sum <"$DB")
		discard "$fresh"/mindstudio_profiler_output
		same_exports "$fresh"
		for job in "$fresh" "$JOB"; do
			rm -f "$job"/msprof_*.db
			expect 0 export db -dir "$job"
			sqlite3 "$job"/msprof_*.db .dump >"$job/dump"
		done
		cmp "$fresh/dump" "$JOB/dump"
		for place in "$fresh" "$JOB"; do # names end with the time of the export
			for output in "$place"/mindstudio_profiler_output/*; do
				mv "$output" "${output%_*}"
			done
		done
		sed -i -z -E 's/\n\{"standing":"[^"]*"\},?//g' "$fresh"/mindstudio_profiler_output/* # older ones do not know it
		diff -r -x .msprof "$fresh/mindstudio_profiler_output" "$JOB/mindstudio_profiler_output"
		equal "$(sha256sum <"$DB")" "$before"
	done
}

@test "an import does not replace the database of an earlier schema whose raw files are gone" {
	archived "$ROOT/tests/data/databases/svp_1.db.gz" "$JOB"
	mkdir "$JOB/data"
	before=$(sha256sum <"$DB")
	expect 1 import -dir "$JOB"
	has "$stderr" "msprof: error: '$JOB/data' holds no raw file any more: '$DB' is kept"
	equal "$(sha256sum <"$DB")" "$before"
}

@test "of a database of an earlier schema some of whose raw files are gone, what was parsed is kept" {
	fresh=$JOB
	archived "$ROOT/tests/data/databases/svp_1.db.gz" "$fresh"
	cp -rp "$fresh"/{data,info.json.*} "$JOB"
	rm "$JOB"/data/aicpu.*.{0,10}
	before=$(sha256sum <"$DB")
	expect 0 show -dir "$JOB"
	has "$stderr" "4 parsed files are gone: the parsed data is kept" # of the AI Core and the AI CPU
	equal "$(sha256sum <"$DB")" "$before"
}

@test "views, triggers, computed columns and tables of others in such a database do nothing" {
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" "DELETE FROM note"
	expect 0 show --format json -dir "$JOB"
	want=$output
	sqlite3 "$DB" "CREATE TABLE theirs(a); CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM note; END; DROP VIEW loss;
		CREATE VIEW loss AS SELECT 'views of others' AS what, 1 AS amount; DROP TABLE note; CREATE VIEW note AS SELECT 'missing' AS kind, 'x' AS file, 'y' AS text;
		ALTER TABLE api_call ADD COLUMN more AS (abs(-9223372036854775808))"
	rm "$JOB"/data/*
	expect 0 show --format json -dir "$JOB"
	equal "$output" "$want"
	lacks "$stderr" "views of others"
}

@test "a database that cannot be read as an older one is an error without a hint that leads nowhere" {
	expect 0 import -dir "$JOB"
	rm "$JOB"/data/*
	sqlite3 "$DB" "DROP TABLE device; CREATE TABLE device(device_id, info); INSERT INTO device VALUES('x', NULL)"
	expect 1 show -dir "$JOB"
	has "$stderr" "'$DB' has another schema than this msprof, and cannot be converted: " "datatype mismatch"
	lacks "$stderr" "makes a new database"
}

@test "of a database of another schema whose raw files are all there only their list is read" {
	expect 0 import -dir "$JOB"
	expect 0 show --format json -dir "$JOB"
	want=$output
	sqlite3 "$DB" "DROP TABLE device; CREATE TABLE device(device_id, info); INSERT INTO device VALUES('x', NULL)" # cannot be converted
	expect 0 show --format json -dir "$JOB"
	equal "$output" "$want"
}
