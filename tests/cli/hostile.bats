#!/usr/bin/env bats
# hostile.bats: jobs that are damaged, not readable, or made to do harm.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/help
load helpers/svp_job

mapfile -t JOB_COMMANDS < <(job_commands)

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

CORE=data/aicore.0.resnet50.16.46.1.1.0
CALLS=data/acl_api.0.resnet50.46

# No output of msprof may control a terminal.
no_controls() {
	local stripped
	stripped=$(tr -d '\001-\010\013-\037\177' <<<"$output${stderr:-}")
	equal "$stripped" "$output${stderr:-}"
}

each_command() {
	local want=$1
	shift
	expect "$want" import -dir "$JOB" "$@"
	expect "$want" export timeline -dir "$JOB" "$@"
	expect "$want" export summary -dir "$JOB" "$@"
	expect "$want" show -dir "$JOB" "$@"
	expect "$want" check -dir "$JOB" "$@"
}

@test "a directory that is missing, empty or a file is an error that names it" {
	mkdir "$BATS_TEST_TMPDIR/empty"
	touch "$BATS_TEST_TMPDIR/file"
	for name in nosuch empty file; do
		JOB=$BATS_TEST_TMPDIR/$name
		for command in "${JOB_COMMANDS[@]}"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 1 $command -dir "$JOB"
			has "$stderr" "msprof: error:" "'$JOB'"
			equal "$output" ""
		done
	done
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/empty")" ]
}

@test "a job with an empty data/ has nothing to report" {
	rm "$JOB"/data/*
	expect 0 import -dir "$JOB"
	has "$stderr" "no inference data"
	expect 0 show -dir "$JOB"
	expect 0 check -dir "$JOB"
}

@test "an info.json.0 of 1 GiB is not read: exit 3" {
	truncate -s 1G "$JOB/info.json.0"
	(
		[ -n "${ASAN_OPTIONS-}${MSPROF_EMULATED-}" ] || ulimit -v 400000
		run --separate-stderr timeout 600 "$MSPROF" import -dir "$JOB"
		equal "$status" 3
		has "$stderr" info.json.0 1073741824
	)
}

@test "files of no bytes are files of no records" {
	for file in "$JOB"/data/*; do : >"$file"; done
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT sum(records), sum(damaged_bytes) FROM source')" "0|0"
	expect 0 export summary -dir "$JOB"
	expect 0 export timeline -dir "$JOB"
}

@test "files of random bytes: every byte is accounted for, and those that no record can have are damage" {
	rm "$JOB"/data/*.done
	for file in "$JOB"/data/*; do head -c 10007 /dev/urandom >"$file"; done
	each_command 3
	equal "$(query "SELECT count(*) FROM source WHERE file LIKE 'data/%' AND record_bytes + blank_bytes + damaged_bytes <> 10007")" 0
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE file = '$CALLS'")" "0|10007"
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE file = '$CORE'")" "39|23" # any 256 bytes may be a record
}

@test "random bytes between good records cost no good record" {
	{
		head -c 320 "$JOB/$CALLS"
		head -c 999 /dev/urandom
		tail -c +321 "$JOB/$CALLS"
	} >"$BATS_TEST_TMPDIR/mixed"
	cp "$BATS_TEST_TMPDIR/mixed" "$JOB/$CALLS"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT sum(records), sum(damaged_bytes) FROM source WHERE file = '$CALLS'")" "60|999"
	equal "$(query "SELECT offset, bytes FROM damage")" "320|999"
}

@test "a directory, a FIFO, a link, a device in place of a file is named, never opened" {
	records=$(records_of "$JOB")
	mkdir "$JOB/data/acl_api.0.dir.1"
	mkfifo "$JOB/data/aicore.0.fifo.16.1.1.1.0"
	echo secret >"$BATS_TEST_TMPDIR/secret"
	ln -s "$BATS_TEST_TMPDIR/secret" "$JOB/data/link.1.layer.info"
	ln -s nowhere "$JOB/data/aicpu.0.dangling.16.1.1.1.0"
	mkfifo "$JOB/data/aicore.0.fifo.16.1.1.1.0.done"
	run --separate-stderr timeout 600 "$MSPROF" import -dir "$JOB"
	equal "$status" 3
	has "$stderr" acl_api.0.dir.1 aicore.0.fifo.16.1.1.1.0 link.1.layer.info aicpu.0.dangling.16.1.1.1.0 "4 missing or unreadable files"
	run grep -c secret "$DB"
	equal "$output" 0
	equal "$(query "SELECT sum(records) FROM source WHERE state = 'raw'")" "$records"
}

@test "info.json.0 as a directory, FIFO or link is damage: exit 3" {
	for kind in "mkdir" "mkfifo" "ln -s /etc/hostname"; do
		discard "$JOB/info.json.0" "$JOB/sqlite"
		$kind "$JOB/info.json.0"
		run --separate-stderr timeout 600 "$MSPROF" import -dir "$JOB"
		equal "$status" 3
		has "$stderr" info.json.0
	done
}

@test "data/ as a link is refused" {
	mv "$JOB/data" "$BATS_TEST_TMPDIR/data"
	ln -s "$BATS_TEST_TMPDIR/data" "$JOB/data"
	expect 1 import -dir "$JOB"
	has "$stderr" "'$JOB/data' is a link: it is not followed"
	[ ! -e "$JOB/sqlite" ]
}

@test "a job below a link is a job like others" {
	mkdir "$BATS_TEST_TMPDIR/real"
	mv "$JOB" "$BATS_TEST_TMPDIR/real/"
	ln -s real "$BATS_TEST_TMPDIR/way"
	for path in "$BATS_TEST_TMPDIR/way/${JOB##*/}" "$BATS_TEST_TMPDIR/way"; do
		expect 0 import -dir "$path"
		expect 0 show -dir "$path"
	done
	ln -s "real/${JOB##*/}" "$BATS_TEST_TMPDIR/JOBLINK"
	expect 0 show -dir "$BATS_TEST_TMPDIR/JOBLINK"
}

