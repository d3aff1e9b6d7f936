#!/usr/bin/env bats
# standing.bats: what the data of a job is worth, computed at import and told by every command.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/svp_job

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

# standing KIND: that of a kind of data in the database
standing() {
	query "SELECT standing FROM standing WHERE about = '$1'"
}

# slow_job: the sample, as if its core had 7 MHz
slow_job() {
	sed -i 's/"700"/"7"/' "$JOB/info.json.0"
}

@test "a sound job is consistent, and every command says so in one line" {
	expect 0 import -dir "$JOB"
	has "$stderr" "standing: times of tasks consistent, counters consistent in assumed places (not verified), AI CPU consistent, calls consistent, names of tasks consistent"
	expect 0 export summary -dir "$JOB"
	has "$stderr" "standing: times of tasks consistent"
	expect 0 export timeline -dir "$JOB"
	has "$stderr" "standing: times of tasks consistent"
	cat "$JOB"/timeline/task_time*.json >timeline
	grep -q '"standing":"times of tasks consistent"' timeline
	expect 0 show -dir "$JOB"
	has "$(head -4 <<<"$output")" "Standing : times of tasks consistent, counters consistent"
	lacks "$stderr" "standing:"
	expect 0 advise -dir "$JOB"
	has "$(head -4 <<<"$output")" "Standing : times of tasks consistent"
	expect 0 check -dir "$JOB"
	has "$(head -1 <<<"$output")" "Verdict : whole"
	expect 0 report -dir "$JOB" -o page.html
	grep -q '"standing": "times of tasks consistent' page.html
	equal "$(query "SELECT count(*) FROM data_check WHERE failed > 0")" 0
}

@test "a contradiction: exit 3 everywhere, headlines and verdicts are withheld, --anyway prints them marked" {
	slow_job
	for command in "import" "show" "advise" "export summary" "export timeline" "report -o page.html"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 3 $command -dir "$JOB"
		has "$stderr" "warning: '$JOB': times of tasks contradicted: the core has 7 MHz, not 100 to 2000; see 'msprof check --files'"
		# shellcheck disable=SC2086 # words on purpose
		expect 1 $command --strict -dir "$JOB"
	done
	expect 3 check -dir "$JOB"
	has "$output" "Verdict : times of tasks contradicted" "the core has 7 MHz, not 100 to 2000"
	equal "$(grep -c "warning: '$JOB': times of tasks contradicted$" <<<"$stderr")" 1 # the table has the reason
	lacks "$stderr" "7 MHz"
	expect 1 check --strict -dir "$JOB"
	equal "$(standing tasks)" contradicted
	expect 3 show -dir "$JOB"
	has "$output" "Overview :"$'\n'"  no data: withheld, since the data contradicts itself: times of tasks" "Acl statistic :"$'\n'"Model id"
	lacks "$output" "Fps"
	expect 3 show --anyway -dir "$JOB"
	has "$output" "Overview :"$'\n'"contradicted: times of tasks" "Fps :"
	expect 3 advise --format json -dir "$JOB"
	equal "$(jq -r '.jobs[0].findings[0] | "\(.rule) \(.severity) \(.subject)"' <<<"$output")" "standing high times of tasks"
	equal "$(jq -r '.jobs[0].abstained[] | select(.rule == "idle") | .reason' <<<"$output")" "the data contradicts itself: times of tasks"
	expect 6 advise --fail-on high -dir "$JOB"
	equal "$(sed -n 's/.*"kind": "contradicted", "text": "\([^:]*\):.*/\1/p' page.html)" "times of tasks contradicted"
	run grep -c '"label": "Frames per second"' page.html
	equal "$output" 0
}

@test "diff decides nothing where a side contradicts itself; a baseline keeps that" {
	cp -r "$JOB" good
	slow_job
	expect 7 diff --fail-if 'total > 5%' good "$JOB"
	has "$output" "undecided" "the data of a side contradicts itself" inconclusive
	expect 3 diff --format json good "$JOB"
	equal "$(jq -r '[.groups[].total.verdict, (.groups[].operators[]?.verdict)] | unique | join(" ")' <<<"$output")" inconclusive
	expect 3 diff --save base.json "$JOB"
	expect 7 diff --fail-if 'total > 5%' base.json good
}

