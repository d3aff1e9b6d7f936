#!/usr/bin/env bats
# learn.bats: msprof learn as a board's owner sees it: exit statuses, the file that it writes, what it says, and bad input.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup_file() {
	umask 0027
	python3 "$BATS_TEST_DIRNAME/../gen/learn.py" --plain --seed 5 --out "$BATS_FILE_TMPDIR/plain"
	python3 "$BATS_TEST_DIRNAME/../gen/learn.py" --plain --seed 6 --force noise --force mille --force total --force u16 --out "$BATS_FILE_TMPDIR/board"
}

# A job of a made-up board is $JOB; a fresh copy, because tests change it. Its per-mille words are of no built-in layout.
setup() {
	umask 0027
	cd "$BATS_TEST_TMPDIR" || return
	cp -r "$BATS_FILE_TMPDIR"/board/JOB* JOBBOARD
	export JOB=JOBBOARD DB=JOBBOARD/sqlite/msprof.db
}

# board FORCE...: $JOB becomes a job with these features, in places drawn by a seed
board() {
	discard board "$JOB"
	python3 "$ROOT/tests/gen/learn.py" --seed "$1" "${@:2}" --out board
	cp -r board/JOB* "$JOB"
}

# field COUNTER: type, place, unit and evidence
field() {
	jq -r --arg name "$1" '.tables[1].rows[] | select(.Field == $name) | [.Type, .Place, .Unit, .Evidence] | join(" ")' <<<"$output"
}

@test "exit 0: the layout is proven, and every command takes it" {
	expect 0 learn -dir "$JOB"
	has "$output" "Layouts :" "Fields :" $'Missing :\n  none' "Unexplained bytes :" "Proof :" "learned" "per mille" "41 of 41 rows"
	has "$stderr" "'layouts/learned.rec' has the layout: msprof show -dir JOBBOARD --layouts layouts"
	equal "$(ls layouts)" learned.rec
	equal "$(grep -c '^record svp.aicore_ss928 v3 learned$' layouts/learned.rec)" 1
	has "$(cat layouts/learned.rec)" "# All cells of these tables came out again:" "parts    10" "share " " minus " "holds "
	# no name of a layer is in it, and nothing is assumed
	lacks "$(cat layouts/learned.rec)" relu conv assumed
	for command in check import show "export summary -o exported" "export timeline" query; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB" --layouts layouts
	done
	expect 0 check -dir "$JOB" --layouts layouts --format json
	equal "$(jq -r '.tables[] | select(.table == "Files") | .rows[] | select(.Layout == "svp.aicore_ss928 v3") | .Verified' <<<"$output")" "learned from tables of this board's tool"
	equal "$(query "SELECT DISTINCT verified, damaged_bytes FROM source WHERE layout = 'svp.aicore_ss928'")" "3|0"
}

@test "nothing but the file is written: the job stays as it is" {
	chmod -R a-w "$JOB"
	before=$(snapshot "$JOB")
	expect 0 learn "$JOB"
	equal "$(snapshot "$JOB")" "$before"
	equal "$(find . -mindepth 1 -maxdepth 1 ! -name 'separate-stderr*' | sort)" "$(printf './JOBBOARD\n./layouts')"
	no_part_files .
	chmod -R u+w "$JOB"
}

@test "every cell of the tables is said to come out, and does" {
	expect 0 learn "$JOB" --format json
	jq -e '.schema == "msprof.learn/1"' <<<"$output" >/dev/null
	equal "$(jq -r '[.tables[] | .table] | join(",")' <<<"$output")" "Layouts,Fields,Missing,Unexplained bytes,Proof"
	equal "$(jq '[.tables[] | select(.table == "Proof") | .rows[] | select(.Cells == .Equal and .Cells > 500)] | length' <<<"$output")" 1
	cp "$JOB"/summary/op_summary*.csv vendor.csv
	expect 0 export summary -dir "$JOB" --layouts layouts --style vendor --output exported
	equal "$(sed 's/,N\/A,/,,/' exported/*/summary/op_summary*.csv)" "$(cat vendor.csv)"
}

