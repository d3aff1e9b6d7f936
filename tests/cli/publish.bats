#!/usr/bin/env bats
# publish.bats: what `msprof publish` sends, and what it refuses. A stand-in for msprof-publish takes the rows; tests/fleet has real servers.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

PG=postgresql://user@127.0.0.1:1/fleet
CH=clickhouse://user@127.0.0.1:1/fleet

# A msprof with a stand-in beside it; the rows are in $ROWS.
stand_in() {
	mkdir "$BATS_TEST_TMPDIR/bin"
	cp "$MSPROF" "$BATS_TEST_TMPDIR/bin"
	ln -s "$HELPERS/fleet_loader.py" "$BATS_TEST_TMPDIR/bin/msprof-publish"
	MSPROF=$BATS_TEST_TMPDIR/bin/msprof
	[ -z "${MSPROF_EMULATED:-}" ] || PATH=$BATS_TEST_TMPDIR/bin:$PATH # what is beside a program is beside that which is emulated
	export FLEET_ROWS=$BATS_TEST_TMPDIR/rows.json
	ROWS=$FLEET_ROWS
}

# The tasks of rows, their numbers in full: those of jq have 17 digits.
sent_tasks() {
	python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
word = {row["word"]: row["text"] for row in rows if row["table"] == "word"}
for row in rows:
    if row["table"] == "task":
        texts = [word[row[key]] if row[key] in word else "" for key in ("name", "type", "kind")]
        cells = [row[key] for key in ("device_id", "model_id", "stream_id", "task_id")] + texts + [row["start_ns"], row["dur_ns"]]
        print(*("" if cell is None else cell for cell in cells), sep="\t")'
}

@test "a password in the URL is refused, and not shown" {
	for url in postgresql://me:topsecret@h/d postgres://me:topsecret@h/d 'postgresql://h/d?password=topsecret' 'postgresql://h/d?user=me&%70assword=topsecret' \
		'postgresql://h/d?sslpassword=topsecret' 'postgresql://h/d?scram_client_key=topsecret' 'postgresql://h/d?oauth_client_secret=topsecret' clickhouse://me:topsecret@h/d 'clickhouse://h/d?password=topsecret'; do
		expect 2 publish --to "$url" -dir "$JOB"
		has "$stderr" 'a URL with a password is refused'
		lacks "$stderr$output" topsecret
	done
	has "$stderr" MSPROF_CLICKHOUSE_PASSWORD
	# characters that had to be escaped: no part of it is taken for a port, a database or a parameter
	for url in postgresql://me:top/secret@h/d postgresql://me:12/topsecret@h/d 'postgresql://me:top?secret@h/d' 'clickhouse://me:top?secret@h/d' \
		clickhouse://me:top/secret@h/d 'clickhouse://me:1?topsecret@h/d' 'clickhouse://h/d?top@secret=1'; do
		expect 2 publish --to "$url" -dir "$JOB"
		has "$stderr" '--to: '
		lacks "$stderr$output" top secret
	done
	# these have none
	for url in 'postgresql://127.0.0.1:1/d?user=me@realm' 'postgresql://[::1]:1/d?user=me@realm' postgresql://me@127.0.0.1:1/d clickhouse://me@127.0.0.1:1/d; do
		expect 1 publish --to "$url" -dir "$JOB"
		lacks "$stderr" password
	done
}

@test "a URL of another form is refused, and says which forms there are" {
	for url in mysql://h/d postgresql:h '' clickhouse://h1,h2/d 'clickhouse://h/d?other=1' 'clickhouse://h/a-b' 'clickhouse://h/%zz' clickhouse://h1,,h2/d?cluster=c \
		clickhouse://me%0d%0aX@h/d; do
		expect 2 publish --to "$url" -dir "$JOB"
		has "$stderr" --to
	done
	expect 2 publish -dir "$JOB"
	has "$stderr" '--to is missing'
	expect 2 publish --to "$PG"
	has "$stderr" 'the directory of the jobs is missing'
}