@test "a doubt is told with exit 3, and withholds nothing" {
	sed -i 's/"700"/"350"/' "$JOB/info.json.0"
	expect 3 show -dir "$JOB"
	has "$(head -1 <<<"$output")" "; but first: Data in doubt (times of tasks)"
	has "$(head -4 <<<"$output")" "Standing : times of tasks in doubt: tasks take " " us, their .done marker says " " us (data/aicore."
	has "$output" "Fps :"
	lacks "$output" unproven
	equal "$(grep -c "warning: '$JOB': times of tasks in doubt: tasks take .*; see 'msprof check --files'$" <<<"$stderr")" 1
	expect 3 check -dir "$JOB"
	has "$(head -1 <<<"$output")" "Verdict : times of tasks in doubt"
	expect 3 advise --format json -dir "$JOB"
	equal "$(jq -r '.jobs[0].findings[0] | "\(.rule) \(.severity) \(.subject)"' <<<"$output")" "doubt note times of tasks"
	has "$(jq -r '.jobs[0].findings[0].evidence[0].Found' <<<"$output")" "their .done marker says" "(data/aicore."
}

@test "tables of the board's own tool prove the data; ours prove nothing" {
	local style times=0
	for style in vendor guide; do
		discard "$JOB/sqlite" "$JOB/summary"
		expect 0 export summary --style "$style" -dir "$JOB"
		expect 0 import -dir "$JOB" # the exports are ours
		equal "$(standing tasks) $(standing counters) $(standing calls)" "consistent consistent consistent"
		rm "$JOB/summary/.msprof" # now nobody knows whose they are
		expect 0 import -dir "$JOB"
		has "$stderr" "standing: times of tasks proven, counters proven, AI CPU consistent, calls proven"
		lacks "$stderr" "assumed places"
		equal "$(query "SELECT min(checked) > 0, total(failed) FROM data_check WHERE weight = 'proof'")" "1|0.0"
		times=$((times + 1))
	done
	equal $times 2
}