@test "a file that is the same is no error; one that differs is kept, unless --force" {
	expect 0 learn "$JOB" --output some/new/place
	first=$(sha256sum <some/new/place/learned.rec)
	expect 0 learn "$JOB" --output some/new/place
	echo '# mine' >>some/new/place/learned.rec
	expect 1 learn "$JOB" --output some/new/place
	has "$stderr" "'some/new/place/learned.rec' exists and differs: use --force to replace it, or another --output"
	equal "$(tail -1 some/new/place/learned.rec)" '# mine'
	expect 0 learn "$JOB" --output some/new/place --force
	equal "$(sha256sum <some/new/place/learned.rec)" "$first"
	no_part_files some
}

@test "a directory that cannot be made or written is a clear error" {
	needs_ordinary
	mkdir closed
	chmod 500 closed
	run --separate-stderr ordinary "$MSPROF" learn "$JOB" --output closed
	equal "$status" 1
	has "$stderr" "msprof: error: cannot create 'closed/learned.rec': Permission denied"
	run --separate-stderr ordinary "$MSPROF" learn "$JOB" --output closed/below
	equal "$status" 1
	has "$stderr" "msprof: error: cannot make the directory 'closed/below': Permission denied"
	equal "$(ls -A closed)" ""
	touch file
	expect 1 learn "$JOB" --output file
	has "$stderr" "cannot make the directory 'file': Not a directory"
}