@test "without msprof-publish the error says what to install" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	cp "$MSPROF" "$BATS_TEST_TMPDIR/bin"
	PATH=/usr/bin MSPROF=$BATS_TEST_TMPDIR/bin/msprof expect 1 publish --to "$PG" -dir "$JOB"
	has "$stderr" "'msprof-publish' is not installed" 'make deps-fleet'
}

@test "the rows that are sent are those of the database, for both engines" {
	stand_in
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 60 >/dev/null
	for url in "$PG" "$CH"; do
		for job in "$JOB" "$BATS_TEST_TMPDIR/PROF_1"; do
			: >"$ROWS"
			expect 0 publish --to "$url" -dir "$job" --tasks --run trial
			has "$stderr" 'published 1 of 1 jobs'
			sent_tasks <"$ROWS" | sort >"$BATS_TEST_TMPDIR/sent"
			sqlite3 -readonly -separator $'\t' "$job/sqlite/msprof.db" 'SELECT device_id, model_id, stream_id, task_id, name, type, task_type, start_ns, dur_ns FROM tasks' |
				sort >"$BATS_TEST_TMPDIR/stored"
			[ -s "$BATS_TEST_TMPDIR/sent" ]
			diff "$BATS_TEST_TMPDIR/sent" "$BATS_TEST_TMPDIR/stored"
			equal "$(jq -r 'select(.table == "job") | [.run, .name] | @tsv' "$ROWS")" "trial	${job##*/}"
			# the parts of each step add up, and operators have the tasks of the steps
			jq -es 'map(select(.table == "step")) | length > 0 and all(.span_ns == .computing_ns + .aicpu_ns + .communication_ns + .idle_ns)' "$ROWS" >/dev/null
			jq -es '(map(select(.table == "operator").tasks) | add) == (map(select(.table == "task")) | length)' "$ROWS" >/dev/null
		done
	done
}

@test "whole tasks only on request, each job once, whatever the number of readers" {
	stand_in
	mkdir "$BATS_TEST_TMPDIR/top"
	for i in 1 2 3 4 5; do
		genjob "$BATS_TEST_TMPDIR/top/JOB$i" --seed "$i" --tasks 3
	done
	expect 0 publish --to "$PG" -dir "$BATS_TEST_TMPDIR/top" -j 3
	has "$stderr" 'published 5 of 5 jobs'
	equal "$(jq -r 'select(.table == "job").name' "$ROWS" | sort | tr '\n' ' ')" 'JOB1 JOB2 JOB3 JOB4 JOB5 '
	equal "$(jq -r 'select(.table == "job").run' "$ROWS" | sort -u)" top
	equal "$(jq -r 'select(.table == "task").job' "$ROWS" | wc -l)" 0
	equal "$(jq -r 'select(.table == "job").job' "$ROWS" | sort -u | wc -l)" 5
}

@test "jobs in directories of TOP: each directory is a run, or all are one, whose names tell the directories apart" {
	stand_in
	for rank in 0 1; do
		mkdir -p "$BATS_TEST_TMPDIR/top/rank$rank"
		"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/top/rank$rank/PROF_1" --tasks 5 >/dev/null
	done
	mkdir "$BATS_TEST_TMPDIR/top/other"
	ln -s rank0 "$BATS_TEST_TMPDIR/top/again"
	for url in "$PG" "$CH"; do
		: >"$ROWS"
		expect 0 publish --to "$url" -dir "$BATS_TEST_TMPDIR/top" -j 2
		has "$stderr" 'published 2 of 2 jobs'
		equal "$(jq -r 'select(.table == "job") | "\(.run) \(.name)"' "$ROWS" | sort)" $'rank0 PROF_1\nrank1 PROF_1'
		: >"$ROWS"
		expect 0 publish --to "$url" -dir "$BATS_TEST_TMPDIR/top" --run trial
		equal "$(jq -r 'select(.table == "job") | "\(.run) \(.name)"' "$ROWS" | sort)" $'trial rank0/PROF_1\ntrial rank1/PROF_1'
		equal "$(jq -r 'select(.table == "job").job' "$ROWS" | sort -u | wc -l)" 2
	done
	expect 1 publish --to "$PG" -dir "$BATS_TEST_TMPDIR/top/other"
	has "$stderr" "'$BATS_TEST_TMPDIR/top/other' is not a complete JOB directory"
}

