#!/usr/bin/env bats
# import.bats: the database appears whole or not at all, private, and the same at any path of the job.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/svp_job

modes() {
	find "$JOB/sqlite" "$JOB/log" "$JOB/timeline" "$JOB/summary" -printf '%y %m\n' | sort -u
}

run_all_commands() {
	"$MSPROF" import -q -dir "$JOB" 2>/dev/null
	"$MSPROF" export timeline -q -dir "$JOB"
	"$MSPROF" export summary -q -dir "$JOB"
	"$MSPROF" export summary -q -dir "$JOB" --format json
}

hashes() {
	(cd "$1" && find sqlite timeline summary -type f -exec sha256sum {} + | sort -k2)
}

@test "import makes sqlite/msprof.db, which the sqlite3 shell opens" {
	expect 0 import -dir "$JOB"
	equal "$(query 'PRAGMA integrity_check')" ok
	equal "$(query 'SELECT count(*) FROM tasks')" 54 # two inferences of 24 on the AI Core and 3 on the AI CPU
	equal "$(query 'SELECT count(*) FROM api_calls')" 60
	equal "$(query 'PRAGMA application_id')" $((0x6d737072))
	equal "$(ls -A "$JOB/sqlite")" msprof.db
	equal "$output" ""
	has "$stderr" "$(records_of "$JOB") records"
}

@test "every byte is a record, blank or damage" {
	head -c 100 /dev/urandom >>"$JOB/data/aicore.0.resnet50.16.46.1.1.0"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM (SELECT file FROM source WHERE state = 'raw' GROUP BY file HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes))")" 0
	equal "$(query "SELECT sum(damaged_bytes) FROM source")" 100
	equal "$(query "SELECT sum(bytes) FROM damage")" 100
}

@test "import always makes the database anew" {
	expect 0 import -dir "$JOB"
	before=$(stat -c %i "$DB")
	ln "$DB" "$BATS_TEST_TMPDIR/kept" # so that its inode cannot be used again
	expect 0 import -dir "$JOB"
	[ "$(stat -c %i "$DB")" != "$before" ]
	cmp "$DB" "$BATS_TEST_TMPDIR/kept"
}

@test "import replaces a database that somebody tampered with" {
	expect 0 import -dir "$JOB"
	cp "$DB" "$BATS_TEST_TMPDIR/good"
	sqlite3 "$DB" 'DELETE FROM aicore_task'
	expect 0 import -dir "$JOB"
	cmp "$DB" "$BATS_TEST_TMPDIR/good"
}

@test "umask 0022: directories are 0750 and files 0640 all the same" {
	umask 0022
	run_all_commands
	equal "$(modes)" $'d 750\nf 640'
}

@test "umask 0000: directories are 0750 and files 0640 all the same" {
	umask 0000
	run_all_commands
	equal "$(modes)" $'d 750\nf 640'
}

@test "umask 0077: directories are 0750 and files 0640 all the same" {
	umask 0077
	run_all_commands
	expect 0 show -dir "$JOB"
	equal "$(modes)" $'d 750\nf 640'
}

@test "a part file that others may write does not become the database" {
	mkdir -m 750 "$JOB/sqlite"
	touch "$JOB/sqlite/.msprof.db.part"
	chmod 0666 "$JOB/sqlite/.msprof.db.part"
	expect 0 import -dir "$JOB"
	equal "$(stat -c %a "$DB")" 640
}

@test "a careless umask is a warning" {
	for mask in 0022 0002 0007 0020 0026; do
		(umask 0027 && cp -r "$JOB" "$BATS_TEST_TMPDIR/JOB$mask")
		umask "$mask"
		expect 0 import -dir "$BATS_TEST_TMPDIR/JOB$mask"
		has "$stderr" "msprof: warning: umask $mask" "run 'umask 0027' first"
	done
}