@test "sqlite, timeline and summary as links are refused; nothing is written behind them" {
	mkdir "$BATS_TEST_TMPDIR/outside"
	for name in sqlite timeline summary; do
		ln -s "$BATS_TEST_TMPDIR/outside" "$JOB/$name"
	done
	expect 1 import -dir "$JOB"
	has "$stderr" "'$JOB/sqlite'"
	rm "$JOB/sqlite"
	for name in timeline summary; do
		expect 1 export $name -dir "$JOB"
		has "$stderr" "'$JOB/$name'"
	done
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/outside")" ]
}

@test "links in place of outputs are replaced, not followed" {
	expect 0 export summary -dir "$JOB"
	expect 0 import -dir "$JOB"
	echo precious >"$BATS_TEST_TMPDIR/precious"
	out=$(echo "$JOB"/summary/acl_statistic*)
	ln -sf "$BATS_TEST_TMPDIR/precious" "$out"
	ln -sf "$BATS_TEST_TMPDIR/precious" "$JOB/summary/.msprof.part"
	ln -sf "$BATS_TEST_TMPDIR/precious" "$JOB/log/collection.log"
	expect 0 export summary -dir "$JOB"
	[ ! -L "$out" ] && [ -s "$out" ]
	equal "$(cat "$BATS_TEST_TMPDIR/precious")" precious
	ln -sf "$BATS_TEST_TMPDIR/precious" "$JOB/sqlite/.msprof.db.part"
	expect 0 import -dir "$JOB"
	[ ! -L "$DB" ]
	equal "$(query 'PRAGMA integrity_check')" ok
	equal "$(cat "$BATS_TEST_TMPDIR/precious")" precious
	no_part_files "$JOB"
}

@test "a part file that is a second name of another file does not harm that file" {
	mkdir -m 750 "$JOB/sqlite"
	echo precious >"$BATS_TEST_TMPDIR/precious"
	ln "$BATS_TEST_TMPDIR/precious" "$JOB/sqlite/.msprof.db.part"
	expect 0 import -dir "$JOB"
	mkdir -m 750 "$JOB/timeline"
	ln "$BATS_TEST_TMPDIR/precious" "$JOB/timeline/.msprof.part"
	expect 0 export timeline -dir "$JOB"
	echo precious | cmp - "$BATS_TEST_TMPDIR/precious"
	no_part_files "$JOB"
}

@test "a database that is a link is not opened" {
	expect 0 import -dir "$JOB"
	mv "$DB" "$BATS_TEST_TMPDIR/elsewhere.db"
	ln -s "$BATS_TEST_TMPDIR/elsewhere.db" "$DB"
	expect 1 show -dir "$JOB"
	has "$stderr" "$DB"
	expect 0 import -dir "$JOB"
	[ ! -L "$DB" ]
}

@test "control characters in file names are never raw in any output" {
	cp "$JOB/$CORE" "$JOB/data/"$'aicore.0.\e[31mred\a\r\n.16.9.1.1.0'
	cp "$JOB/$CORE" "$JOB/data/"$'aicore.0.\xc2\x9b31m\xe2\x80\xaegnp.16.9.1.1.0'
	printf x >"$JOB/data/"$'unknown\e]0;title\a'
	for command in "${JOB_COMMANDS[@]}" "check --format csv --table files" "check --format json"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr "$MSPROF" $command -dir "$JOB"
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
		no_controls
		lacks "$output$stderr" $'\xc2\x9b' $'\xe2\x80\xae'
	done
	[ -z "$(find "$JOB/summary" "$JOB/timeline" -name '*[[:cntrl:]]*')" ]
}

