# shellcheck shell=bash
# shellcheck disable=SC2034 # query reads $DB
# svp_job.bash: jobs of boards, made by hand.

# raw KIND KEY=VALUE...: a record, an item or a marker on standard output
raw() {
	python3 "$HELPERS/raw.py" "$@"
}

# info_json [OBJECT]...: as the library writes it, without an end of line
info_json() {
	local IFS=,
	printf '{"DeviceInfo": [%s]}' "$*"
}

# bare_job [SOC]: a job in $JOB without data
bare_job() {
	JOB=$BATS_TEST_TMPDIR/JOBMADE
	DB=$JOB/sqlite/msprof.db
	discard "$JOB"
	mkdir -p "$JOB/data"
	case ${1:-ss928} in
	ss928) info_json '{"aic_frequency": "700"}' ;;
	dv500) info_json '{"aic_frequency": "700"}' '{"magic_num": "6A6A"}' ;;
	cv610) info_json '{"aic_frequency": "700"}' '{"soc_version": "V200"}' '{"aicore_type": "0"}' ;;
	esac >"$JOB/info.json.0"
}

# size SOC: bytes of a record of the AI Core
size() {
	if [ "$1" = cv610 ]; then echo 128; else echo 256; fi
}

# put KIND NAME [KEY=VALUE...]: a file of data/ with one record; of the AI Core one of 7 ticks, which are 1 us
put() {
	local kind=$1 name=$2 values=()
	shift 2
	[ "$kind" != core ] || values=(ticks=7)
	[ "$kind" != cpu ] || values=(start=1000 end=1002)
	[ "$kind" != call ] || values=(begin=900 end=1003 pid=1 tid=1)
	raw "$kind" "${values[@]}" "$@" >"$JOB/data/$name"
}

# mark NAME KEY=VALUE...: the marker of a file of data/
mark() {
	local name=$1
	shift
	raw marker "$@" >"$JOB/data/$name.done"
}

# records_of JOB: how many records an independent reader finds
records_of() {
	python3 "$ROOT/tests/svp/svp_reader.py" "$1" |
		jq '[.inferences[].tasks, .aicpu, .calls, (.layers, .nets | .[] | .layers // .nets) | length] | add'
}

# small_job SOC [OPTION...]: a generated job of a few records with files of all kinds
small_job() {
	local soc=$1 cpu=0
	shift
	[ "$soc" != ss928 ] || cpu=1 # what is known of the AI CPU is of this chip
	generate --soc "$soc" --tasks 2 --calls 4 --aicpu $cpu "$@"
	printf '\1\0\1' >"$JOB/data/cont.0.data.46.1.3.0"
}
