#!/usr/bin/env bats
# structure.bats: rules for folders: allowed includes, who prints, the length of files.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	cd "$ROOT" || return
	shopt -s globstar nullglob
}

# Lines that match in C sources outside a directory: outside DIRECTORY PATTERN
outside() {
	grep -nE "$2" lib/**/*.[ch] cli/*.[ch] | grep -vE "^$1" || true
}

@test "sqlite3.h is included in one place" {
	equal "$(grep -lE '#include.*sqlite3' lib/**/*.[ch] cli/*.[ch])" lib/row/cell.h
}

@test "folders use each other as docs/ARCHITECTURE.md's table says, and no circle of files is large" {
	command -v nm >/dev/null || skip "no nm"
	equal "$(tests/lint/structure.py "$BUILD" 2>&1)" ""
}

@test "what breaks the table is found: includes, calls, libraries, internal headers, rows, circles of folders and of files" {
	command -v nm >/dev/null || skip "no nm"
	mkdir -p "$BATS_TEST_TMPDIR/tree/docs" && cd "$BATS_TEST_TMPDIR/tree"
	printf '%s\n' '# A' '' '## Folders' '' '| folder | what | may include |' '|---|---|---|' '| `lib/low` | a | the C library |' \
		'| `lib/mid` | b | low |' '| `lib/one`, `two` | c | low, mid, one, two |' '| `cli` | d | all of the above, cJSON |' >docs/ARCHITECTURE.md
	# source FILE LINE...: a source, and its object
	source_of() {
		mkdir -p "${1%/*}" "build/${1%/*}"
		printf '%s\n' "${@:2}" >"$1"
		case $1 in *.c) cc -Ilib -w -c -o "build/${1%c}o" "$1" ;; esac
	}
	source_of lib/low/low_internal.h
	source_of lib/low/low.c 'void low(void) { mid(); }'
	source_of lib/mid/mid.c '#include "low/low_internal.h"' '#include <sqlite3.h>' 'void mid(void) { }'
	source_of lib/one/one.c 'void one(void) { two(); }'
	source_of lib/two/two.c 'void two(void) { one(); }'
	source_of lib/none/none.h
	for i in 1 2 3 4; do source_of "cli/c$i.c" "void c$i(void) { c$((i % 4 + 1))(); }"; done
	run "$ROOT/tests/lint/structure.py" build
	equal "$status" 1
	equal "$output" "4 files call each other: cli/c1.c cli/c2.c cli/c3.c cli/c4.c
folders use each other: lib/low lib/mid
folders use each other: lib/one lib/two
lib/low/low.c calls mid of lib/mid/mid.c: lib/low may not use lib/mid
lib/mid/mid.c includes <sqlite3.h>: lib/mid may not use sqlite
lib/mid/mid.c includes lib/low/low_internal.h, an internal header
lib/none/none.h: docs/ARCHITECTURE.md has no row for its folder"
}

# The way to a database of a job: a descriptor, immutable, its schema compared on that handle.
@test "SQLite gets a file in one place only" {
	equal "$(outside lib/store/db_open.c 'sqlite3_open|sqlite3_deserialize|\bATTACH\b')" ""
	equal "$(grep -niE '\b(ATTACH|DETACH)\b' schema/sql/**/*.sql schema/reports/**/*.sql || true)" ""
	equal "$(grep -cE 'sqlite3_open' lib/store/db_open.c)" 1
	equal "$(outside 'lib/(store|import)/' 'mp_db_connect|mp_db_attach')" ""
}

@test "what others may have written is reached through lib/base/door.h: each other call by name has a reason in tests/lint/door.txt" {
	equal "$(tests/lint/door.py 2>&1)" ""
}

@test "a new call by name is found, and one that is gone, a file that is gone, and a reason that is missing" {
	mkdir -p "$BATS_TEST_TMPDIR/tree/lib" "$BATS_TEST_TMPDIR/tree/cli" "$BATS_TEST_TMPDIR/tree/tests/lint" && cd "$BATS_TEST_TMPDIR/tree"
	printf '%s\n' '/* open(1) */ int a = openat(3); // stat(2)' 'char *t = "fopen(4)";' 'int b = e->open(5) + openat(6) + pread(7);' >lib/new.c
	echo 'int c = 0;' >lib/less.c
	echo 'int d = open(8);' >cli/mute.c
	echo 'int e = stat(9);' >cli/fine.c
	printf '%s\n' '# x' 'lib/less.c | stat:1 | a reason' 'cli/mute.c | open:1 |' 'cli/fine.c | stat:1 | a reason' 'cli/gone.c | open:1 | a reason' >tests/lint/door.txt
	run "$ROOT/tests/lint/door.py"
	equal "$status" 1
	equal "$output" "cli/mute.c: tests/lint/door.txt gives no reason
lib/less.c: none, but tests/lint/door.txt has stat:1: use lib/base/door.h, or say why not
lib/new.c: openat:2, but tests/lint/door.txt has none: use lib/base/door.h, or say why not
cli/gone.c: there is no such file, but tests/lint/door.txt has it"
}

