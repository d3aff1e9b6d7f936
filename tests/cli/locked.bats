#!/usr/bin/env bats
# locked.bats: files without read or write permission, and full disks.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

CORE=data/aicore.0.resnet50.16.46.1.1.0

@test "a file that may not be read is missing data: exit 3, and it is named" {
	needs_ordinary
	chmod 000 "$JOB/$CORE"
	run --separate-stderr ordinary "$MSPROF" import -dir "$JOB"
	equal "$status" 3
	has "$stderr" "$CORE" "Permission denied"
	equal "$(query 'SELECT count(*) FROM tasks')" 30
	run --separate-stderr ordinary "$MSPROF" check -dir "$JOB"
	equal "$status" 3
	has "$output" unreadable
}

@test "an info.json.0 that may not be read is damage: exit 3" {
	needs_ordinary
	chmod 000 "$JOB/info.json.0"
	run --separate-stderr ordinary "$MSPROF" import -dir "$JOB"
	equal "$status" 3
	has "$stderr" info.json.0
}

@test "a directory that may not be entered is an error" {
	needs_ordinary
	chmod 000 "$JOB/data"
	run --separate-stderr ordinary "$MSPROF" import -dir "$JOB"
	chmod 750 "$JOB/data"
	equal "$status" 1
	has "$stderr" "$JOB" "Permission denied"
}

@test "a job that may not be written is shown and checked, and stays as it is" {
	needs_ordinary
	chmod -R a-w "$JOB"
	before=$(snapshot "$JOB")
	for command in show "check --files"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr ordinary "$MSPROF" $command -dir "$JOB"
		equal "$status" 0
		has "$output" resnet50
	done
	for command in import "export summary" "export timeline"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr ordinary "$MSPROF" $command -dir "$JOB"
		equal "$status" 1
		has "$stderr" "msprof: error: cannot write into '$JOB': Permission denied; "
	done
	equal "$(snapshot "$JOB")" "$before"
	chmod -R u+w "$JOB"
}

@test "a parsed job on a read-only mount is shown from its database" {
	needs_mounts
	expect 0 import -dir "$JOB"
	# shellcheck disable=SC2016 # for the inner shell
	run --separate-stderr private_mounts bash -c 'mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && "$1" show -dir "$2"' \
		- "$MSPROF" "$JOB"
	equal "$status" 0
	has "$output" "AA Core Metrics :"
	lacks "$stderr" "parsed for this run"
}