@test "the warning about the umask comes once, not with -q, and not where nothing is imported for the first time" {
	umask 0022
	mkdir "$BATS_TEST_TMPDIR/jobs"
	for name in JOBA JOBB JOBC; do cp -r "$JOB" "$BATS_TEST_TMPDIR/jobs/$name"; done
	expect 0 import -dir "$BATS_TEST_TMPDIR/jobs"
	equal "$(grep -c umask <<<"$stderr")" 1
	expect 0 import -dir "$BATS_TEST_TMPDIR/jobs"
	lacks "$stderr" umask
	expect 0 import -q -dir "$JOB"
	lacks "$stderr" umask
	expect 0 show -dir "$JOB"
	expect 0 export timeline -dir "$JOB"
	lacks "$stderr" umask
}

@test "a careful umask is not mentioned" {
	for mask in 0027 0077 0777; do
		(
			umask "$mask"
			[ "$mask" != 0777 ] || exec 2>/dev/null # nothing can be made then; only the warning matters
			run --separate-stderr "$MSPROF" import -dir "$JOB"
			lacks "$stderr" "warning: umask"
		)
		discard "$JOB/sqlite" "$JOB/log"
	done
}

@test "a careless umask is an error with --strict, and nothing is made" {
	umask 0022
	before=$(snapshot "$JOB")
	expect 1 import --strict -dir "$JOB"
	has "$stderr" "msprof: error: umask 0022"
	equal "$(snapshot "$JOB")" "$before"
	umask 0027
	expect 0 import --strict -dir "$JOB"
}

@test "a job that was moved works, and nothing in it says where it lay" {
	run_all_commands
	run grep -rlF "$BATS_TEST_TMPDIR" "$JOB"
	equal "$output" ""
	mkdir "$BATS_TEST_TMPDIR/another place"
	mv "$JOB" "$BATS_TEST_TMPDIR/another place/"
	JOB="$BATS_TEST_TMPDIR/another place/${JOB##*/}"
	inode=$(stat -c %i "$JOB/sqlite/msprof.db")
	expect 0 show -dir "$JOB"
	expect 0 export summary -dir "$JOB"
	equal "$(stat -c %i "$JOB/sqlite/msprof.db")" "$inode"
	expect 0 import -dir "$JOB"
}