@test "names with quotes, tabs, backslashes and invalid UTF-8 arrive whole; what no engine takes is visible" {
	stand_in
	name=$'JOB\'"\t\\ \xff;--'
	mkdir "$BATS_TEST_TMPDIR/top"
	cp -r "$JOB" "$BATS_TEST_TMPDIR/top/$name"
	expect 0 publish --to "$PG" -dir "$BATS_TEST_TMPDIR/top" --run $'it\'s'
	equal "$(jq -r 'select(.table == "job").name' "$ROWS")" $'JOB\'"\t\\ \\xff;--'
	equal "$(jq -r 'select(.table == "job").run' "$ROWS")" "it's"
}

@test "a msprof-publish that ends, fails or talks nonsense: an error, and no control character" {
	stand_in
	for mode in silent nonsense fail cut; do
		FLEET_MODE=$mode expect 1 publish --to "$PG" -dir "$JOB" --tasks
		has "$stderr" 'error: '
		lacks "$stderr" $'\e'
	done
	FLEET_MODE=fail expect 1 publish --to "$PG" -dir "$JOB"
	has "$stderr" "'$JOB': no\x1b[31m room: nothing of the job is stored" 'published 0 of 1 jobs'
}

@test "each job that is not stored is named, and a process that is killed is not silent" {
	stand_in
	mkdir "$BATS_TEST_TMPDIR/top"
	for i in 1 2 3; do
		genjob "$BATS_TEST_TMPDIR/top/JOB$i" --seed "$i" --tasks 3
	done
	# all are refused at once, or the process ends without an answer
	for mode in batch deaf; do
		FLEET_MODE=$mode expect 1 publish --to "$CH" -dir "$BATS_TEST_TMPDIR/top" -j 1
		for i in 1 2 3; do
			equal "$(grep -c "'$BATS_TEST_TMPDIR/top/JOB$i': .*: nothing of the job is stored" <<<"$stderr")" 1
		done
		has "$stderr" 'published 0 of 3 jobs'
	done
	FLEET_MODE="kill" expect 1 publish --to "$PG" -dir "$BATS_TEST_TMPDIR/top" -j 1
	has "$stderr" 'killed by signal 9' 'published 0 of 3 jobs'
}

@test "a damaged job is published, with exit status 3" {
	stand_in
	truncate -s 3000 "$JOB/data/aicore.0.resnet50.46.1.1.0"
	expect 3 publish --to "$PG" -dir "$JOB"
	equal "$(jq -r 'select(.table == "job").damaged' "$ROWS")" 1
}

@test "metrics need their columns" {
	stand_in
	expect 1 publish --to "$PG" --ask slowest_ranks --format prometheus
	has "$stderr" "no columns 'metric' and 'value'"
}

@test "columns of numbers have numbers, all of their digits, and texts stay texts" {
	stand_in
	expect 0 publish --to "$PG" --ask slowest_ranks --format json
	equal "$(tr -d ' \n' <<<"$output" | grep -o '"rows":.*')" '"rows":[{"run":"1.10","mean":12.5,"job":9223372036854775806,"none":null,"share":0.0}]}]}'
	expect 0 publish --to "$PG" --ask slowest_ranks --format csv
	equal "$output" $'run,mean,job,none,share\n1.10,12.5,9223372036854775806,N/A,0.0'
	expect 0 publish --to "$PG" --ask slowest_ranks --format csv --empty-cells
	equal "$output" $'run,mean,job,none,share\n1.10,12.5,9223372036854775806,,0.0'
	expect 0 publish --to "$PG" --ask slowest_ranks
	has "$output" ' 0.0 '
}

# The labels that were sent, as lines NAME=VALUE.
sent_labels() { jq -r 'select(.table == "job_label") | "\(.name)=\(.value)"' "$ROWS" | sort; }