@test "a table of the board's own tool that differs contradicts: the first cell is named" {
	expect 0 export summary --style vendor -dir "$JOB"
	rm "$JOB/summary/.msprof"
	table=("$JOB"/summary/op_summary*)
	cp "${table[0]}" kept
	awk -F, -v OFS=, 'NR == 4 {$(NF - 1) = "77.25"} {print}' kept >"${table[0]}" # DDR Write(KB)
	expect 3 import -dir "$JOB"
	has "$stderr" "counters contradicted" "row 3, DDR Write(KB): the table says '77.25', the records"
	equal "$(standing tasks) $(standing counters)" "proven contradicted"
	expect 3 show -dir "$JOB"
	has "$output" "Counters : not shown: they contradict themselves; msprof learn -dir"
	{
		cat kept
		tail -1 kept | sed 's/^[0-9]*/99/'
	} >"${table[0]}" # a task that the records lack
	expect 3 import -dir "$JOB"
	has "$stderr" "times of tasks contradicted" "the records 'nothing'"
	{
		head -1 kept
		tail -n +4 kept | sed '$d' | tac
	} >"${table[0]}" # rows in another order, without two of them and without the total
	expect 0 import -dir "$JOB"
	equal "$(standing tasks) $(standing counters)" "proven proven"
	equal "$(query "SELECT failed FROM data_check WHERE name = 'vendor_rows'")" 2
	cp kept "${table[0]}"
	expect 0 import -dir "$JOB"
	rm "$JOB"/summary/*
	cp kept "$JOB/summary/op_summary_0.other.1.1.1.0.0.000000.700.csv"
	expect 3 import -dir "$JOB"
	has "$stderr" "tables below summary are of inferences and calls of this job"
}

@test "tables with other decimals, cut names, or names in GBK are the same tables" {
	expect 0 export summary --style vendor -dir "$JOB"
	rm "$JOB/summary/.msprof"
	python3 - "$JOB"/summary/op_summary* <<-'END'
		import csv, sys
		for path in sys.argv[1:]:
		    with open(path, encoding="utf-8", newline="") as f:
		        rows = list(csv.reader(f))
		    for row in rows[1:]:
		        row[3] = row[3][:9] + "~" if len(row[3]) > 10 else row[3]
		        row[6:] = ["%.1f" % float(cell) if "." in cell else cell for cell in row[6:]]
		    with open(path, "w", encoding="gbk", errors="replace", newline="") as f:
		        csv.writer(f, lineterminator="\r\n").writerows(rows)
	END
	expect 0 import -dir "$JOB"
	equal "$(standing tasks) $(standing counters)" "proven proven"
}

@test "tables that are no tables, and links, prove nothing and harm nothing" {
	mkdir "$JOB/summary"
	printf '\0\1\2,\n"' >"$JOB/summary/op_summary_0.resnet50.46.1.1.0.0.000000.700.csv"
	ln -s /etc/passwd "$JOB/summary/acl_statistic_0_46_1.csv"
	head -c 100000 /dev/zero | tr '\0' ',' >"$JOB/summary/op_statistic_0_46_0_1.csv"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM data_check WHERE weight = 'proof'")" 0
}

@test "an inference that lost tasks counts in no mean, and is named" {
	generate --pictures 6
	expect 0 show --format json -dir "$JOB"
	discard "$JOB/sqlite"
	truncate -s -300 "$JOB"/data/aicore.*.4
	expect 3 show -dir "$JOB"
	has "$output" "Left out : resnet50: 1 inference lost tasks and count in no mean: picture 4" "Inferences : 5"
	has "$(head -1 <<<"$output")" "; but first: Lost or damaged data ("
	expect 3 advise -dir "$JOB"
	has "$(head -1 <<<"$output")" "; but first: Lost or damaged data ("
	has "$output" "picture 4"
	expect 3 advise --format json -dir "$JOB"
	equal "$(jq -r '.jobs[0].findings[0].rule' <<<"$output")" loss
}

@test "where every inference lost tasks, that is the reason everywhere, and loss comes first" {
	generate --pictures 6
	truncate -s -300 "$JOB"/data/aicore.*[0-9]
	expect 3 show -dir "$JOB"
	has "$output" "Overview :"$'\n'"  no data: every inference lost tasks"
	expect 3 advise -dir "$JOB"
	has "$(head -1 <<<"$output")" "No verdict: every inference lost tasks; but first: Lost or damaged data ("
	has "$output" "no data: every inference lost tasks" "its .done marker says"
	lacks "$output" "has a start and an end"
	equal "$(grep -c '│ every inference lost tasks *│' <<<"$output")" 1 # one row for the rules that it stops
	expect 3 advise --format json -dir "$JOB"
	equal "$(jq -r '[.jobs[0].findings[].rule] | join(" ")' <<<"$output")" "loss loss svp_assumed"
	equal "$(jq -r '.jobs[0].abstained[] | select(.rule == "idle").reason' <<<"$output")" "every inference lost tasks"
	expect 3 report -dir "$JOB" -o page.html
	grep -q '{"kind": "loss", "text": "6 inferences lost tasks and count in no mean"}' page.html
}

@test "each reason of a job without data is told once" {
	generate --tasks 1
	truncate -s 0 "$JOB"/data/aicore.*[0-9]
	rm -f "$JOB"/data/*.done "$JOB"/data/aicpu*
	run --separate-stderr "$MSPROF" advise -dir "$JOB"
	equal "$(sed -n '/^Not decided/,$p' <<<"$output" | grep '^│' | awk -F'│' '{print $3}' | sort | uniq -d)" ""
	equal "$(grep -c 'no task of a step has a start and an end *│' <<<"$output")" 1
}

@test "diff says a doubt and another model beside the verdict" {
	generate --pictures 8
	mkdir good doubtful
	cp -r "$JOB" good
	cp -r "$JOB" doubtful
	sed -i 's/"700"/"350"/' doubtful/JOB*/info.json.0
	expect 3 diff good doubtful
	has "$output" "in doubt: BASE nothing, NEW times of tasks" "(in doubt) │" "; --top 0 prints all rows, in doubt"
	run --separate-stderr "$MSPROF" diff --fail-if 'total > 5%' good doubtful
	has "$output" "; in doubt"
	expect 0 diff good good
	lacks "$output" doubt model
	generate --pictures 8 --model other
	mkdir others
	cp -r "$JOB" others
	expect 0 diff good others
	has "$output" "other models: BASE resnet50, NEW other" "(other model) │"
}

