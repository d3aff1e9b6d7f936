#!/bin/bash
# lint.sh: warnings of two compilers, static analysers, shell scripts, and the project's own limits and form.
# Usage: lint.sh [--deep | --built]. With --deep, the analysers of gcc and clang alone, clang's to its own full depth. With --built, gcc
# parses only what has no object in the build, which was made with -Werror.
set -u
cd "$(dirname "$0")/../.." || exit
status=0
build=${BUILD:-build}/lint
mkdir -p "$build"
fail() {
	printf 'lint: %s\n' "$*" >&2
	status=1
}
mapfile -t others < <(git ls-files 'tests/*.c')
mapfile -t product < <(git ls-files 'cli/*.c' 'lib/*.c')
mapfile -t code < <(git ls-files '*.c' '*.h')
flags=(-std=c11 -Ilib -Icli -Ilib/recorder/include -Itests/gen -Itests/unit -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE
	'-DMSPROF_VERSION="lint"' '-DFUZZ_SEEDS="lint"')
# msprof-publish where its libraries are
if fleet=$(pkg-config --cflags libpq libcurl 2>/dev/null); then
	read -ra fleet <<<"$fleet"
	flags+=("${fleet[@]}")
else
	mapfile -t product < <(printf '%s\n' "${product[@]}" | grep -v '^lib/fleet/engine/')
fi
warnings=(-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2)

# A function's analysis ends after so many states. clang's own limit is 225,000, and takes seven times as long.
depth=(-Xclang -analyzer-config -Xclang max-nodes=25000)
[ "${1:-}" != --deep ] || depth=()

# parse COMPILER FILE...: for the warnings of its front end. What gcc sees with -O2 alone is seen by the build, which .ci/run does
# with -Werror.
parse() {
	local compiler=$1
	shift
	command -v "$compiler" >/dev/null || { fail "$compiler is not installed: make deps"; return; }
	printf '%s\0' "$@" | xargs -0 -n 12 -P "$(nproc)" "$compiler" "${flags[@]}" "${warnings[@]}" -Werror -fsyntax-only ||
		fail "$compiler -fsyntax-only"
}

# analyse: the product, by gcc's analyser. Its leak check does not follow memory into grown arrays; the sanitizer run watches leaks
# instead. With less than -O2 gcc is wrong about truncated texts.
analyse() {
	command -v gcc >/dev/null || { fail 'gcc is not installed: make deps'; return; }
	# shellcheck disable=SC2016 # for the inner shell
	printf '%s\0' "${product[@]}" | xargs -0 -P "$(nproc)" -I '{}' \
		sh -c 'out=$0/$$.o; "$@" -o "$out"; status=$?; rm -f "$out"; exit $status' "$build" \
		gcc "${flags[@]}" "${warnings[@]}" -Werror -fanalyzer -Wno-analyzer-malloc-leak -Wno-format-truncation \
		-O1 -c '{}' || fail 'gcc -fanalyzer'
}

# tidy [CHECKS]: clang's warnings come with it. A start takes as long as a small file: it reads a dozen.
tidy() {
	command -v clang-tidy >/dev/null || { fail 'clang-tidy is not installed: make deps'; return; }
	# shellcheck disable=SC2016 # for the inner shell
	printf '%s\0' "${product[@]}" | options="${flags[*]} ${warnings[*]} ${depth[*]}" xargs -0 -n 12 -P "$(nproc)" \
		sh -c 'checks=$1 && shift && exec clang-tidy --quiet ${checks:+"$checks"} "$@" -- $options' sh "${1:-}" 2>/dev/null ||
		fail "clang-tidy $*"
}

if [ "${1:-}" = --deep ]; then
	analyse
	tidy --checks='-*,clang-analyzer-*'
	exit $status
fi
unseen=()
for f in "${product[@]}" "${others[@]}"; do
	[ "${1:-}" = --built ] && [ -e "${BUILD:-build}/${f%.c}.o" ] || unseen+=("$f")
done
parse gcc "${unseen[@]}"
parse clang "${others[@]}"
tidy
if command -v cppcheck >/dev/null; then
	cppcheck -j "$(nproc)" --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		--suppress=missingIncludeSystem --suppress=ctuuninitvar -Ilib -Icli "${product[@]}" || fail cppcheck
else
	fail 'cppcheck is not installed: make deps'
fi
if command -v clang-format >/dev/null; then
	printf '%s\0' "${code[@]}" | xargs -0 -n 20 -P "$(nproc)" clang-format --dry-run -Werror || fail 'clang-format -i'
else
	fail 'clang-format is not installed: make deps'
fi
mapfile -t scripts < <(git ls-files '*.sh' '*.bash' '*.bats' .ci/run)
if command -v shellcheck >/dev/null; then
	printf '%s\0' "${scripts[@]}" | xargs -0 -n 4 -P "$(nproc)" shellcheck -x || fail shellcheck
