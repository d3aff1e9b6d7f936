#!/usr/bin/env bats
# planted.bats: foreign files beside a job's database, and links in place of a job's directories: no command follows them.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/help

mapfile -t JOB_COMMANDS < <(job_commands)

setup() {
	fresh_job
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF"
	VICTIM=$BATS_TEST_TMPDIR/victim
	echo precious >"$VICTIM"
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

# Files that SQLite looks for beside a database of that name: plant DIRECTORY NAME, when a database is there
plant() {
	local made=$1/msprof.db
	[ -e "$made" ] || made=$BATS_TEST_TMPDIR/any.db
	python3 "$HELPERS/journal.py" "$made" "$1/$2-journal" "$VICTIM"
	printf 'not a log' >"$1/$2-wal"
	ln -sf "$VICTIM" "$1/$2-shm"
}

planted() {
	(cd "$1" && sha256sum "$2"-{journal,wal,shm} && stat -c '%n %F %i %Y' "$2"-{journal,wal,shm})
}

# unharmed DIRECTORY NAME BEFORE COMMAND
unharmed() {
	equal "$4: $(cat "$VICTIM")" "$4: precious"
	equal "$4: $(planted "$1" "$2")" "$4: $3"
}

@test "journals, logs and shared memory beside the database have no effect on any command that reads it" {
	for job in "$JOB" "$PROF"; do
		expect 0 import -dir "$job"
		sums=$(sha256sum <"$job/sqlite/msprof.db")
		plant "$job/sqlite" msprof.db
		before=$(planted "$job/sqlite" msprof.db)
		for command in "${JOB_COMMANDS[@]:1}" "export db"; do # import is the first
			[ "$command" != "export db" ] || [ "$job" = "$PROF" ] || continue
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -dir "$job"
			unharmed "$job/sqlite" msprof.db "$before" "$command"
		done
		equal "$(sha256sum <"$job/sqlite/msprof.db")" "$sums"
		expect 0 export summary -dir "$job" --clear
		unharmed "$job/sqlite" msprof.db "$before" --clear
		expect 0 import -dir "$job" # after which other programs may open the database
		equal "$(cat "$VICTIM")" precious
		equal "$(ls -A "$job/sqlite")" msprof.db
		equal "$(sha256sum <"$job/sqlite/msprof.db")" "$sums"
	done
}

@test "journals, logs and shared memory beside the part files have no effect on what makes them" {
	expect 0 import -dir "$PROF"
	cp "$PROF/sqlite/msprof.db" "$BATS_TEST_TMPDIR/any.db"
	records=$(query 'SELECT sum(records) FROM source' "$PROF/sqlite/msprof.db")
	for command in import show query "export timeline" "export summary" "export db"; do
		PROF=$BATS_TEST_TMPDIR/${command// /_}/PROF_000001_20231114221320000_MADEUPMADEUPMADE
		mkdir "${PROF%/*}"
		"$BUILD/tests/genprof" --out "$PROF"
		mkdir "$PROF/sqlite"
		plant "$PROF/sqlite" msprof.db
		plant "$PROF/sqlite" .msprof.db.part
		plant "$PROF" .msprof.db.part
		cp "$PROF/sqlite/msprof.db-journal" "$PROF/sqlite/.msprof.db.part" # and one that was left behind
		part=$(planted "$PROF/sqlite" .msprof.db.part)
		export=$(planted "$PROF" .msprof.db.part)
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$PROF"
		unharmed "$PROF/sqlite" .msprof.db.part "$part" "$command"
		unharmed "$PROF" .msprof.db.part "$export" "$command"
		equal "$(query 'PRAGMA integrity_check' "$PROF/sqlite/msprof.db")" ok
		equal "$(query 'SELECT sum(records) FROM source' "$PROF/sqlite/msprof.db")" "$records"
	done
}

@test "a database that says it has a write-ahead log is read without one" {
	expect 0 import -dir "$JOB"
	expect 0 show -dir "$JOB" --format json
	want=$output
	printf '\002\002' | dd of="$DB" bs=1 seek=18 conv=notrunc status=none
	plant "$JOB/sqlite" msprof.db
	before=$(planted "$JOB/sqlite" msprof.db)
	expect 0 show -dir "$JOB" --format json
	equal "$output" "$want"
	unharmed "$JOB/sqlite" msprof.db "$before" show
}

@test "sqlite/ that is a link is not followed: nothing is read behind it, and nothing removed" {
	cp -r "$PROF" "$BATS_TEST_TMPDIR/PROF_OTHER"
	expect 0 import -dir "$BATS_TEST_TMPDIR/PROF_OTHER"
	other=$BATS_TEST_TMPDIR/PROF_OTHER/sqlite/msprof.db
	ln -s "$BATS_TEST_TMPDIR/PROF_OTHER/sqlite" "$PROF/sqlite"
	sums=$(sha256sum <"$other")
	for command in import show query "export timeline" "export summary" "export db" "export timeline --clear" "export summary --clear" "export db --clear"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 1 $command -dir "$PROF"
		has "$stderr" "'$PROF/sqlite' is a link: it is not followed"
		lacks "$stderr" "makes a new database"
		equal "$output" ""
	done
	expect 0 check -dir "$PROF"
	has "$stderr" "'$PROF/sqlite' is a link: it is not followed; the raw data is parsed for this run"
	equal "$(sha256sum <"$other")" "$sums"
}

@test "places for exports that are links are not followed" {
	mkdir "$BATS_TEST_TMPDIR/outside"
	ln -s "$BATS_TEST_TMPDIR/outside" "$PROF/mindstudio_profiler_output"
	ln -s "$BATS_TEST_TMPDIR/outside" "$PROF/log"
	for kind in timeline summary; do
		expect 1 export $kind -dir "$PROF" --clear
		has "$stderr" "'$PROF/mindstudio_profiler_output' is a link: it is not followed"
	done
	expect 0 export db -dir "$PROF"
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/outside")" ]
}

@test "host, device_N and data that are links are named, whoever asks" {
	for name in host device_0 host/data device_0/data; do
		mv "$PROF/$name" "$BATS_TEST_TMPDIR/elsewhere"
		ln -s "$BATS_TEST_TMPDIR/elsewhere" "$PROF/$name"
		for command in "${JOB_COMMANDS[@]}" "export db"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 1 $command -dir "$PROF"
			has "$stderr" "'$PROF/$name' is a link: it is not followed"
		done
		expect 1 show -dir "$BATS_TEST_TMPDIR"
		has "$stderr" "'$PROF/$name' is a link: it is not followed"
		[ ! -e "$PROF/sqlite" ]
		rm "$PROF/$name"
		mv "$BATS_TEST_TMPDIR/elsewhere" "$PROF/$name"
	done
	mv "$PROF/host" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "$PROF/host"
	expect 1 import -dir "$PROF/device_0"
	has "$stderr" "host' is a link: it is not followed"
}
