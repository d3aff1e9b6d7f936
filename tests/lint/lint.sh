#!/bin/bash
# lint.sh: warnings of two compilers, static analysers, shell scripts, and the project's own limits.
set -u
cd "$(dirname "$0")/../.." || exit
status=0
build=${BUILD:-build}/lint
mkdir -p "$build"
fail() {
	printf 'lint: %s\n' "$*" >&2
	status=1
}
mapfile -t sources < <(git ls-files 'cli/*.c' 'lib/*.c' 'tests/*.c')
mapfile -t product < <(git ls-files 'cli/*.c' 'lib/*.c')
mapfile -t code < <(git ls-files '*.c' '*.h')
flags=(-std=c11 -Ilib -Icli -Ilib/recorder/include -Itests/gen -Itests/unit -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE '-DMSPROF_VERSION="lint"' '-DFUZZ_SEEDS="lint"')
# larger frames than these would make a stack of 64 KiB too small: buffers of paths are in, larger ones come from the heap
frames=(-Wframe-larger-than=17408)
warnings=(-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror)

# each COMMAND...: it for each file of standard input, which is {} in it, on all processors.
each() {
	xargs -0 -P "$(nproc)" -I '{}' "$@"
}

# shellcheck disable=SC2016 # for the inner shell
compile='out=$1/$$.o; shift; "$@" -c -o "$out"; status=$?; rm -f "$out"; exit $status'
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || { fail "$compiler is not installed: make deps"; continue; }
	printf '%s\0' "${sources[@]}" | each sh -c "$compile" sh "$build" "$compiler" "${flags[@]}" "${warnings[@]}" -O2 '{}' || fail "$compiler"
done
printf '%s\0' "${product[@]}" | each sh -c "$compile" sh "$build" gcc "${flags[@]}" "${frames[@]}" -Werror -O2 '{}' || fail 'large frames'
# its leak check does not follow memory into grown arrays; the sanitizer run watches leaks instead
printf '%s\0' "${product[@]}" | each sh -c "$compile" sh "$build" gcc "${flags[@]}" -fanalyzer -Wno-analyzer-malloc-leak -Werror -O1 '{}' || fail -fanalyzer
if command -v cppcheck >/dev/null; then
	cppcheck -j "$(nproc)" --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=ctuuninitvar -Ilib -Icli "${product[@]}" || fail cppcheck
else
	fail 'cppcheck is not installed: make deps'
fi
if command -v clang-tidy >/dev/null; then
	printf '%s\0' "${product[@]}" | each clang-tidy --quiet '{}' -- "${flags[@]}" 2>/dev/null || fail clang-tidy
else
	fail 'clang-tidy is not installed: make deps'
fi
mapfile -t scripts < <(git ls-files '*.sh' '*.bash' '*.bats' .ci/run)
if command -v shellcheck >/dev/null; then
	shellcheck -x "${scripts[@]}" || fail shellcheck
else
	fail 'shellcheck is not installed: make deps'
fi
# Trees are removed by tests/scratch.bash alone, which refuses what is not its own.
mapfile -t shells < <(git ls-files '*.sh' '*.bash' '*.bats' '*.py' '*.mk' Makefile .ci/run | grep -vx tests/scratch.bash)
! grep -nE '\brm +(-[a-zA-Z-]+ +)*(-[a-zA-Z]*[rR]|--recursive)|rmtree|removedirs|find .*-delete|rsync .*--delete' "${shells[@]}" |
	grep -v '^tests/lint/lint.sh:' ||
	fail 'trees are removed with discard of tests/scratch.bash'
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning msprof.1 || fail 'msprof.1'
fi

# SQLite's sum() fails where foreign numbers overflow; total_int(), total() and count() do not.
if git grep -nP '\bsum\((?!\))' -- schema lib cli; then
	fail 'sum( in SQL: take total_int(, for doubles and in views total('
fi

# A file over 500 lines has two reasons to change; a function over 80 does two things.
for f in "${code[@]}"; do
	lines=$(wc -l <"$f")
	[ "$lines" -le 500 ] || fail "$f has $lines lines"
done
awk 'FNR==1 {start=0} /^\{/ {start=FNR} /^\}/ && start {if (FNR-start > 80) {print FILENAME ":" start ": function of " FNR-start " lines"; bad=1} start=0} END {exit bad}' "${code[@]}" ||
	fail 'functions over 80 lines'
exit $status