else
	fail 'shellcheck is not installed: make deps'
fi
# Trees are removed by tests/scratch.bash alone, which refuses what is not its own.
mapfile -t shells < <(git ls-files '*.sh' '*.bash' '*.bats' '*.py' '*.mk' Makefile .ci/run | grep -vx tests/scratch.bash)
! grep -nE '\brm +(-[a-zA-Z-]+ +)*(-[a-zA-Z]*[rR]|--recursive)|rmtree|removedirs|find .*-delete|rsync .*--delete' "${shells[@]}" |
	grep -v '^tests/lint/lint.sh:' ||
	fail 'trees are removed with discard of tests/scratch.bash'
# bats before 1.9 takes a skip in setup_file for a failure.
mapfile -t bats < <(git ls-files '*.bats')
! awk 'FNR == 1 {in_file = 0} /^setup_file\(\)/ {in_file = 1} /^}/ {in_file = 0} in_file && /[^a-z_]skip / {print FILENAME ": " $0}' \
	"${bats[@]}" | grep . || fail 'setup_file cannot skip: return, and let setup skip'
# The page of a report. node is in no list of packages: where there is none, the tests in a browser parse the same.
mapfile -t pages < <(git ls-files 'schema/page/*.js' 'schema/page/*.css' 'schema/page/*.html')
if node=$(type -P node); then
	for f in "${pages[@]}"; do
		[[ $f != *.js ]] || "$node" --check "$f" || fail "node --check $f"
	done
fi
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning msprof.1 || fail 'msprof.1'
fi

# SQLite's sum() fails where foreign numbers overflow; total_int(), total() and count() do not. Other engines have no other.
if git grep -nP '\bsum\((?!\))' -- schema lib cli ':!schema/fleet/'{ask,clickhouse,grafana,postgresql} ':!lib/fleet/engine'; then
	fail 'sum( in SQL: take total_int(, for doubles and in views total('
fi

# SQL says what is, not in which order it happens: no functions with effects, no fences, no guards that are tables.
dialect='\bLIMIT +-1\b(?! OFFSET)|\b(put|take|pair|paired|span|within|before|running|first|drop_map) *\(|\(SELECT 1 WHERE\b|json_each\(.\[0,'
if git grep -nP "$dialect" -- 'schema/*.sql'; then
	fail 'SQL with effects or fences: take a section (-- @when), a window, or a table (intervals, firsts, numbers, rules of lib/join)'
fi

if git grep -nE '<< *(5|10)\b|:_off >>' -- schema/reports; then
	fail 'bits of a trace in a report: take trace_pid(), has_bit() or a column of part/prof_stamp.sql'
fi

# An error has a kind (base/error.h); its text is for people, and may have the names of users in it.
if git grep -nE 'str(str|cmp|ncmp|casecmp)\((err|why|inner|reason|last|error)(\.|->)text' -- lib cli ||
	git grep -nE 'str(str|cmp).*"(out of memory|disk I/O|cannot allocate)' -- lib cli ':!lib/fleet/engine'; then
	fail "the text of an error is searched: set and ask the error's kind"
fi

# A name means one thing: a struct or an enum of the library is defined once.
twice=$(git grep -oE '^(struct|enum|union) mp_[a-z_0-9]+ \{' -- 'lib/*.[ch]' | sort -u | awk '{ print $2 }' | sort | uniq -d)
[ -z "$twice" ] || fail "names with two meanings, prefix them by folder: $twice"

# What lies at the top is decided once; an output that a command wrote there is not meant to be committed.
dots='.ci .clang-format .clang-tidy .gitignore .packaging .shellcheckrc'
known="$dots LICENSE Makefile README.md cli compile_flags.txt docs lib msprof.1 schema tests"
found=$(git ls-files | cut -d/ -f1 | LC_ALL=C sort -u | paste -sd' ')
[ "$found" = "$known" ] || fail "the top level is '$found', not '$known'"

# A file over 500 lines has two reasons to change; a function over 80 does two things.
for f in "${code[@]}" "${pages[@]}"; do
	lines=$(wc -l <"$f")
	[ "$lines" -le 500 ] || fail "$f has $lines lines"
done
awk 'FNR == 1 { start = 0 } /^\{/ { start = FNR }
	/^\}/ && start { if (FNR - start > 80) { print FILENAME ":" start ": function of " FNR - start " lines"; bad = 1 } start = 0 }
	END { exit bad }' "${code[@]}" || fail 'functions over 80 lines'
mapfile -t -d '' all < <(git ls-files -z)
tests/lint/lines.py "${all[@]}" || fail 'long lines'
tests/lint/subjects.sh || fail 'subjects of commits'
exit $status
