#!/usr/bin/env bats
# docs.bats: the documents are linked with each other, and list what there is.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "every link between documents leads to a file and a heading, and every document is linked" {
	equal "$(python3 "$HELPERS/links.py" "$ROOT")" ''
}

@test "documents that the manual pages name exist" {
	named=$(grep -ohE '(docs|schema)/[A-Za-z]+\.md' "$ROOT/msprof.1" "$BUILD"/man1/*.1 | sort -u)
	[ -n "$named" ]
	for document in $named; do
		[ -f "$ROOT/$document" ] || fail "the manual names $document"
	done
}

@test "the manual pages have the names of tables in full: after a macro, Op is a macro, too" {
	equal "$(grep -hE '^\.[A-Z][a-z] (.* )?Op (summary|statistic)' "$ROOT/msprof.1" "$ROOT"/docs/man/*.mdoc)" ''
	has "$(mandoc -T ascii "$BUILD/man1/msprof-show.1" | sed 's/.\x08//g')" 'Op statistic'
}

# names_files FAMILY FOLDER...: the manual has the names of all files that reports of the folders write, below "Output of FAMILY"
names_files() {
	local name manual
	manual=$(sed -n "/^Output of $1/,/^\.Pp\$/p" "$ROOT/msprof.1" | tr '\n' ' ')
	shift
	for name in $(cd "$ROOT/schema/reports" && grep -rh '^-- @file' "$@" | sed -n 's/.* \([a-z0-9_]*\)_{.*/\1/p' && grep -rL '^-- @file' "$@" | sed 's,.*/\(.*\)\.sql,\1,'); do
		has "$manual" " $name "
	done
}

@test "the manual names each kind of file that an export of a card writes, and each layer of --reports" {
	names_files 'current PROF directories' summary/prof timeline/prof
	names_files 'the Ascend generation of 2022' summary/ascend2022 timeline/ascend2022
	names_files 'the Ascend 910 generation' summary/ascend910 timeline/ascend910
	layers=$(sed -n "/VALUES ('msproftx/,/AS _off/p" "$ROOT/schema/reports/part/prof_stamp.sql" | grep -oE "\('[a-z_]+'" | tr -d "('")
	[ "$(wc -l <<<"$layers")" -gt 20 ]
	manual=$(sed -n '/^--reports/,/^--save/p' "$ROOT/docs/man/details.mdoc" | tr '\n' ' ')
	for layer in $layers; do
		has "$manual" " $layer "
	done
}

@test "the Makefile, the manual and the changelog have the same version" {
	version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
	equal "$(sed -n 's/^\.Os msprof //p' "$ROOT/msprof.1")" "$version"
	equal "$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' "$ROOT/docs/CHANGELOG.md" | head -1)" "$version"
	# what went before the first release is no version that somebody has
	equal "$(cd "$ROOT" && grep -rnE "(by|of|that|knew) msprof 0\.9|by 0\.9" docs lib schema cli)" ""
}

@test "links that lead nowhere are found" {
	mkdir docs
	# shellcheck disable=SC2016 # text
	printf '# Title\n\n[a](docs/A.md#part-1) [b](docs/NOSUCH.md) [c](#titel) `[d](code.md)`\n' >README.md
	printf '# A\n\n## Part 1!\n\n[up](../README.md#title) [web](https://example.org)\n' >docs/A.md
	echo alone >docs/ALONE.md
	equal "$(python3 "$HELPERS/links.py" "$PWD")" "README.md: no file docs/NOSUCH.md
README.md: no heading #titel
docs/ALONE.md: no link leads to it"
}

@test "docs/COLUMNS.md is what make bless-schema makes of the comments in schema/sql" {
	diff "$ROOT/docs/COLUMNS.md" <(python3 "$HELPERS/schema_columns.py")
}

@test "every table and view has a sentence, and every column a meaning" {
	equal "$(python3 "$HELPERS/schema_columns.py" --bare)" ''
}

@test "docs/COLUMNS.md has every column of databases of each family" {
	"$BUILD/tests/genjob" --out JOBSVP --seed 1
	"$BUILD/tests/genprof" --out PROF_1
	for family in ascend910 ascend2022; do python3 "$HELPERS/planted_ascend.py" JOB$family $family 1 >/dev/null; done
	for job in JOB* PROF_1; do "$MSPROF" import -q -dir "$job" 2>/dev/null || [ $? -eq 3 ]; done
	equal "$(sqlite3 PROF_1/sqlite/msprof.db 'CREATE TABLE extra(word)' 'SELECT name FROM pragma_table_info("extra")')" word
	equal "$(python3 "$HELPERS/schema_columns.py" --unlisted "$ROOT/docs/COLUMNS.md" JOB*/sqlite/msprof.db PROF_1/sqlite/msprof.db)" 'prof: extra.word'
}

@test "README has five screens of 50 lines" {
	[ "$(fold -s -w 160 "$ROOT/README.md" | wc -l)" -le 250 ]
}

# commands FILE: its blocks of commands, samples and settings, without what is said about them; a block of text is of one language
commands() {
	awk '/^```/ { inside = !inside; is_text = /text$/; print; next } inside && !is_text { sub(/(^| +)#.*/, ""); print }' "$1"
}

# outline FILE: its headings and rows of tables, a mark each, and the documents that its links lead to
outline() {
	sed -n 's/^\(##*\) .*/\1/p; s/^|.*/|/p' "$1"
	grep -oE '\]\([^)]*\)' "$1" | sed -E 's/[#)].*//; s/.*[(\/]//; s/\.zh-CN//' | sort
}

# figures FILE: its numbers, one a line
figures() {
	grep -oE '[0-9][0-9,.]*[0-9]' "$1" | sort -u
}

# prose FILE: what is outside of blocks and quoted output
prose() {
	awk '/^```/ { inside = !inside; next } !inside && !/^>/' "$1"
}

# spans FILE: names and commands within its sentences: each as often as it is there
spans() {
	prose "$1" | grep -oE '`[^`]+`' | sort
}

@test "the Chinese documents have the commands, headings, tables, links and figures of the English ones, and the names in each sentence" {
	pages=("$ROOT"/docs/*.zh-CN.md)
	[ "${#pages[@]}" -ge 2 ]
	for zh in "${pages[@]}"; do
		en=${zh%.zh-CN.md}.md
		[ -f "$en" ] || en=$ROOT/README.md
		equal "$(commands "$zh")" "$(commands "$en")"
		equal "$(outline "$zh")" "$(outline "$en")"
		equal "$(figures "$zh")" "$(figures "$en")"
		equal "$(spans "$zh")" "$(spans "$en")"
	done
}

@test "a document with a Chinese page is linked from Chinese pages in Chinese" {
	for zh in "$ROOT"/docs/*.zh-CN.md; do
		name=$(basename "$zh" .zh-CN.md)
		equal "$(prose "$zh" | grep -c "^\[English\](.*$name.md)")" 1
		equal "$(grep -lF "](${name/README/..\/README}.md" "$ROOT"/docs/*.zh-CN.md)" "$zh"
	done
}

@test "Chinese documents have the words of the field, and no word that is not one of them" {
	for zh in "$ROOT"/docs/*.zh-CN.md "$ROOT/docs/man/zh_CN/msprof.1"; do
		equal "$(prose "$zh" | grep -nE '作业|缺省|[0-9] %|退出状态|步骤轨迹|主机侧|虚构|学习布局|并排|电子表格|重叠|标记时刻|调整建议|没有人|无论发生什么|任何东西|做到什么|其它|登陆|帐号')" ''
	done
}

@test "sentences of Chinese documents have full-width punctuation, a space beside Latin words and numbers, and no other space" {
	equal "$(python3 "$HELPERS/typeset.py" "$ROOT"/docs/*.zh-CN.md)" ''
	printf '%s\n' '先解析,再导出。' '加`--all`。' '用 JOB目录。' '退出 码。' '见 [甲](a.md) 。' '请先' '解析。' '**甲。** 乙：`a`、`b`（10%）。' >page
	equal "$(python3 "$HELPERS/typeset.py" page | cut -d: -f2,3)" "1: half-width punctuation
2: no space beside Latin
3: no space beside Latin
4: a space too many
5: a space too many
6: a line that ends between two characters"
}

# marked FILE: the sections, lists, items and examples of a manual page in their order, and the names in it
marked() {
	grep -E '^\.(S[hs]|Bl|El|It|Dl)' "$1" | sed -E 's/^(\.S[hs]) .*/\1/'
	grep -oE '\b(Cm|Ev|Fl|Pa|Xr) [^ ]+' "$1" | sed 's/\.zh-CN//' | sort -u
}

@test "the Chinese manual page has the sections, items, examples and names of the English one" {
	equal "$(marked "$ROOT/docs/man/zh_CN/msprof.1")" "$(marked "$ROOT/msprof.1")"
}

# wide COLUMNS: its input's lines that a terminal of this width cannot hold: a Chinese character has two columns
wide() {
	python3 -c 'import sys, unicodedata
for line in sys.stdin:
    if sum(1 + (unicodedata.east_asian_width(c) in "FW") for c in line[:-1]) > int(sys.argv[1]): print(line, end="")' "$1"
}

@test "the Chinese manual page fits into 80 columns, and has no space before its punctuation or within brackets" {
	page=$(mandoc -T utf8 -O width=80 "$ROOT/docs/man/zh_CN/msprof.1" | sed 's/.\x08//g')
	equal "$(wide 80 <<<"$page")" ''
	equal "$(LC_ALL=C.UTF-8 grep -P '\S +[，。；：、）”]|[（“] ' <<<"$page")" ''
	equal "$(grep -nE '^\.Ql .*(Ns|，|。)' "$ROOT/docs/man/zh_CN/msprof.1")" '' # within the marks of a name
	equal "$(printf '八列宽度\n八列宽度 \n' | wide 8)" '八列宽度 '
}

@test "Chinese documents have no phrase that follows the English word by word" {
	for zh in "$ROOT"/docs/*.zh-CN.md "$ROOT/docs/man/zh_CN/msprof.1"; do
		equal "$(prose "$zh" | grep -nE '配套工具|未经证明|不成对|被编造|已过时|Host (下发|的处理器)|进行[^，。]{0,8}操作')" ''
	done
}

@test "each hidden file that exports leave behind is documented" {
	fresh_job
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1"
	expect 0 export summary -q -dir "$JOB"
	expect 0 export summary -q -dir "$BATS_TEST_TMPDIR/PROF_1"
	hidden=$(find "$JOB" "$BATS_TEST_TMPDIR/PROF_1" -name '.*' -printf '%P\n' | sed 's/.*\(mindstudio_profiler_output\|summary\)/\1/' | sort -u)
	equal "$hidden" $'mindstudio_profiler_output/.msprof\nsummary/.msprof'
	has "$(<"$ROOT/docs/FORMAT.md")" "summary/.msprof lists" "exports; .msprof lists"
}
