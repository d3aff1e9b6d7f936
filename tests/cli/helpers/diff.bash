# shellcheck shell=bash
# diff.bash: jobs to compare. Each test begins in a directory of its own.

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

# job DIR NETWORK NOISE [CHANGE]...
job() {
	mkdir -p "$(dirname "$1")"
	python3 "$HELPERS/diff_job.py" "$@"
}

# runs DIR N NETWORK NOISE [CHANGE]...: N jobs of different noise
runs() {
	local i
	for ((i = 1; i <= $2; i++)); do job "$1/JOB$i" "$3" "$4$i" "${@:5}"; done
}