@test "control characters in names of layers and calls are never raw in any output" {
	raw layer task=0 id=0 name=$'\e[31mred\a' type=$'\xc2\x9bT' ori=$'\xe2\x80\xaeo' >"$JOB/data/resnet50.46.layer.info"
	raw host begin=1 end=2 name=$'\e[2Jwipe' >"$JOB/data/msprof_api.0.resnet50.46"
	rm "$JOB"/data/*.done
	for command in "red:show --format csv --table aa_core_metrics" "wipe:show --format csv --table acl_statistic" "red:show --each --top 0" "wipe:show --top 0" \
		"red:show --format json" "wipe:show --format json"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 3 ${command#*:} -dir "$JOB" # layers that net.info does not tell
		no_controls
		lacks "$output" $'\xc2\x9b' $'\xe2\x80\xae'
		has "$output" "${command%%:*}"
	done
	expect 3 export summary -dir "$JOB"
	run grep -rlP '[\x00-\x08\x0b\x0c\x0e-\x1f]|\xc2\x9b' "$JOB/summary"
	equal "$output" ""
}

@test "SQL in names is text" {
	evil="x'); DROP TABLE source;--"
	cp "$JOB/$CORE" "$JOB/data/aicore.0.$evil.16.9.1.1.0"
	expect 0 export summary -dir "$JOB"
	equal "$(query 'SELECT count(DISTINCT model) FROM source WHERE model IS NOT NULL')" 2
	[ -e "$JOB/summary/op_statistic_0_9_0_1.csv" ]
}

@test "a file that no layout covers is said to be so, and is no failure by itself" {
	head -c 100 /dev/urandom >"$JOB/data/nothing.known"
	expect 0 import -dir "$JOB"
	has "$stderr" "files that are not understood: 1, with 100 bytes"
	expect 0 check -dir "$JOB"
	has "$output" "data/nothing.known" "not understood"
}

@test "a sparse file of 1 GiB full of zeros is damage, in bounded time" {
	rm "$JOB/$CALLS.done"
	truncate -s 1G "$JOB/$CALLS"
	start=$(date +%s)
	run --separate-stderr timeout 600 "$MSPROF" import -q -dir "$JOB"
	equal "$status" 3
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE file = '$CALLS'")" "60|$(((1 << 30) - 1920))"
	equal "$(query "SELECT count(*) FROM damage")" 1
	echo "# 1 GiB of zeros took $(($(date +%s) - start)) s" >&3
}

@test "what another user put beside a JOB is not a part of it, nor its events" {
	[ "$(id -u)" = 0 ] || skip "it needs root"
	local beside=${JOB%/*}/msprof.${JOB##*/} owner
	mkdir -p "$beside/data"
	printf '{"collector": "host"}' >"$beside/data/recorder.json.0"
	: >"$beside/.msprof.events"
	for owner in 0 4242; do
		discard "$JOB/sqlite"
		chown "$owner" "$beside"
		expect 0 import -dir "$JOB"
		equal "$owner $(grep -c 'host-only job\|the last events' <<<"$stderr")" "$owner $((owner ? 0 : 2))"
	done
	chown -R 4242 "$JOB" # whoever reads it
	discard "$JOB/sqlite"
	expect 0 import -dir "$JOB"
	has "$stderr" "host-only job" "the last events"
}

@test "more than 64 devices are an error, not an overflow" {
	for device in $(seq 0 64); do
		info_json '{"aic_frequency": "700"}' >"$JOB/info.json.$device"
	done
	expect 1 import -dir "$JOB"
	has "$stderr" "64 devices"
}

@test "numbers in names that fit no integer make the file unknown, not wrong" {
	cp "$JOB/$CORE" "$JOB/data/aicore.0.m.16.99999999999999999999.1.1.0"
	cp "$JOB/$CORE" "$JOB/data/aicore.99999999999.m.16.1.1.1.0"
	run --separate-stderr "$MSPROF" import -dir "$JOB"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	equal "$(query "SELECT count(*) FROM source WHERE state = 'unknown'")" 2
}

@test "a very long model name is either exported or refused by name" {
	long=$(printf 'm%.0s' $(seq 200))
	generate --model "${long:0:180}"
	run --separate-stderr "$MSPROF" export summary -dir "$JOB"
	[ "$status" -eq 0 ] || has "$stderr" "too long"
	no_part_files "$JOB"
}
