#!/usr/bin/env bats
# database.bats: databases of another version, and damaged databases.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

@test "a database of a newer schema is refused, and import replaces it" {
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" 'PRAGMA user_version = 99'
	before=$(sha256sum <"$DB")
	for command in show "export summary" "export timeline"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 1 $command -dir "$JOB"
		has "$stderr" "'$DB'" 99 newer
		equal "$output" ""
	done
	equal "$(sha256sum <"$DB")" "$before"
	expect 0 import -dir "$JOB"
	equal "$(query 'PRAGMA user_version')" 5
}

@test "check with a newer database parses the raw data, and says so" {
	expect 0 check -dir "$JOB"
	fresh=$output
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" 'PRAGMA user_version = 99'
	before=$(snapshot "$JOB")
	expect 0 check -dir "$JOB"
	equal "$output" "$fresh"
	has "$stderr" "msprof: warning: " "'$DB'" 99 "the raw data is parsed for this run"
	equal "$(snapshot "$JOB")" "$before"
	printf x >>"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	expect 3 check -dir "$JOB" # as for the data
	discard "$JOB/data" # now there is nothing else
	expect 1 check -dir "$JOB"
	has "$stderr" "msprof: error: " "'$DB'" 99
}

@test "a database that is damaged, empty, cut or none is an error that names it; check does without it" {
	expect 0 check -dir "$JOB"
	fresh=$output
	expect 0 import -dir "$JOB"
	cp "$DB" "$BATS_TEST_TMPDIR/good"
	for harm in 'head -c 50000 /dev/urandom >"$DB"' ': >"$DB"' 'truncate -s 5000 "$DB"' 'truncate -s 100000 "$DB"' \
		'printf "\377" | dd of="$DB" bs=1 seek=19 conv=notrunc status=none' 'echo "this is no database" >"$DB"' \
		'rm "$DB"; sqlite3 "$DB" "CREATE TABLE t(a)"' 'head -c 65536 /dev/zero | dd of="$DB" bs=16384 seek=1 conv=notrunc status=none'; do
		cp "$BATS_TEST_TMPDIR/good" "$DB"
		eval "$harm"
		run --separate-stderr "$MSPROF" show -dir "$JOB"
		[ "$status" -eq 1 ] || fail "status $status after $harm"
		has "$stderr" "msprof: error:" "$DB" "msprof import"
		run --separate-stderr "$MSPROF" export summary -dir "$JOB"
		[ "$status" -eq 1 ] || fail "status $status of an export after $harm"
		run --separate-stderr "$MSPROF" check -dir "$JOB"
		[ "$status" -eq 0 ] || fail "status $status of check after $harm"
		equal "$output" "$fresh"
		has "$stderr" "msprof: warning:" "$DB" "the raw data is parsed for this run"
	done
	expect 0 import -dir "$JOB"
	cmp "$DB" "$BATS_TEST_TMPDIR/good"
}

@test "flipped bytes in a database never end in a signal" {
	expect 0 import -dir "$JOB"
	cp "$DB" "$BATS_TEST_TMPDIR/good"
	size=$(stat -c %s "$DB")
	RANDOM=7
	for _ in $(seq 60); do
		cp "$BATS_TEST_TMPDIR/good" "$DB"
		for _ in 1 2 3 4 5 6 7 8; do
			printf '%b' "\\x$(printf %02x $((RANDOM % 256)))" |
				dd of="$DB" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % size)) conv=notrunc status=none
		done
		run --separate-stderr timeout 600 "$MSPROF" show -dir "$JOB"
		case $status in 0 | 1 | 3) ;; *) fail "status $status" ;; esac
	done
}

@test "another text of a script that makes exports alone is no reason to import anew; one of the import is" {
	local job=$BATS_TEST_TMPDIR/PROF_1 other=$BATS_TEST_TMPDIR/other made
	# other TEXT: a program with this text, whose first letter differs
	other() {
		LC_ALL=C sed "s/$1/x${1#?}/" "$MSPROF" >"$other"
		chmod +x "$other"
		if cmp -s "$MSPROF" "$other"; then skip "the texts of this program are packed"; fi
		"$other" show -q -dir "$job" --table Overview
	}
	"$BUILD/tests/genprof" --out "$job"
	expect 0 import -dir "$job"
	made=$(stat -c %i "$job/sqlite/msprof.db")
	other "What torch_npu adds to the database of a job: its"
	other "What torch_npu's analysis.db has"
	other "The database that tools of this generation read"
	equal "$(stat -c %i "$job/sqlite/msprof.db")" "$made"
	other "Runs once all records of a PROF job are loaded"
	[ "$(stat -c %i "$job/sqlite/msprof.db")" != "$made" ]
}