@test "what the user says of a job, and the sizes of groups whose names tell which they are" {
	stand_in
	job=$BATS_TEST_TMPDIR/PROF_1
	"$BUILD/tests/genprof" --out "$job" --tasks 5 >/dev/null
	expect 0 import -dir "$job"
	sqlite3 "$job/sqlite/msprof.db" "INSERT INTO name(hash, name) VALUES (901, 'tp_0_1'), (902, 'Tensor_Model_Parallel'), (903, 'dp_cp'), (904, 'world'),
		(905, 'pp-group'), (906, 'ep'), (907, 'ep2'), (908, 'stp');
		INSERT INTO comm_op(device_id, step_group, rank_size) VALUES (0, 901, 4), (0, 901, 4), (0, 902, 4), (0, 903, 8), (0, 904, 64), (0, 905, 2), (0, 906, 3),
		(0, 907, 5), (0, 908, 9)"
	expect 0 publish --to "$PG" -dir "$job" --label "model=it's \"7B\"" --label commit=a=b
	equal "$(sent_labels)" $'commit=a=b\nmodel=it\'s "7B"\npp=2\ntp=4'
	: >"$ROWS"
	expect 0 publish --to "$CH" -dir "$job" --label pp=16
	equal "$(sent_labels)" $'pp=16\ntp=4'
	for label in model =x 'a b=c' $'a=b\nc=d'; do
		expect 2 publish --to "$PG" -dir "$job" --label "$label"
		has "$stderr" '--label needs NAME=VALUE'
	done
	expect 2 publish --to "$PG" -dir "$job" --label a=1 --label b=1 --label a=2
	has "$stderr" "each name once: 'a=2'"
}

# Whether so many jobs were noted as published: that comes last.
noted_jobs() { [ "$(find "$BATS_TEST_TMPDIR/spool" -name .msprof-published -exec wc -l {} + | cut -d ' ' -f1)" = "$1" ]; }

# watched COMMAND...: that becomes true while a msprof watches ./spool.
watched() {
	MSPROF_WATCH_PAUSE=1 "$MSPROF" publish --to "$PG" --watch "$BATS_TEST_TMPDIR/spool" 2>>"$BATS_TEST_TMPDIR/watch" 3>&- &
	watcher=$!
	for _ in {1..100}; do
		! "$@" || break
		sleep 0.1
	done
	"$@"
}

unwatched() {
	kill "$watcher"
	wait "$watcher" || [ $? = 143 ]
}