@test "a full disk: import and export say so, earlier output stays, no part file is left" {
	needs_mounts
	genjob "$BATS_TEST_TMPDIR/JOBBIG" --tasks 3000 --calls 3000
	mkdir "$BATS_TEST_TMPDIR/disk"
	cat >"$BATS_TEST_TMPDIR/full.sh" <<-'END'
		set -eu
		. "$1"
		mount -t tmpfs -o size=4m none "$disk"
		cp -rp "$sample" "$disk/JOB"
		for command in import "export summary" "export timeline"; do "$MSPROF" $command -q -dir "$disk/JOB"; done
		cp -p "$big"/data/* "$disk/JOB/data/"
		before=$(cd "$disk/JOB" && sha256sum sqlite/* summary/* timeline/*)
		free=$(df --output=avail -k "$disk" | tail -1)
		head -c $(((free - 64) * 1024)) /dev/zero >"$disk/filler"
		for command in import "export summary" "export timeline"; do
			status=0
			"$MSPROF" $command -dir "$disk/JOB" 2>"$log" || status=$?
			echo "$command: $status $(cat "$log")"
			[ "$status" = 1 ]
			grep -q "msprof: error: .*$disk/JOB" "$log"
			grep -qi 'no space' "$log"
			[ "$(cd "$disk/JOB" && sha256sum sqlite/* summary/* timeline/*)" = "$before" ]
			[ -z "$(find "$disk" -name '*.part*')" ]
		done
		echo all done
	END
	printf '%s=%q\n' disk "$BATS_TEST_TMPDIR/disk" sample "$JOB" big "$BATS_TEST_TMPDIR/JOBBIG" MSPROF "$MSPROF" \
		log "$BATS_TEST_TMPDIR/log" >"$BATS_TEST_TMPDIR/vars"
	run private_mounts bash "$BATS_TEST_TMPDIR/full.sh" "$BATS_TEST_TMPDIR/vars"
	echo "$output"
	has "$output" "all done"
}

@test "a disk that fills while a report is written: no part of it remains" {
	needs_mounts
	genjob "$BATS_TEST_TMPDIR/JOBBIG" --tasks 5000 --calls 5000
	JOB=$BATS_TEST_TMPDIR/JOBBIG
	expect 0 import -dir "$JOB"
	expect 0 export summary -dir "$JOB"
	mkdir -p "$JOB/timeline" "$BATS_TEST_TMPDIR/empty"
	cat >"$BATS_TEST_TMPDIR/full.sh" <<-'END'
		mount -t tmpfs -o size=64k none "$2/timeline" || exit 99
		"$1" export timeline -dir "$2"
		echo "status $?"
		ls -A "$2/timeline"
	END
	run private_mounts bash "$BATS_TEST_TMPDIR/full.sh" "$MSPROF" "$JOB"
	has "$output" "No space left on device" "$JOB/timeline/" "status 1"
	equal "$(tail -1 <<<"$output")" "status 1"
}

@test "standard output that cannot be written is an error" {
	[ -w /dev/full ] || skip "no /dev/full"
	expect 0 import -dir "$JOB"
	for command in "show -dir $JOB" "check -dir $JOB" "show -dir $JOB --format json" "--help" "show --help" "--version"; do
		status=0
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $command >/dev/full 2>"$BATS_TEST_TMPDIR/err" || status=$?
		equal "$status" 1
		grep -q 'msprof: error: cannot write .*: No space left on device' "$BATS_TEST_TMPDIR/err"
	done
}

@test "exports of a job that may not be written to: one error that says what to do" {
	needs_ordinary
	mv "$JOB" "$BATS_TEST_TMPDIR/JOBLOCKED"
	JOB=$BATS_TEST_TMPDIR/JOBLOCKED
	chmod 500 "$JOB"
	for command in "export timeline -dir $JOB" "export summary -dir $JOB" "--export=on --output=$JOB"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr ordinary "$MSPROF" $command
		equal "$status: $output" "1: "
		equal "$stderr" "msprof: error: cannot write into '$JOB': Permission denied; exports go into the job: 'msprof export' with --output DIR writes elsewhere"
	done
	# an earlier export that is another's, too: before the data is parsed
	chmod 700 "$JOB" && mkdir "$JOB/summary" && chmod 500 "$JOB/summary" "$JOB"
	run --separate-stderr ordinary "$MSPROF" export summary -dir "$JOB"
	equal "$stderr" "msprof: error: cannot write into '$JOB/summary': Permission denied; exports go into the job: 'msprof export' with --output DIR writes elsewhere"
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1"
	chmod 500 "$BATS_TEST_TMPDIR/PROF_1"
	run --separate-stderr ordinary "$MSPROF" export db -dir "$BATS_TEST_TMPDIR/PROF_1"
	equal "$status" 1
	has "$stderr" "cannot write into '$BATS_TEST_TMPDIR/PROF_1'" "--output DIR"
	chmod 700 "$JOB" "$BATS_TEST_TMPDIR/PROF_1"
}

# Each round runs six commands at once, two of which remove the database that the others make and read.
@test "no command fails beside others with --clear, and the job is whole afterwards" {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
	for round in $(seq 12); do
		pids=() commands=(import show check "export summary --clear" "export timeline --clear" "export summary")
		for i in "${!commands[@]}"; do
			# shellcheck disable=SC2086 # words on purpose
			"$MSPROF" ${commands[i]} -q -dir "$JOB" >"out.$i" 2>"err.$i" 3>&- &
			pids[i]=$!
		done
		for i in "${!pids[@]}"; do wait "${pids[i]}" || fail "round $round, ${commands[i]}: status $?: $(cat "err.$i")"; done
	done
	expect 0 check -q -dir "$JOB"
	equal "$(find "$JOB" -name '*.part*')" ''
}
