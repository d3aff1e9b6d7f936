#!/usr/bin/env bats
# structure.bats: what the folders promise: who may include what, who prints, how long a file is.
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

@test "sqlite3.h is included below lib/store only" {
	equal "$(outside lib/store/ '#include.*sqlite3')" ""
	grep -q '#include <sqlite3.h>' lib/store/*
}

# The way to a database of a job: a descriptor, immutable, its schema compared on that handle.
@test "SQLite gets a file in one place only" {
	equal "$(outside lib/store/db_open.c 'sqlite3_open|sqlite3_deserialize|\bATTACH\b')" ""
	equal "$(grep -niE '\b(ATTACH|DETACH)\b' schema/sql/**/*.sql schema/reports/**/*.sql || true)" ""
	equal "$(grep -cE 'sqlite3_open' lib/store/db_open.c)" 1
	equal "$(outside lib/store/ 'mp_db_connect|mp_db_attach')" ""
}

@test "cJSON is included below lib/raw and lib/config only, and where the recorder is told its settings" {
	equal "$(outside 'lib/(raw/|config/|recorder/environment.c)' '#include.*cJSON')" ""
	grep -q '#include <cjson/cJSON.h>' lib/raw/*
}

@test "libssh is included below lib/board only" {
	equal "$(outside lib/board/ '#include.*libssh')" ""
}

@test "layers include what is below them only: base, raw, store, report, cli" {
	layers=(base raw store report)
	for i in "${!layers[@]}"; do
		while read -r include; do
			case " ${layers[*]:0:i+1} " in
			*" ${include%%/*} "*) ;;
			*) fail "lib/${layers[i]} includes \"$include\"" ;;
			esac
		done < <(sed -n 's/^#include "\(.*\)"/\1/p' lib/"${layers[i]}"/*.[ch])
	done
}

@test "lib/config includes base only, and only board and recorder include it" {
	equal "$(sed -n 's/^#include "\(.*\)"/\1/p' lib/config/*.[ch] | grep -vE '^(base|config)/' || true)" ""
	equal "$(grep -lE '#include "config/' lib/**/*.[ch] | grep -vE '^lib/(config|board|recorder)/' || true)" ""
}

@test "lib/recorder includes base, config and raw only: it runs on boards" {
	equal "$(sed -n 's/^#include "\(.*\)"/\1/p' lib/recorder/*.[ch] lib/recorder/wrap/*.[ch] | grep -vE '^(base|config|raw|recorder)/' || true)" ""
}

@test "lib/ knows nothing of cli/" {
	for header in cli/*.h; do
		equal "$(grep -lE "#include \"(cli/)?${header##*/}\"" lib/**/*.[ch] | grep -v "lib/.*/${header##*/}" || true)" ""
	done
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
		grep -E '[[:space:]]O[[:space:]]' | grep -vE '__(asan|ubsan|odr|sanitizer|gcov|llvm|prof)|\.(data\.rel\.ro)' || true)" ""
}

@test "byte offsets and report columns are in schema/ alone" {
	equal "$(grep -nE '0x5a5a|0x6bd3|mac_ppen|"Total Time\(us\)"' lib/**/*.[ch] cli/*.[ch] |
		grep -v 'cli/main.c' | grep -iv 'sort' || true)" ""
}

@test "no source file has more than 500 lines" {
	long=$(wc -l lib/**/*.[ch] cli/*.[ch] tests/**/*.[ch] tests/**/*.bats tests/**/*.bash tests/**/*.py schema/**/*.* |
		awk '$2 != "total" && $1 > 500')
	equal "$long" ""
}

@test "every .c and .h file says first what it is" {
	for file in lib/**/*.[ch] cli/*.[ch] tests/**/*.[ch]; do
		head -3 "$file" | grep -qF "${file##*/}:" || fail "$file does not begin with its name and role"
	done
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

@test "docs/SECURITY.md names only tests that exist, and every promise has one" {
	[ -f docs/SECURITY.md ] || skip "docs/SECURITY.md is not there"
	count=0
	while IFS='|' read -r _ promise _ tests _; do
		case $promise in *promise*|*---*) continue ;; esac
		[[ "$tests" == *tests/* || "$tests" == " open " ]] || fail "no test: $promise"
		while IFS='"' read -r file name _; do
			file=${file%: }
			grep -qF -e "@test \"$name\" {" -e "static void $name(" "$file" || fail "$promise: no test \"$name\" in $file"
			count=$((count + 1))
		done < <(grep -oE 'tests/[a-z0-9_/]+\.(bats|c): "[^"]*"' <<<"$tests")
	done < <(sed -n '/^## Promises/,/^## The sandbox/p' docs/SECURITY.md | grep '^|')
	[ "$count" -gt 20 ]
}