@test "--from: files and directories, in place of those of the job; a table of any name finds its inference" {
	mkdir tables
	mv "$JOB"/summary/*.csv tables/what.csv
	expect 0 learn "$JOB" --output one --from tables
	expect 0 learn "$JOB" --output two --from tables/what.csv
	equal "$(cat one/learned.rec)" "$(cat two/learned.rec)"
	expect 1 learn "$JOB" --output three
	has "$stderr" "tables of the board's own tool not found below summary" "nothing was learned: "
}

@test "task ids that count in another way than those of records: times tell which task a row is of" {
	awk 'NR > 2 { $0 = 5000 + NR substr($0, index($0, ",")) } 1' "$JOB"/summary/*.csv >other.csv
	expect 0 learn "$JOB" --from other.csv
}

@test "our own exports are no reference: those that export lists are refused by name" {
	expect 0 learn "$JOB"
	rm "$JOB"/summary/*
	expect 0 export summary -dir "$JOB" -q --layouts layouts --style vendor
	expect 1 learn "$JOB" --output none
	has "$stderr" "'summary/op_summary_0." "is not a reference: msprof export made it; name it with --from if another tool did"
	expect 0 learn "$JOB" --output other --from "$(echo "$JOB"/summary/op_summary*)"
	expect 0 show "$JOB" --layouts layouts --format json
	echo "$output" >shown.json
	expect 1 learn "$JOB" --output none --from shown.json
	has "$stderr" "'shown.json' is not a reference: it is an export of msprof"
}

@test "without tables: a guess from what must hold, which is marked" {
	cp -r "$BATS_FILE_TMPDIR"/plain/JOB* JOBPLAIN
	discard JOBPLAIN/summary "$JOB/summary"
	expect 3 learn JOBPLAIN
	has "$output" "│ @8 " "a guess" "none: no table could be made again"
	has "$stderr" "tables of the board's own tool not found below summary: what is printed is guessed from the records" --from
	has "$(cat layouts/learned.rec)" "guessed from the records" "v3 unverified" "assumed  mac_busy"
	expect 0 check JOBPLAIN --layouts layouts
	has "$output" "in assumed places, not verified"
	# places that nobody can guess
	expect 1 learn "$JOB" --output none
	has "$stderr" "nothing was learned: "
	[ ! -e none ] || fail "something was written"
}

@test "a counter that is 0 in all rows has a place by choice, which is said" {
	board 7 --plain --force zero_column
	expect 0 learn "$JOB" --format json
	equal "$(jq '[.tables[1].rows[] | select(.Evidence == "41 of 41 rows, all of them 0" and .Also != "")] | length' <<<"$output")" 1
	has "$(cat layouts/learned.rec)" "all of them are 0, so that the place is a choice"
}

@test "exit 3: what several places explain with other numbers, or a table edited by hand, is named" {
	cp "$JOB"/summary/op_summary*.csv whole.csv
	# a copy of the words that differs where the table has no row
	python3 - "$JOB"/data/aicore.*0 <<-'END'
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		for at in range(0, len(data), 256):
		    data[at + 88:at + 116] = data[at + 8:at + 36]
		data[-256 + 88:-256 + 116] = b"\1\0" * 14
		open(sys.argv[1], "wb").write(data)
	END
	sed -i '$d; 2d' "$JOB"/summary/op_summary*.csv
	expect 3 learn "$JOB"
	has "$output" "explains the tables as well, with other numbers"
	has "$stderr" "the layout is not proven"
	lacks "$(cat layouts/learned.rec)" " learned"
	# the row of totals tells which it is
	cp whole.csv "$JOB"/summary/op_summary*.csv
	expect 0 learn "$JOB" --force
	python3 - whole.csv "$JOB"/summary/op_summary*.csv <<-'END'
		import csv, sys
		rows = list(csv.reader(open(sys.argv[1])))
		rows[8][7] = "77.7"
		csv.writer(open(sys.argv[2], "w"), lineterminator="\n").writerows(rows)
	END
	expect 3 learn "$JOB" --force --format json
	equal "$(field mac_busy)" "u32 @8 per mille 40 of 41 rows"
	equal "$(jq -r '.tables[2].rows[].What' <<<"$output")" "mac_busy: 1 of 41 rows say something else"
	equal "$(jq -r '.tables[4].rows[0]."First Difference"' <<<"$output" | cut -d: -f1)" "row 8, Mac Busy Ratio(%)"
}

@test "tables of another job, and raw files of a byte, of noise and of zeros, are never proven" {
	cp -r "$JOB" whole
	for case in other "printf x" "head -c 10240 /dev/zero" "python3 -c 'import random, sys; random.seed(3); sys.stdout.buffer.write(random.randbytes(10240))'"; do
		discard "$JOB" layouts
		cp -r whole "$JOB"
		if [ "$case" = other ]; then
			expect 1 learn "$JOB" --from "$(echo "$BATS_FILE_TMPDIR"/plain/JOB*)/summary"
		else
			bash -c "$case" >"$(echo "$JOB"/data/aicore.*0)"
			expect 1 learn "$JOB"
		fi
		has "$stderr" "nothing was learned: "
		[ ! -e layouts ] || fail "something was written"
	done
	expect 1 learn "$JOB" --from "$(echo "$BATS_FILE_TMPDIR"/plain/JOB*)/summary"
	has "$stderr" "is this a table of this job?"
}

@test "hostile references are never believed: tables, JSON and places" {
	run python3 "$HELPERS/hostile_references.py" "$MSPROF" "$JOB" references
	equal "$output" "40 references, none is believed"
}

@test "a table that may not be read, beside one that may, is said: exit 3" {
	needs_ordinary
	cp "$JOB"/summary/op_summary*.csv "$JOB/summary/other.csv"
	expect 0 learn "$JOB"
	chmod 000 "$JOB/summary/other.csv"
	run --separate-stderr ordinary "$MSPROF" learn "$JOB" --output none
	equal "$status" 3
	has "$stderr" "'summary/other.csv' is not a reference: cannot open it: Permission denied" "not all tables could be read"
	lacks "$(cat none/learned.rec)" " learned"
	run --separate-stderr ordinary "$MSPROF" learn "$JOB" --output other --from "$(echo "$JOB"/summary/op_summary*)"
	equal "$status" 0
}

@test "what makes the search long ends soon, and says how far it came" {
	run python3 "$HELPERS/learn_heavy.py" "$MSPROF" "$BATS_TEST_TMPDIR" 2056 6 100
	equal "$status" 0
	has "$output" ", given up: " "0 WRONG"
	run python3 "$HELPERS/learn_mutants.py" "$MSPROF" "$BATS_TEST_TMPDIR" 1 20 "$JOB" "$(echo "$BATS_FILE_TMPDIR"/plain/JOB*)"
	equal "$status" 0
}

# recode FILE ENCODING FORMAT: the table with Chinese titles, and a letter of this encoding in each row, in that encoding
recode() {
	python3 - "$@" <<-'END'
		import csv, json, sys
		path, encoding, form = sys.argv[1:]
		titles = {"Task ID": "任务 ID", "Layer Names": "层名称", "Layer Name": "层名称", "Layer Types": "层类型", "Time(us)": "耗时（us）", "Time Ratio(%)": "时间占比(%)"}
		with open(path, encoding="utf-8", newline="") as f:
		    rows = list(csv.reader(f))
		changed = [titles.get(title, title.replace(" Ratio(%)", "占比（%）")) for title in rows[0]]
		assert sum(a != b for a, b in zip(changed, rows[0])) >= 10, rows[0]
		# the second byte of this letter is a backslash in GBK
		letter = next(chr(c) for c in range(0x4e00, 0x9fff) if chr(c).encode("gbk", "replace")[1:] == b"\\")
		rows = [changed + ["备注"]] + [row + [letter] for row in rows[1:]]
		if form == "json":
		    text = json.dumps([dict(zip(rows[0], row)) for row in rows[1:]], ensure_ascii=False)
		else:
		    text = "\r\n".join(("\t" if form == "txt" else ",").join('"%s"' % cell if "," in cell else cell for cell in row) for row in rows)
		with open(path[:-3] + form, "wb") as f:
		    f.write(text.encode(encoding))
	END
}

@test "tables in GBK or UTF-16, with Chinese titles, are read" {
	for way in "gbk csv" "gb18030 json" "utf-16 txt" "utf-16 csv" "utf-8-sig csv"; do
		discard copy layouts
		mkdir copy
		cp "$JOB"/summary/op_summary*.csv copy
		froms=()
		for file in copy/op_summary*.csv; do
			# shellcheck disable=SC2086 # two words on purpose
			recode "$file" $way
			froms+=(--from "${file%csv}${way##* }")
		done
		expect 0 learn "$JOB" "${froms[@]}"
		lacks "$stderr" reference
		has "$(cat layouts/learned.rec)" " learned"
	done
	printf '\377\376a' >cut.csv
	run --separate-stderr "$MSPROF" learn "$JOB" --output other --from cut.csv
	has "$stderr" "'cut.csv' is not a reference: it is cut or damaged UTF-16"
}

@test "what is written loads, whatever the names and titles of tables" {
	table=("$JOB"/summary/op_summary*.csv)
	count=0
	for name in $'a\nrecord x v1 learned\n  size 4' $'quote"and\'apostrophe' $'tab\tand\\' $'\377\376\200' "$(printf 'x%.0s' {1..240})" \
		"$(printf '长%.0s' {1..80})" '# comment' '%s%n' ' ' $'\e[31mred'; do
		discard layouts tables
		mkdir tables
		# titles that nobody knows, with the same letters
		{
			printf '"%s",' "${name//\"/\"\"}"
			head -1 "${table[0]}"
			tail -n +2 "${table[0]}" | sed 's/^/1,/'
		} >"tables/$name.csv"
		expect 0 learn "$JOB" --from tables
		LC_ALL=C.UTF-8 grep -qax '.*' layouts/learned.rec
		equal "$(LC_ALL=C.UTF-8 grep -cvax '.*' layouts/learned.rec)" 0 # all of it is UTF-8
		equal "$(grep -c '^record ' layouts/learned.rec)" 1
		expect 0 check -dir "$JOB" --layouts layouts
		count=$((count + 1))
	done
	equal $count 10
}

@test "each reason is true for the data" {
	table=("$JOB"/summary/op_summary*.csv)
	# change NEW CODE: the rows of the table, changed by Python
	change() {
		python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", newline="")))
titles = rows[0]
exec(sys.argv[3])
csv.writer(open(sys.argv[2], "w", encoding="utf-8", newline="")).writerows(rows)' "${table[0]}" "$1" "$2"
	}
	# WLD says what DLD says: one place explains both, and there is no other one
	change same.csv 'for row in rows[1:]: row[titles.index("WLD Ratio(%)")] = row[titles.index("DLD Ratio(%)")]'
	expect 3 learn "$JOB" --from same.csv --output same
	has "$(tr -s ' ' <<<"$output")" "ld: each place that explains it overlaps one of another counter"
	has "$stderr" "the layout is not proven: not every counter has one place that enough rows tell, not every cell came out again"
	has "$(cat same/learned.rec)" "# Not proven: not every counter has one place that enough rows tell, not every cell came out again."
	change without.csv 'rows[0][titles.index("DLD Ratio(%)")] = "Nothing"'
	run --separate-stderr "$MSPROF" learn "$JOB" --from without.csv --output without
	has "$(tr -s ' ' <<<"$output")" "dld: no table says it"
	lacks "$stderr" "could be read"
	# what --from names is no table: nothing was looked for below summary
	echo 'a,b' >no.csv
	run --separate-stderr "$MSPROF" learn "$JOB" --from no.csv --output no
	lacks "$stderr" "below summary"
	has "$stderr" "tables of the board's own tool not found in what --from names"
	# the tables are all there, and one is damaged: that alone is the reason
	echo '"' >"$JOB/summary/op_summary_cut.csv"
	expect 3 learn "$JOB" --output cut
	has "$stderr" "the layout is not proven: not all tables could be read"
	lacks "$stderr" "not every"
	rm "$JOB/summary/op_summary_cut.csv"
}

@test "several jobs, a job of Ascend and no job are refused" {
	mkdir many
	cp -r "$JOB" many/JOBA
	cp -r "$JOB" many/JOBB
	expect 1 learn many
	has "$stderr" "'many' has several jobs: learn takes one"
	mkdir -p JOBASCEND/data
	touch JOBASCEND/data/hwts.data.0.slice_0
	echo '{"DeviceInfo":[{"id":0}]}' >JOBASCEND/info.json.0
	expect 1 learn JOBASCEND
	has "$stderr" "'JOBASCEND' is a job of Ascend, whose layouts are published: learn has nothing to find"
	expect 1 learn nosuch
	has "$stderr" "cannot open 'nosuch'"
	[ ! -e layouts ] || fail "something was written"
}

@test "the command line: options of its own, formats, help" {
	expect 0 learn --help
	has "$output" "Usage: msprof learn [-dir] JOB" --from --output --force "Exit status 0"
	expect 2 learn
	expect 2 learn "$JOB" --format csv
	has "$stderr" "invalid format 'csv' (table or json)"
	expect 2 learn "$JOB" --layouts x
	has "$stderr" "learn does not accept --layouts"
	expect 2 learn "$JOB" --output ''
	expect 2 learn "$JOB" --bogus
	has "$stderr" "Try 'msprof learn --help'"
	expect 0 learn "$JOB" -q
	equal "$stderr" ""
}

@test "the next command can be copied, whatever the names" {
	mv "$JOB" "it's a job"
	expect 0 learn "it's a job" --output "my layouts"
	next=$(sed -n 's/.*has the layout: msprof //p' <<<"$stderr")
	eval "expect 0 $next"
}

@test "boards with counters in hidden places are learned, and none wrong" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 1 8
	equal "${lines[-1]}" "8 seeds: 8 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "the judge of hidden places sees a wrong place, a wrong word and another end" {
	cat >pretended <<-'END'
		#!/bin/bash
		[ "$1" = learn ] || exec "$MSPROF" "$@"
		"$MSPROF" "$@"
		sed -i "$CHANGE" "$5/learned.rec"
		exit "$STATUS"
	END
	chmod +x pretended
	export CHANGE STATUS
	for CHANGE in 's/ dstr / old /; s/ dtrans / dstr /; s/ old / dtrans /' '/ wld /d' 's/v3 learned/v3 unverified/'; do
		STATUS=0 run python3 "$HELPERS/learn_seeds.py" ./pretended 3 1
		has "$output" " WRONG " "0 reproduced" "1 WRONG"
	done
	CHANGE='' STATUS=3 run python3 "$HELPERS/learn_seeds.py" ./pretended 3 1
	has "$output" "exit status 3, and the layout says learned"
	CHANGE='' STATUS=9 run python3 "$HELPERS/learn_seeds.py" ./pretended 3 1
	has "$output" " FAILED " "exit status 9"
}

@test "the sample of docs/LEARN.md is what learn prints, and the commands below it end with exit status 0" {
	read -r -a generate < <(sed -n 's/.*`python3 \(.*\) --out DIR`.*/\1/p' "$ROOT/docs/LEARN.md")
	(cd "$ROOT" && python3 "${generate[@]}" --out "$BATS_TEST_TMPDIR/sample")
	mv sample/JOB* JOBXXXX
	expect 0 learn -dir JOBXXXX
	[ "$(grep -c '^│' "$ROOT/docs/LEARN.md")" -gt 5 ]
	equal "$(grep '^│' "$ROOT/docs/LEARN.md" | grep -vxFf <(printf '%s\n' "$output"))" ''
	sed -n '/^## Using it/,/^Without/{s/  *#.*//;s/^msprof //p}' "$ROOT/docs/LEARN.md" >commands
	equal "$(wc -l <commands)" 3
	while read -r -a command; do
		expect 0 "${command[@]}"
	done <commands
}
