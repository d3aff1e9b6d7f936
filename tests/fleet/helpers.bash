# shellcheck shell=bash
# helpers.bash: shared by the tests of `msprof publish` with real servers.

load ../cli/helpers
# shellcheck source=tests/fleet/servers.bash
. "$ROOT/tests/fleet/servers.bash"

# top DIR JOBS TASKS: a run of PROF directories.
top() {
	mkdir "$1"
	for ((i = 1; i <= $2; i++)); do
		"$BUILD/tests/genprof" --out "$1/PROF_$i" --tasks $(($3 + i)) >/dev/null
	done
}

# fleet_data JOBS TASKS: for all tests of a file, a run of some jobs of two families, and a large job that is imported.
fleet_data() {
	top "$BATS_FILE_TMPDIR/run1" "$1" 40
	cp -r "$ROOT"/tests/data/JOB* "$BATS_FILE_TMPDIR/run1"
	"$BUILD/tests/genprof" --out "$BATS_FILE_TMPDIR/PROF_LARGE" --tasks "$2" >/dev/null
	"$MSPROF" import -q -dir "$BATS_FILE_TMPDIR/PROF_LARGE"
}

# fleet_test: what each test begins with.
fleet_test() {
	umask 0027
	# shellcheck disable=SC2034 # used by tests
	TOP=$BATS_FILE_TMPDIR/run1 LARGE=$BATS_FILE_TMPDIR/PROF_LARGE
	export MSPROF_TEST_MARK=$BATS_TEST_TMPDIR
}

# refused_at EMPTY CLOSED WORDS: the database EMPTY has no tables, and nobody listens at CLOSED, which WORDS say.
refused_at() {
	expect 1 publish --to "$1" -dir "$TOP"
	has "$stderr" "'msprof publish --to URL --init' makes the tables"
	expect 1 publish --to "$2" -dir "$TOP"
	has "$stderr" "$3"
}

# killed_while LOADING URL: a process of the publisher is killed while the command LOADING succeeds: what is seen, by `amounts`, stays.
killed_while() {
	local first victim pid reader
	expect 0 publish --to "$2" -dir "$LARGE" --tasks
	first=$(amounts)
	for victim in msprof msprof-publish; do
		"$MSPROF" publish -q --to "$2" -dir "$LARGE" --tasks 2>/dev/null 3>&- &
		pid=$!
		wait_until "$1"
		if [ "$victim" = msprof ]; then
			kill -KILL "$pid"
		else
			kill -KILL "$(for reader in $(pgrep -P "$pid" msprof); do pgrep -P "$reader" msprof-publish; done)"
		fi
		! wait "$pid" || fail 'the publisher did not notice'
		wait_until no_publisher
		[ -z "${3:-}" ] || wait_until "$3"
		equal "$(amounts)" "$first"
	done
}

# hostile_name URL RUN: a name that no engine takes as it is, in a run with quotes.
hostile_name() {
	local name=$'JOB\'"\t\\ \xff;--'
	mkdir "$BATS_TEST_TMPDIR/top"
	cp -r "$ROOT"/tests/data/JOB* "$BATS_TEST_TMPDIR/top/$name"
	expect 0 publish --to "$1" -dir "$BATS_TEST_TMPDIR/top" --run "$2" --tasks
	expect 0 publish --to "$1" --ask slowest_ranks --set "run=$2" --set months=1000 --format json
	equal "$(jq -r '.tables[0].rows[0].name' <<<"$output")" $'JOB\'"\t\\ \\xff;--'
	# a text that looks like a number is one still, beside numbers
	expect 0 publish --to "$1" -dir "$BATS_TEST_TMPDIR/top" --run 1.10
	expect 0 publish --to "$1" --ask slowest_ranks --set run=1.10 --set months=1000 --format json
	equal "$(jq -c '.tables[0].rows[0] | [.run, (.steps | type), (.own_us | type)]' <<<"$output")" '["1.10","number","number"]'
}