# A child of fork() ends with _exit(): that is not the library ending its caller.
@test "the library neither prints nor exits" {
	words='\b(printf|vprintf|puts|putchar|perror|exit|_Exit|abort|assert)[ ]*\('
	equal "$(grep -nE "$words" lib/**/*.[ch] | grep -vE '^[^:]*:[0-9]+:[ \t]*(/?\*|//)' || true)" ""
	equal "$(sed -s 's|/\*.*||; s|//.*||; /^[ \t]*\*/d' lib/**/*.[ch] | grep -nE '\b(stdout|stderr)\b' || true)" ""
}

@test "the library has no variables that change; the recorder, which is the process's, has its own" {
	command -v objdump >/dev/null || skip "no objdump"
	equal "$(find "$BUILD/lib" -name '*.o' ! -path '*/lib/recorder/*' -exec objdump -t {} + | grep -E '[[:space:]]\.(data|bss|tdata|tbss)[[:space:]].*[^ .]$' |
		grep -E '[[:space:]]O[[:space:]]|[[:space:]]\.t(data|bss)[[:space:]]' | grep -vE '__(asan|ubsan|odr|sanitizer|gcov|llvm|prof)|\.(data\.rel\.ro)' || true)" ""
}

# lib/learn/titles.c has the names of meanings, which are the words of schema/learn/titles.txt.
@test "byte offsets and report columns are in schema/ alone" {
	equal "$(grep -nE '0x5a5a|0x6bd3|mac_ppen|"Total Time\(us\)"' lib/**/*.[ch] cli/*.[ch] |
		grep -vE '^(cli/main|lib/learn/titles)\.c:' | grep -iv 'sort' || true)" ""
}

@test "the shells of boards read the scripts for boards, which fit into a command of dropbear" {
	for script in lib/board/*/*.sh; do
		head -2 "$script" | grep -qF "# ${script##*/}" || fail "$script does not begin with its name and arguments"
		sed -e '/^[[:blank:]]*#/d' -e 's/^[[:blank:]]*//' "$script" >"$BATS_TEST_TMPDIR/script"
		busybox ash -n "$BATS_TEST_TMPDIR/script"
		[ "$(wc -c <"$BATS_TEST_TMPDIR/script")" -lt 4000 ] || fail "$script is too long"
	done
}

@test "no source file has more than 500 lines" {
	long=$(wc -l lib/**/*.[ch] cli/*.[ch] tests/**/*.[ch] tests/**/*.bats tests/**/*.bash tests/**/*.py schema/**/*.* |
		awk '$2 != "total" && $1 > 500')
	equal "$long" ""
}

@test "every .c and .h file says first what it is" {
	equal "$(awk 'FNR == 1 { n = split(FILENAME, path, "/") } FNR <= 3 && index($0, path[n] ":") { named[FILENAME] } FNR == 3 && !(FILENAME in named)' \
		lib/**/*.[ch] cli/*.[ch] tests/**/*.[ch])" ""
}

@test "docs/COMPAT.md names only tests that exist, and every requirement once" {
	[ -f docs/COMPAT.md ] || skip "docs/COMPAT.md is not there"
	count=0
	while IFS='|' read -r _ id _ rest; do
		count=$((count + 1))
		while read -r reference; do
			[ -n "$reference" ] || continue
			file=${reference%%:*}
			[ -f "$file" ] || fail "$id: no file $file"
			name=${reference#*\"}
			name=${name%\"}
			[ "$name" = "$reference" ] || grep -qF "@test \"$name\" {" "$file" || fail "$id: no test \"$name\" in $file"
		done < <(grep -oE 'tests/[a-z0-9_/]+\.(bats|c)(: "[^"]*")?' <<<"$rest")
		id=$(tr -d ' ' <<<"$id")
		equal "$id: $(grep -cE "^\| *$id *\|" docs/COMPAT.md)" "$id: 1"
	done < <(grep -E '^\| *R00[0-9]-[0-9]+ *\|' docs/COMPAT.md)
	[ "$count" -gt 0 ]
}

# A cell is a list of tests, each with its file and its name.
@test "docs/SECURITY.md names only tests that exist, by file and name, and every promise has one" {
	[ -f docs/SECURITY.md ] || skip "docs/SECURITY.md is not there"
	count=0
	while IFS='|' read -r _ promise _ tests _; do
		case $promise in *promise*|*---*) continue ;; esac
		rest=$(sed -E 's#tests/[a-z0-9_/]+\.(bats|c): "[^"]*"##g; s#[, ]##g' <<<"$tests")
		equal "$promise: $rest" "$promise: "
		[[ "$tests" == *tests/* ]] || fail "no test: $promise"
		while IFS='"' read -r file name _; do
			file=${file%: }
			grep -qF -e "@test \"$name\" {" -e "static void $name(" "$file" || fail "$promise: no test \"$name\" in $file"
			count=$((count + 1))
		done < <(grep -oE 'tests/[a-z0-9_/]+\.(bats|c): "[^"]*"' <<<"$tests")
	done < <(sed -n '/^## Promises/,/^## The sandbox/p' docs/SECURITY.md | grep '^|')
	[ "$count" -gt 60 ]
}