@test "the same job gives the same bytes in another locale, time zone and path" {
	other="$BATS_TEST_TMPDIR/somewhere else/${JOB##*/}"
	mkdir -p "$other/data"
	(cd "$JOB/data" && ls -r) | while read -r name; do # in another order on the disk
		cp -p "$JOB/data/$name" "$other/data/"
	done
	cp -p "$JOB"/info.json.0 "$other/"
	run_all_commands
	(
		cd "$other/.."
		first=$JOB
		JOB=./${JOB##*/}
		locale=$(locale -a | grep -vxE 'C|POSIX' | tail -1)
		export LC_ALL=${locale:-C.UTF-8} TZ=Asia/Shanghai LANG=de_DE.UTF-8 COLUMNS=33
		run_all_commands
		equal "$(hashes "$JOB")" "$(hashes "$first")"
	)
	[ "$(hashes "$other" | wc -l)" -ge 13 ]
}

@test "import of the same data twice gives the same bytes" {
	run_all_commands
	first=$(hashes "$JOB")
	sleep 0.01
	run_all_commands
	equal "$(hashes "$JOB")" "$first"
}

@test "-dir may hold several jobs; each is done in turn" {
	parent=$BATS_TEST_TMPDIR/jobs
	mkdir -p "$parent/not a job" "$parent/other name"
	genjob "$BATS_TEST_TMPDIR/JOBELSEWHERE"
	ln -s "$BATS_TEST_TMPDIR/JOBELSEWHERE" "$parent/JOBLINK"
	genjob "$parent/other name/below" # two levels down
	genjob "$parent/named by its user"
	genjob "$parent/JOBB" --seed 2
	genjob "$parent/JOBA" --seed 1 --calls 512
	expect 0 import -dir "$parent"
	[ -s "$parent/JOBA/sqlite/msprof.db" ] && [ -s "$parent/JOBB/sqlite/msprof.db" ]
	[ -s "$parent/named by its user/sqlite/msprof.db" ] # it holds data/
	[ ! -e "$parent/sqlite" ] && [ ! -e "$parent/not a job/sqlite" ]
	[ ! -e "$BATS_TEST_TMPDIR/JOBELSEWHERE/sqlite" ] && [ ! -e "$parent/other name/below/sqlite" ]
	[[ $stderr == *JOBA*JOBB* ]]
	lacks "$stderr" "error:"
}

@test "of several jobs one called JOB... without data/ is refused by name, and the others are done" {
	parent=$BATS_TEST_TMPDIR/jobs
	mkdir -p "$parent/JOBEMPTY" "$parent/JOBPROF/device_0"
	genjob "$parent/JOBX"
	genjob "$parent/JOBA"
	expect 1 import -dir "$parent"
	has "$stderr" "'$parent/JOBEMPTY' is not a complete JOB directory: it has no directory 'data'" \
		"'$parent/JOBPROF' is not a complete PROF directory: it has no directory 'host/data' or 'device_N/data'"
	for name in A X; do [ -s "$parent/JOB$name/sqlite/msprof.db" ]; done
	expect 1 show -dir "$parent"
	has "$output" "Job : $parent/JOBA" "Job : $parent/JOBX"
}

@test "a directory that was taken for a job by what it holds: the error says so" {
	parent=$BATS_TEST_TMPDIR/project
	mkdir -p "$parent/tests/data"
	expect 1 show -dir "$parent"
	has "$stderr" "'$parent/tests' is not a complete JOB directory: it has no file 'info.json.0'" "it counts as a job because it lies in '$parent' and has a directory 'data'"
	mkdir "$parent/PROF_empty"
	expect 1 show -dir "$parent/PROF_empty"
	has "$stderr" "'$parent/PROF_empty' is not a PROF directory: it has no directory 'host' or 'device_N'"
}

@test "of several jobs a damaged one gives 3, a broken one 1, and the others are done" {
	parent=$BATS_TEST_TMPDIR/jobs
	mkdir "$parent"
	for name in A B C; do genjob "$parent/JOB$name"; done
	printf x >>"$parent/JOBA/data/aicpu.0.resnet50.16.46.1.1.0"
	expect 3 import -dir "$parent"
	info_json >"$parent/JOBB/info.json.0" # without a frequency
	discard "$parent/JOBB/sqlite"
	expect 1 import -dir "$parent"
	has "$stderr" JOBB info.json.0
	for name in A C; do [ -s "$parent/JOB$name/sqlite/msprof.db" ]; done
}

@test "of several jobs each note names its job, and exports of the others are there" {
	parent=$BATS_TEST_TMPDIR/jobs
	mkdir "$parent"
	for name in A B C; do genjob "$parent/JOB$name"; done
	for file in "$parent"/JOBB/data/*; do : >"$file"; done
	expect 0 export summary -dir "$parent"
	has "$stderr" "msprof: warning: '$parent/JOBB': no data: "
	discard "$parent/JOBB/data" "$parent/JOBB/sqlite"
	expect 1 export timeline -dir "$parent"
	has "$stderr" "'$parent/JOBB' is not a complete JOB directory"
	for name in A C; do [ -s "$(echo "$parent/JOB$name"/summary/op_summary*)" ] && [ -s "$parent/JOB$name/timeline/trace.json" ]; done
}

@test "a job without data/ is refused by name" {
	mv "$JOB/data" "$JOB/data2"
	expect 1 import -dir "$JOB"
	has "$stderr" "msprof: error: '$JOB' is not a complete JOB directory: it has no directory 'data'"
	[ ! -e "$DB" ]
}

@test "of a device whose info file is missing all but times is read, and the file is named" {
	cp "$JOB/data/aicore.0.resnet50.16.46.1.1.0" "$JOB/data/aicore.1.resnet50.16.46.1.1.0"
	cp "$JOB/data/aicore.0.resnet50.16.46.1.1.0.done" "$JOB/data/aicore.1.resnet50.16.46.1.1.0.done"
	expect 3 import -dir "$JOB"
	has "$stderr" "info.json.1: not found: times of tasks are unknown; give the frequency with --frequency MHZ"
	equal "$(query "SELECT count(*), count(start_ns) FROM aicore_task WHERE rowid IN (SELECT value FROM source, generate_series(first_row, last_row) WHERE device_id = 1)")" "24|0"
	expect 0 import -dir "$JOB" --frequency 700
}

@test "the earlier database survives an import that fails" {
	expect 0 import -dir "$JOB"
	before=$(snapshot "$JOB/sqlite")
	info_json >"$JOB/info.json.0"
	expect 1 import -dir "$JOB"
	equal "$(snapshot "$JOB/sqlite" | grep -v '^ d')" "$(grep -v '^ d' <<<"$before")"
	no_part_files "$JOB"
}

@test "the earlier database survives when the raw data is gone" {
	expect 0 import -dir "$JOB"
	before=$(sha256sum <"$DB")
	rm "$JOB"/data/*
	touch "$JOB/data/nothing.known"
	for _ in 1 2; do
		expect 1 import -dir "$JOB"
		has "$stderr" "msprof: error: '$JOB/data' holds no raw file any more: '$DB' is kept"
		equal "$(sha256sum <"$DB")" "$before"
		discard "$JOB/data"
	done
	expect 0 show -dir "$JOB"
	equal "$(sha256sum <"$DB")" "$before"
}

@test "without raw data, what cannot be read of the earlier database is no reason to replace it" {
	expect 0 import -dir "$JOB"
	rm "$JOB"/data/*
	truncate -s 20000 "$DB"
	before=$(sha256sum <"$DB")
	expect 1 import -dir "$JOB"
	has "$stderr" "msprof: error: '$JOB/data' holds no raw file, and the parsed data is kept: " "'$DB'"
	equal "$(sha256sum <"$DB")" "$before"
}

@test "without raw data, a database of another version is not replaced either" {
	expect 0 import -dir "$JOB"
	rm "$JOB"/data/*
	sqlite3 "$DB" "CREATE VIEW of_then AS SELECT * FROM source"
	before=$(sha256sum <"$DB")
	expect 1 import -dir "$JOB"
	has "$stderr" "msprof: error: '$JOB/data' holds no raw file any more: '$DB' is kept"
	equal "$(sha256sum <"$DB")" "$before"
}

@test "raw files that have changed while others are gone: export and show keep what was parsed, import parses what is left" {
	expect 0 import -dir "$JOB"
	before=$(sha256sum <"$DB")
	rm "$JOB"/data/aicpu.*.{0,10}
	touch "$JOB/data/acl_api.0.resnet50.46"
	for command in show "export summary" "export timeline"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB"
		has "$stderr" "msprof: warning: '$JOB': the raw files have changed, but 2 parsed files are gone: \
the parsed data is kept; 'msprof import' parses the remaining files"
		equal "$(sha256sum <"$DB")" "$before"
	done
	expect 3 import -dir "$JOB" # the markers of the files that are gone speak of lost data
	equal "$(query 'SELECT count(*) FROM aicpu_task')" 0
	equal "$(query 'SELECT count(*) FROM api_call')" 60
	expect 3 show -dir "$JOB"
	lacks "$stderr" "have changed"
}

@test "a .done marker that appears later makes the database stale" {
	rm "$JOB/data/aicpu.0.resnet50.16.46.1.1.0.done"
	expect 0 import -dir "$JOB"
	before=$(stat -c %i "$DB")
	ln "$DB" "$BATS_TEST_TMPDIR/kept"
	expect 0 show -dir "$JOB"
	equal "$(stat -c %i "$DB")" "$before"
	touch "$JOB/data/aicpu.0.resnet50.16.46.1.1.0.done"
	expect 0 show -dir "$JOB"
	[ "$(stat -c %i "$DB")" != "$before" ]
	equal "$(query "SELECT count(*) FROM note WHERE kind = 'warning'")" 0
}

@test "a part file that a killed import left is cleaned" {
	mkdir "$JOB/sqlite"
	head -c 100000 /dev/urandom >"$JOB/sqlite/.msprof.db.part"
	expect 0 import -dir "$JOB"
	equal "$(ls -A "$JOB/sqlite")" msprof.db
	equal "$(query 'PRAGMA integrity_check')" ok
}

@test "a second import at the same time is refused with --no-wait" {
	expect 0 import -dir "$JOB"
	before=$(sha256sum <"$DB")
	touch "$JOB/sqlite/.msprof.db.part"
	exec 9<"$JOB/sqlite"
	flock 9
	expect 1 import --no-wait -dir "$JOB"
	has "$stderr" "msprof: error: another msprof is importing into '$JOB/sqlite'"
	[ -e "$JOB/sqlite/.msprof.db.part" ] # it belongs to the other one
	equal "$(sha256sum <"$DB")" "$before"
	expect 0 show -dir "$JOB" # readers do not care
	exec 9<&-
	expect 0 import -dir "$JOB"
	no_part_files "$JOB"
}

@test "a second export into the same directory at the same time is refused with --no-wait" {
	expect 0 import -dir "$JOB"
	for kind in summary timeline; do
		expect 0 export $kind -dir "$JOB"
		before=$(snapshot "$JOB/$kind")
		exec 9<"$JOB/$kind"
		flock 9
		expect 1 export $kind --no-wait -dir "$JOB"
		has "$stderr" "msprof: error: another msprof is exporting into '$JOB/$kind'"
		equal "$(snapshot "$JOB/$kind")" "$before"
		exec 9<&-
		expect 0 export $kind -dir "$JOB"
	done
	exec 9<"$JOB/summary"
	flock 9
	expect 0 export timeline -dir "$JOB" # another directory, another lock
	expect 0 import -dir "$JOB"
	exec 9<&-
}

@test "a second one waits for the first, says so once, and not with -q" {
	expect 0 import -dir "$JOB"
	for command in import "export summary" "export timeline" "import -q" "export summary -q"; do
		case $command in import*) dir=sqlite ;; *) dir=${command#export } dir=${dir% -q} ;; esac
		expect 0 export timeline -q -dir "$JOB"
		expect 0 export summary -q -dir "$JOB"
		exec 9<"$JOB/$dir"
		flock 9
		rm -f "$BATS_TEST_TMPDIR/err" # or the words of the command before are found
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $command -dir "$JOB" >/dev/null 2>"$BATS_TEST_TMPDIR/err" 9<&- &
		pid=$!
		case $command in
		*-q) sleep 0.2 ;; # nothing tells that it waits
		*) until_true grep -q "waiting for another msprof" "$BATS_TEST_TMPDIR/err" ;;
		esac
		kill -0 "$pid"
		exec 9<&-
		wait "$pid"
		case $command in
		*-q) equal "$(cat "$BATS_TEST_TMPDIR/err")" "" ;;
		*) equal "$(grep -c "msprof: waiting for another msprof at work on this job (--no-wait fails instead)" "$BATS_TEST_TMPDIR/err")" 1 ;;
		esac
	done
}

# all_at_once COMMAND...: each on $JOB at the same time; all must succeed
all_at_once() {
	local pids=() command status i=0
	for command; do
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $command -q -dir "$JOB" >"$BATS_TEST_TMPDIR/out$i" 2>"$BATS_TEST_TMPDIR/err$i" &
		pids[i]=$!
		i=$((i + 1))
	done
	i=0
	for command; do
		status=0
		wait "${pids[i]}" || status=$?
		equal "$command: $status $(<"$BATS_TEST_TMPDIR/err$i")" "$command: 0 "
		i=$((i + 1))
	done
}

@test "four commands at once on a fresh job: all do their work" {
	generate --tasks 3000 --host-calls 3000
	cp -rp "$JOB" "$BATS_TEST_TMPDIR/alone"
	expect 0 export summary -q -dir "$BATS_TEST_TMPDIR/alone"
	expect 0 export timeline -q -dir "$BATS_TEST_TMPDIR/alone"
	for round in 1 2 3 4; do
		JOB=$BATS_TEST_TMPDIR/round$round
		cp -rp "$BATS_TEST_TMPDIR/JOBGENERATED" "$JOB"
		[ ! -e "$JOB/sqlite" ]
		all_at_once show "export timeline" "export summary" "import"
		[ -s "$BATS_TEST_TMPDIR/out0" ]
		diff -r "$BATS_TEST_TMPDIR/alone/summary" "$JOB/summary"
		diff -r "$BATS_TEST_TMPDIR/alone/timeline" "$JOB/timeline"
		no_part_files "$JOB"
	done
}

@test "a database that another one imports meanwhile is used, not made anew" {
	expect 0 import -dir "$JOB"
	mv "$DB" "$BATS_TEST_TMPDIR/done.db"
	exec 9<"$JOB/sqlite"
	flock 9
	"$MSPROF" show -dir "$JOB" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 9<&- &
	pid=$!
	until_true grep -q "waiting for another msprof" "$BATS_TEST_TMPDIR/err"
	mv "$BATS_TEST_TMPDIR/done.db" "$DB"
	before=$(stat -c %i "$DB")
	exec 9<&-
	wait "$pid"
	equal "$(stat -c %i "$DB")" "$before"
	[ -s "$BATS_TEST_TMPDIR/out" ]
}

@test "three exports at once: each waits for its turn, and each file is whole" {
	generate --tasks 3000 --host-calls 3000
	expect 0 export summary -q -dir "$JOB"
	wanted=$(cd "$JOB/summary" && sha256sum ./*)
	for _ in 1 2 3; do
		all_at_once "export summary" "export summary" "export summary"
		equal "$(cd "$JOB/summary" && sha256sum ./*)" "$wanted"
		no_part_files "$JOB"
	done
}

@test "a part file that a killed export left is replaced" {
	for kind in summary timeline; do
		mkdir -m 750 "$JOB/$kind"
		head -c 100000 /dev/urandom >"$JOB/$kind/.msprof.part"
		chmod 0666 "$JOB/$kind/.msprof.part"
		expect 0 export $kind -dir "$JOB"
		equal "$(find "$JOB/$kind" -type f -printf '%m\n' | sort -u)" 640
	done
	no_part_files "$JOB"
}

@test "nothing is written to data/, and no file is touched there" {
	before=$(snapshot "$JOB/data"; sha256sum "$JOB/info.json.0")
	run_all_commands
	expect 0 show -dir "$JOB"
	expect 0 check -dir "$JOB"
	equal "$(snapshot "$JOB/data"; sha256sum "$JOB/info.json.0")" "$before"
}

@test "log/collection.log has lines in the shape of the vendor's" {
	expect 0 import -dir "$JOB"
	line='^[A-Z][a-z]{2} [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} \[INFO\] \[MSVP\] \[[0-9]+\] : .+$'
	[ "$(wc -l <"$JOB/log/collection.log")" -ge 2 ]
	run grep -vE "$line" "$JOB/log/collection.log"
	equal "$output" ""
	grep -q "Start analyzing data in \".*${JOB##*/}\" \.\.\." "$JOB/log/collection.log"
}