# all_answered URL STEPS: every question has an answer; that of slowest_ranks is computed again from what the command STEPS prints.
all_answered() {
	local question
	expect 0 publish --to "$1" -dir "$TOP"
	for question in "$ROOT"/schema/fleet/ask/*.sql; do
		expect 0 publish --to "$1" --ask "$(basename "$question" .sql)" --format json
	done
	expect 0 publish --to "$1" --ask slowest_ranks --set run=run1 --set months=1000 --format json
	echo "$output" >"$BATS_TEST_TMPDIR/answer.json"
	"$2" >"$BATS_TEST_TMPDIR/steps.json"
	python3 "$ROOT/tests/fleet/slowest.py" "$BATS_TEST_TMPDIR/answer.json" "$BATS_TEST_TMPDIR/steps.json" run1
	# an answer without rows says which values bound it, also those that nobody gave
	expect 0 publish --to "$1" --ask slowest_ranks --set run=nosuch --format json
	equal "$(jq -c '.tables[0] | [.rows, .no_data]' <<<"$output")" '[[],"no row for run=nosuch, months=3, top=20; --set changes this"]'
	expect 0 publish --to "$1" --ask slowest_ranks --set months=1000 --set run=nosuch
	has "$output" 'no row for run=nosuch, months=1000, top=20'
	expect 0 publish --to "$1" --ask slowest_ranks --set run=nosuch --format csv
	has "$output" run,name,host
	has "$stderr" 'no row for run=nosuch, months=3, top=20'
	expect 1 publish --to "$1" --ask nothing
	has "$stderr" 'there are' slowest_ranks
	for question in top=1..2 top=. top=1e5 'top=1;x' months=; do
		expect 1 publish --to "$1" --ask slowest_ranks --set "$question"
		has "$stderr" "the parameter '${question%=*}' is a number"
	done
	for question in top $'run=a\ntop=1'; do
		expect 1 publish --to "$1" --ask slowest_ranks --set "$question"
		has "$stderr" '--set needs NAME=VALUE, in one line'
	done
}

# The tasks of a job as its database has them, and as a table of the server gives them (tab-separated, NULL empty).
stored_tasks() {
	sqlite3 -readonly -separator $'\t' "$1/sqlite/msprof.db" \
		'SELECT device_id, stream_id, task_id, name, type, task_type, start_ns, dur_ns FROM tasks' | LC_ALL=C sort
}

# No process of a publisher is left: those that were started by this test have its directory in their environment.
no_publisher() {
	! grep -lzsx "MSPROF_TEST_MARK=$BATS_TEST_TMPDIR" /proc/[0-9]*/environ | grep -v "/$$/" | while read -r path; do
		tr '\0' ' ' <"${path%environ}cmdline" 2>/dev/null
	done | grep -q msprof-publish
}

# aged TOP NUMBER DAYS DRIVER: the ranks of TOP get names from PROF_NUMBER000 on, began so many days ago, and have that driver.
aged() {
	local job now
	now=$(date +%s)
	for job in "$1"/PROF_0*; do
		sqlite3 "$job/sqlite/msprof.db" "UPDATE meta SET value =
			($now - $3 * 86400) * 1000000000 - (SELECT value FROM meta WHERE key = 'begin_ns')
			WHERE key = 'wall_offset_ns'; UPDATE control SET text = json_set(text, '\$.drvVersion', '$4') WHERE name = 'info.json'"
		mv "$job" "${job/PROF_0/PROF_$2}"
	done
}

# planted_fleet: in ./one a run of 30 days ago, in ./two one of today with a late rank and a slow link, both of the ranks 0 to 3;
# $PLANTED says which.
planted_fleet() {
	local run
	cd "$BATS_TEST_TMPDIR" || return
	for run in one two; do
		mkdir "$run"
		"$BUILD/tests/genprof" --out "$run/base" --tasks 60 >/dev/null
		"$MSPROF" import -q -dir "$run/base" 2>/dev/null
	done
	python3 "$HELPERS/planted_ranks.py" one 1 4 >/dev/null
	PLANTED=$(python3 "$HELPERS/planted_ranks.py" two 1 4 straggler link)
	discard "$BATS_TEST_TMPDIR/one/base" "$BATS_TEST_TMPDIR/two/base"
	aged one 1 30 6.0
	aged two 2 0 6.1
}