@test "a job without info.json: --frequency alone is enough; without, all but times is read" {
	rm "$JOB/info.json.0"
	expect 3 check -dir "$JOB"
	has "$output" "no info.json.N tells the frequency: give --frequency MHZ" "missing or unreadable file"
	expect 3 show -dir "$JOB"
	has "$output" "Acl statistic"
	has "$stderr" "info.json.0: not found: times of tasks are unknown; give the frequency with --frequency MHZ"
	expect 0 show --frequency 700 -dir "$JOB"
	has "$output" "Fps :"
}

@test "check: files by kind, at most 25 lines of 80 columns for a sound job of 2 models and 100 pictures" {
	generate --models 2 --pictures 100 --tasks 12
	expect 0 check -dir "$JOB"
	[ "$(wc -l <<<"$output")" -le 25 ] || fail "$output"
	equal "$(python3 -c 'import sys; print(max(len(line.rstrip("\n")) for line in sys.stdin) <= 80)' <<<"$output")" True
	equal "$(grep -c 'svp.aicore_ss928' <<<"$output")" 1
	expect 0 check --files -dir "$JOB"
	[ "$(grep -c 'data/aicore' <<<"$output")" -ge 400 ]
}

@test "each check can fail: near misses of every kind are noticed" {
	run python3 "$ROOT/tests/svp/nearmiss.py" "$MSPROF" "$BUILD/tests/genjob" --first 32 --seeds 1 --kind ticks_x10 --kind ticks_div10 \
		--kind counters_x10 --kind task_ids_reversed --kind task_ids_zero --kind moved_by_4 --kind big_endian --kind records_shuffled \
		--kind marker_in_ns --kind marker_swapped --kind marker_start_zero --kind calls_in_ms --kind calls_swapped --kind call_types_shifted \
		--kind call_ids_swapped --kind aicpu_in_ns --kind frequency_third --kind layers_of_another_job --kind chip_of_another_board
	equal "$status" 0
	has "$output" "55 changed jobs: 55 noticed" "missed 0.00 %, good ones doubted 0.00 %"
}

@test "jobs of the maker's library contradict themselves in nothing but counters" {
	[ -e "$SHARED/svp-genuine.tar.xz" ] || skip "no genuine jobs here"
	mkdir genuine
	tar -xf "$SHARED/svp-genuine.tar.xz" -C genuine
	count=0
	while IFS= read -r JOB; do
		run "$MSPROF" import -q -dir "$JOB"
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
		# one short line for each kind of data
		[ "$(grep -E 'contradicted|in doubt' <<<"${output//"'$JOB'"/JOB}" | wc -L)" -le 180 ] || fail "$output"
		equal "$(grep -c 'JOB[A-Z]*.: .*\(contradicted\|in doubt\): ' <<<"$output")" "$(query "SELECT count(*) FROM told_standing WHERE is_wrong" "$JOB/sqlite/msprof.db")"
		equal "$(query "SELECT group_concat(about) FROM standing WHERE standing = 'contradicted' AND about <> 'counters'" "$JOB/sqlite/msprof.db")" ""
		count=$((count + 1))
	done < <(find genuine -type d -name 'JOB*' | sort)
	[ "$count" -ge 31 ]
}
