#!/usr/bin/env bats
# widths.bats: characters have the columns that terminals give them.

load helpers

@test "the widths of characters are those of Unicode" {
	run python3 "$HELPERS/char_widths.py" "$ROOT/cli/table_widths.h"
	[ "$status" -ne 3 ] || skip "Python has another version of Unicode"
	equal "$output" ""
	equal "$status" 0
	diff <("$ROOT/cli/table_widths.py") "$ROOT/cli/table_widths.h"
}

@test "names in Chinese: the lines of each table are equally wide, at 40 to 200 columns" {
	local columns lines
	needs_terminal
	fresh_job
	export MSPROF_PAGER='' TERM=xterm
	genjob "$BATS_TEST_TMPDIR/JOBWIDE" --utf8 --pictures 2
	for columns in 40 60 80 120 200; do
		python3 "$HELPERS/pty_run.py" "$columns" "$MSPROF" show -q --each --top 0 -dir "$BATS_TEST_TMPDIR/JOBWIDE" >"$BATS_TEST_TMPDIR/out"
		lines=$(python3 "$HELPERS/aligned.py" "$columns" <"$BATS_TEST_TMPDIR/out")
		[ "$lines" -gt 20 ] || equal "$columns" 40 # where rows are lists
		grep -q 卷积 "$BATS_TEST_TMPDIR/out"
	done
}

@test "lines of Chinese are full, and none begins with a mark that closes" {
	local columns
	needs_terminal
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
	export MSPROF_PAGER='' TERM=xterm
	"$MSPROF" import -q -dir "$JOB"
	for columns in 40 50 60 72; do
		python3 "$HELPERS/pty_run.py" "$columns" "$MSPROF" advise -q --lang zh -dir "$JOB" >out
		python3 "$HELPERS/aligned.py" "$columns" <out >/dev/null
		# the legend is Chinese throughout: a character that has two columns, and a mark, may go to the next line
		equal "$(LC_ALL=C.UTF-8 python3 -c '
import re, sys, unicodedata
lines = open("out", encoding="utf-8").read().splitlines()
print(*[line for line in lines if re.match("(│? )*[，。、；：）”]", line)])
first = next(line for line in lines if line.startswith("时间为平均值"))
width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in first)
print(width if width < int(sys.argv[1]) - 4 else "")' "$columns")" ""
	done
}

# as_in CHARSET: what a terminal of this character set shows of UTF-8; what it lacks is one '?' a column
as_in() {
	python3 -c '
import sys, unicodedata
def shown(c):
    try:
        return c.encode(sys.argv[1])
    except UnicodeEncodeError:
        return b"?" * (2 if unicodedata.east_asian_width(c) in "WF" else 1)
sys.stdout.buffer.write(b"".join(map(shown, sys.stdin.buffer.read().decode())))' "$1"
}

@test "a locale of GBK or Latin-1 has its own characters in tables and messages; lines may be ASCII in any" {
	local charset
	genjob "$BATS_TEST_TMPDIR/JOBWIDE" --utf8 --pictures 2
	cd "$BATS_TEST_TMPDIR" || return
	export PYTHONCOERCECLOCALE=0
	"$MSPROF" import -q -dir JOBWIDE
	LANG=C.UTF-8 MSPROF_LINES=ascii "$MSPROF" show --each --top 0 -dir JOBWIDE >lines 2>said
	grep -q 人脸检测 lines
	[ "$(LANG=C.UTF-8 grep -c '[─│═…]' lines)" = 0 ]
	for charset in gbk gb18030 iso-8859-1; do
		MSPROF_LANG=en LC_ALL=zh_CN.${charset^^} "$MSPROF" show --each --top 0 -dir JOBWIDE >shown 2>/dev/null
		as_in $charset <lines | cmp - shown
		run env LC_ALL=zh_CN.${charset^^} "$MSPROF" show 没有
		equal "$(LC_ALL=C cut -d"'" -f2 <<<"$output")" "$(as_in $charset <<<没有)"
	done
	LANG=zh_CN.GBK "$MSPROF" show --format csv --table overview -dir JOBWIDE 2>/dev/null | grep -q 卷积 # files are UTF-8
}

@test "a directory that is not UTF-8 is told as such" {
	mkdir "$BATS_TEST_TMPDIR"/$'\xd6\xd0'
	cp -r "$JOB" "$BATS_TEST_TMPDIR"/$'\xd6\xd0'
	expect 2 import "$BATS_TEST_TMPDIR"/$'\xd6\xd0'/JOB*
	has "$stderr" "(not UTF-8; a directory in another encoding is reached by 'cd')"
	cd "$BATS_TEST_TMPDIR"/$'\xd6\xd0' && expect 0 import JOB*
}