# answers_are_planted URL: the questions find what was planted.
answers_are_planted() {
	local late link
	late=$(jq .late <<<"$PLANTED") link=$(jq -c .link <<<"$PLANTED")
	expect 0 publish --to "$1" -dir one --run nightly
	expect 0 publish --to "$1" -dir two --run nightly
	expect 0 publish --to "$1" --ask slowest_ranks --set run=nightly --format json
	equal "$(jq '.tables[0].rows[0].rank' <<<"$output")" "$late"
	expect 0 publish --to "$1" --ask link_drift --format json
	equal "$(jq -c '.tables[0].rows[0] | [.source_rank, .target_rank]' <<<"$output")" "$link"
	jq -e '.tables[0].rows | .[0].change_percent < -40 and all(.[1:][]; .change_percent > -25)' <<<"$output"
	# both jobs of a rank are of one run
	expect 0 publish --to "$1" --ask slowest_hosts --format json
	jq -e '.tables[0].rows | length > 0 and all(.runs == 1 and .jobs >= 2)' <<<"$output"
	expect 0 publish --to "$1" --ask regressed_jobs --format json
	jq -e '[.tables[0].rows[] | select(.run == "nightly").rank] | sort == [0, 1, 2, 3]' <<<"$output"
	expect 0 publish --to "$1" --ask operator_between_drivers --set base=6.0 --set new=6.1 --format json
	jq -e '.tables[0].rows | length >= 4 and all(.base_jobs == 4 and .new_jobs == 4)' <<<"$output"
}

# labelled URL: labels and days choose jobs; a run that is older than the range is told; runs and old jobs are forgotten, and no others.
labelled() {
	expect 0 publish --to "$1" -dir one --run old --label model=a --label commit=1
	expect 0 publish --to "$1" -dir two --run new --label model=a --label commit=2
	expect 0 publish --to "$1" --ask slowest_ranks --label commit=1 --format json
	equal "$(jq -c '[.tables[0].rows[].run] | unique' <<<"$output")" '["old"]'
	expect 0 publish --to "$1" --ask slowest_ranks --label model=a --label commit=2 --format json
	equal "$(jq -c '[.tables[0].rows[].run] | unique' <<<"$output")" '["new"]'
	expect 0 publish --to "$1" --ask slowest_ranks --set "from=$(date -ud '-40 days' +%F)" --label model=a \
		--set "to=$(date -ud '-20 days' +%FT%H:%M)" --format json
	equal "$(jq -c '[.tables[0].rows[].run] | unique' <<<"$output")" '["old"]'
	# regressions over runs of a model
	expect 0 publish --to "$1" --ask regressed_jobs --label model=a --format json
	equal "$(jq -c '[.tables[0].rows[] | [.what, .run, .jobs_before]] | unique' <<<"$output")" '[["a","new",1]]'
	expect 0 publish --to "$1" --ask slowest_ranks --set run=old --set months=0.5
	has "$output" 'no row for run=old, months=0.5, top=20; 4 jobs began outside of this time' \
		"the newest on $(date -ud '-30 days' +%F): --set from="
	for value in from=yesterday to=2026-13-01 from=; do
		expect 1 publish --to "$1" --ask slowest_ranks --set "$value"
		has "$stderr" "the parameter '${value%%=*}' is a time (UTC)"
	done
	expect 0 publish --to "$1" --forget old
	has "$stderr" 'removed 4 jobs'
	equal "$(left_of "run = 'old'")" 0
	equal "$(left_of "run = 'new'")" 4
	expect 0 publish --to "$1" --keep 1
	has "$stderr" 'removed 0 jobs'
	made_old
	expect 0 publish --to "$1" --keep 400
	has "$stderr" 'removed 4 jobs'
	equal "$(left_of "run = 'new'")" 0
}