@test "a directory is watched: jobs are published when nothing of them changes, once each, and again when they do" {
	stand_in
	: >"$ROWS"
	mkdir "$BATS_TEST_TMPDIR/spool"
	cp -r "$JOB" "$BATS_TEST_TMPDIR/spool/JOB1"
	watched noted_jobs 1
	MSPROF_WATCH_PAUSE=1 expect 1 publish --to "$PG" --watch "$BATS_TEST_TMPDIR/spool"
	has "$stderr" "another msprof watches '$BATS_TEST_TMPDIR/spool'"
	unwatched
	# another start knows the first job; the second changes in the meantime
	cp -r "$JOB" "$BATS_TEST_TMPDIR/spool/JOB2"
	watched noted_jobs 2
	equal "$(jq -r 'select(.table == "job").name' "$ROWS" | tr '\n' ' ')" 'JOB1 JOB2 '
	touch "$BATS_TEST_TMPDIR/spool/JOB1"/data/*
	for _ in {1..100}; do
		! noted_jobs 3 || break
		sleep 0.1
	done
	unwatched
	equal "$(jq -r 'select(.table == "job").name' "$ROWS" | tr '\n' ' ')" 'JOB1 JOB2 JOB1 '
	# what cannot be stored is not noted
	: >"$ROWS"
	cp -r "$JOB" "$BATS_TEST_TMPDIR/spool/JOB3"
	FLEET_MODE=fail watched grep -q 'nothing of the job is stored' "$BATS_TEST_TMPDIR/watch"
	unwatched
	watched noted_jobs 4
	unwatched
	equal "$(jq -r 'select(.table == "job").name' "$ROWS")" JOB3
}

@test "what others put under the names of a lake, or of the notes of a watch, stays" {
	lake=$BATS_TEST_TMPDIR/lake
	mkdir "$lake"
	echo mine >"$lake/spark.sql"
	expect 1 publish --to "file://$lake" --init
	has "$stderr" "'$lake/spark.sql' is not of msprof and stays"
	equal "$(ls "$lake")$(cat "$lake/spark.sql")" spark.sqlmine
	rm "$lake/spark.sql"
	expect 0 publish --to "file://$lake" --init
	touch -d '2 days ago' "$lake/task/day=1970-01-01/.keep" "$lake/task/day=1970-01-01/.1-2.part"
	expect 0 publish --to "file://$lake" --init
	equal "$(find "$lake" -name '.*' -printf '%f')" .keep
	# a pipe without an end, and a file that is another one as well
	mkdir "$BATS_TEST_TMPDIR/spool"
	mkfifo "$BATS_TEST_TMPDIR/spool/.msprof-published"
	expect 1 publish --to "file://$lake" --watch "$BATS_TEST_TMPDIR/spool"
	has "$stderr" "'$BATS_TEST_TMPDIR/spool/.msprof-published' is not a regular file, or has several names"
	ln -f "$lake/spark.sql" "$BATS_TEST_TMPDIR/spool/.msprof-published"
	expect 1 publish --to "file://$lake" --watch "$BATS_TEST_TMPDIR/spool"
	lacks "$stderr" 'another msprof'
}

@test "a lake has the rows that a database is sent, in files that appear whole; a job that is published again replaces itself" {
	stand_in
	name=$'JOB\'"\t\\ \xff;--'
	lake="file://$BATS_TEST_TMPDIR/the%20lake"
	mkdir "$BATS_TEST_TMPDIR/top"
	cp -r "$JOB" "$BATS_TEST_TMPDIR/top/$name"
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/top/PROF_1" --tasks 50 >/dev/null
	expect 1 publish --to "$lake" -dir "$BATS_TEST_TMPDIR/top"
	has "$stderr" "cannot open '$BATS_TEST_TMPDIR/the lake'"
	mkdir "$BATS_TEST_TMPDIR/the lake"
	expect 1 publish --to "$lake" -dir "$BATS_TEST_TMPDIR/top"
	has "$stderr" "has no tables of msprof: 'msprof publish --to URL --init' makes them" 'published 0 of 2 jobs'
	expect 0 publish --to "$PG" -dir "$BATS_TEST_TMPDIR/top" --tasks --label a=b
	for _ in 1 2; do
		expect 0 publish --to "$lake" --init -dir "$BATS_TEST_TMPDIR/top" --tasks --label a=b
		has "$stderr" 'published 2 of 2 jobs'
		python3 "$HELPERS/lake_rows.py" "$ROWS" "$BATS_TEST_TMPDIR/the lake"
		equal "$(find "$BATS_TEST_TMPDIR/the lake/job" -name '*.gz' | wc -l)" 2
	done
	equal "$(find "$BATS_TEST_TMPDIR/the lake" -name '.*' | wc -l)" 0
	has "$(cat "$BATS_TEST_TMPDIR/the lake/duckdb.sql")" "'$BATS_TEST_TMPDIR/the lake/task/*/*.ndjson*'"
	# a load that fails leaves the earlier one
	mv "$BATS_TEST_TMPDIR/the lake/word" "$BATS_TEST_TMPDIR"
	touch "$BATS_TEST_TMPDIR/the lake/word"
	expect 1 publish --to "$lake" -dir "$BATS_TEST_TMPDIR/top" --tasks --label a=c
	rm "$BATS_TEST_TMPDIR/the lake/word"
	mv "$BATS_TEST_TMPDIR/word" "$BATS_TEST_TMPDIR/the lake"
	equal "$(find "$BATS_TEST_TMPDIR/the lake" -name '.*' | wc -l)" 0
	python3 "$HELPERS/lake_rows.py" "$ROWS" "$BATS_TEST_TMPDIR/the lake"
	expect 2 publish --to "$lake" --ask slowest_ranks
	has "$stderr" 'need a server'
	for url in file://host/dir file:/dir file:/// file:///a%00; do
		expect 2 publish --to "$url" -dir "$JOB"
		has "$stderr" '--to'
	done
}
