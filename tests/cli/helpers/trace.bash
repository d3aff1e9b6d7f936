# shellcheck shell=bash disable=SC2034
# trace.bash: what tests of merged traces need: protoc, and a python3 with its runtime in $PYTHON.

need_decoder() {
	command -v protoc >/dev/null || skip "protoc is not installed"
	for PYTHON in python3 /usr/bin/python3; do
		! "$PYTHON" -c 'import google.protobuf' 2>/dev/null || return 0
	done
	skip "python3-protobuf is not installed"
}

# merged_prof DIR [OPTION]...: like merged, of a PROF directory; the vendor's form must have the same slices.
merged_prof() {
	local dir=$1 out=$1/mindstudio_profiler_output files
	shift
	discard "$out"
	expect 0 export timeline -dir "$dir" "$@"
	expect 0 export timeline -dir "$dir" "$@" --style guide
	expect 0 export timeline -dir "$dir" "$@" --format perfetto
	files=("$out"/msprof_2*.json)
	merged=$("$PYTHON" "$HELPERS/trace_check.py" "$dir" --dir mindstudio_profiler_output --vendor "${files[0]}")
}
