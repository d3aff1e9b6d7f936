#!/usr/bin/env bats
# collect_chips.bats: collections of what boards of three chips write: a program that obeys acl.json as the boards' library does.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local

# board SOC OPTION...: what the board will write, as $JOB
board() {
	JOB=$BATS_TEST_TMPDIR/board_$1
	genjob "$JOB" --soc "$1" --models 2 --pictures 3 --tasks 12 --calls 40 --aicpu "$([ "$1" = ss928 ] && echo 1 || echo 0)" "${@:2}"
}

# The files of a JOB's data, without a board's further files.
names() {
	ls "$1/data"
}

@test "jobs of three chips are fetched whole, parsed and shown: an independent reader finds the same" {
	local soc
	for soc in ss928 dv500 cv610; do
		board "$soc"
		discard "$OUT"
		collect 0 "--job $JOB --name JOB${soc^^} --obey" --all --interval 1
		has "$output" "AA Core Metrics" "Op statistic" "Acl statistic" "svp_acl_mdl_execute"
		diff -r "$(the_job)/data" "$JOB/data"
		cmp "$(the_job)/info.json.0" "$JOB/info.json.0"
		python3 "$ROOT/tests/svp/compare.py" "$MSPROF" "$(the_job)"
		[ -n "$(ls "$(the_job)"/timeline/*.json)" ] && [ -n "$(ls "$(the_job)"/summary/*.csv)" ]
		equal "$(query "SELECT soc FROM device" "$(the_job)/sqlite/msprof.db")" \
			"$(case $soc in ss928) echo SS928 ;; dv500) echo Hi3519DV500 ;; *) echo Hi3516CV610 ;; esac)"
	done
}

@test "what a new acl.json turns on is what the library reads: tasks, AI CPU and calls of the first inference" {
	local soc
	for soc in ss928 dv500; do
		board "$soc"
		discard "$OUT"
		collect 0 "--job $JOB --obey"
		has "$stderr" "interval 0"
		python3 "$ROOT/tests/svp/svp_reader.py" "$(the_job)" >read.json
		equal "$(jq -c '[(.inferences | map(.current_pic)), (.inferences | map(.tasks | length)), (.calls | length > 0), .problems]' read.json)" \
			'[[0,0],[12,12],true,[]]'
		equal "$(jq '.aicpu | length' read.json)" "$([ "$soc" = ss928 ] && echo 2 || echo 0)"
		equal "$(jq -c '.profiler | [.aicpu, .aacpu, .aic_metrics, .aac_metrics, .interval]' "$PLACE/out/seen.json")" \
			'["on","on","ArithmeticUtilization","ArithmeticUtilization","0"]'
	done
}

@test "each kind of data can be left out; nothing at all leaves no JOB" {
	board ss928
	collect 0 "--job $JOB --name JOBA --obey" --aicpu off --acl_api off --interval 1
	equal "$(names "$OUT/JOBA")" "$(names "$JOB" | grep -v '^aicpu\|^acl_api')"
	echo '{"profiler": {"aic_metrics": "off", "acl_api": "on"}}' >"$APP/out/acl.json"
	collect 0 "--job $JOB --name JOBB --obey" --interval 1
	equal "$(names "$OUT/JOBB")" "$(names "$JOB" | grep -v '^aicore')"
	rm "$APP/out/acl.json"
	collect 0 "--job $JOB --name JOBC --obey" --switch off
	has "$stderr" "no JOB appeared: the switch is off"
	[ ! -e "$OUT/JOBC" ]
}

@test "a project's acl.json in the words of the guide records tasks, too" {
	board cv610
	echo '{"profiler": {"switch": "on", "aacpu": "on", "aac_metrics": "ArithmeticUtilization", "acl_api": "on", "interval": "1"}}' >"$APP/out/acl.json"
	collect 0 "--job $JOB --obey"
	diff -r "$(the_job)/data" "$JOB/data"
}

@test "--stream: a file that several inferences share comes whole, whatever was fetched while it grew" {
	local soc
	for soc in ss928 dv500 cv610; do
		board "$soc"
		discard "$OUT"
		begin "--job $JOB --name JOB$soc --halves go --wait stop" --stream --interval 1
		if [ "$soc" = ss928 ]; then # its files have markers of their name
			until_true grep -q 'removed from the board' stderr
		else
			until_true ls "$PLACE/out/profiling/JOB$soc/data"
			sleep 1.2 # a round of streaming
		fi
		touch "$PLACE/out/go" "$PLACE/out/stop"
		ends_with 0
		diff -r "$OUT/JOB$soc/data" "$JOB/data"
		python3 "$ROOT/tests/svp/compare.py" "$MSPROF" "$OUT/JOB$soc"
		rm "$PLACE/out/go" "$PLACE/out/stop"
	done
}
