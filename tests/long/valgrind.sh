#!/bin/bash
# valgrind.sh: programs of the recorder, and clients as a public one is written, under valgrind's memcheck.
# Usage: valgrind.sh BUILD, where the programs of tests are built. The exit status is 1 if one of them is not clean.
set -u
build=$(realpath "$1") root=$(realpath "$(dirname "$0")/../..")
# shellcheck source=tests/scratch.bash
. "$root/tests/scratch.bash"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed (make deps)"; exit 0; }
scratch_make || exit
trap scratch_remove EXIT
scratch_home "$MSPROF_SCRATCH"
status=0
cd "$MSPROF_SCRATCH" || exit 1
mkdir out
printf '{"profiler": {"switch": "on", "output": "./out"}}' >acl.json

# clean NAME PROGRAM...: no fault, and no memory that nothing points to
clean() {
	local name=$1
	shift
	if valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
		--suppressions="$root/tests/long/valgrind.txt" "$@" >log 2>&1; then
		echo "clean: $name"
	else
		status=1
		echo "not clean: $name"
		grep -e "^==" -e "ERROR\|FAILED" log
	fi
}

compile() {
	cc -g -I"$root/lib/recorder/include" "$@" -L"$build" -Wl,-rpath,"$build" -Wl,-rpath-link,"$build" || status=1
}

for name in names op_pipe recorder; do
	clean "$name" "$build/tests/test_$name"
done
for name in arguments pipe stamps; do # states limits descriptors, which valgrind refuses
	clean "$name" "$build/tests/acl/test_$name"
done
clean 'a JOB' "$build/tests/record" init=acl.json load=1:m threads=8:500 op=a:T:1 range=2:x serial=20:20 mark=z fork=3 finalize
clean 'a PROF directory' "$build/tests/record" ascend=acl.json load=1:m threads=8:500 op=a:T:1 range=2:x mark=z
compile -o train "$root/tests/recorder/clients/train.c" -lmsprof_aclprof
clean 'client train' ./train out
compile -DMSTX_LINKED -o marks "$root/tests/recorder/mstx_app.c" -lms_tools_ext -lpthread
export PROFILER_SAMPLECONFIG='{"output": "'$MSPROF_SCRATCH'/out", "results": "'$MSPROF_SCRATCH'/results", "msproftx": "on"}'
clean 'client mstx' ./marks 300
exit "$status"
