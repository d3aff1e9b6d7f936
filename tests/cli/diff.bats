#!/usr/bin/env bats
# diff.bats: what changed between two collections: matching, the split, samples and noise; every number computed a second time.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/diff

# checked BASE NEW: the document is in $output, and Python computes its numbers from the bytes of the jobs
checked() {
	local base=("$1") new=("$2")
	[ -d "$1/data" ] || base=("$1"/*)
	[ -d "$2/data" ] || new=("$2"/*)
	expect 0 diff -q "$1" "$2" --format json
	echo "$output" >document.json
	python3 "$HELPERS/diff_check.py" document.json "${base[@]}" -- "${new[@]}" || fail "$1 $2"
}

# row NAME FILTER: of the row with this name
row() {
	jq -r --arg name "$1" ".groups[0].rows[] | select(.name == \$name or .base_name == \$name) | $2" <<<"$output"
}

@test "new, gone, more calls, slower each: the split has no remainder, and Python computes every number" {
	job JOBA 1 a
	job JOBB 1 b slow:conv3:1.2 drop:conv1 add:extra:55 twice:conv4
	checked JOBA JOBB
	equal "$(row conv3 '.match + " " + .verdict')" "same slower"
	equal "$(row conv1 '.match + " " + .verdict')" "gone faster"
	equal "$(row extra '.match + " " + .verdict')" "new slower"
	equal "$(row conv4 '[.base_calls, .new_calls, .verdict] | join(" ")')" "1 2 slower"
	jq -e '.groups[0] | (.parts | add) == .total.change_ns and .parts.new_ns > 50000 and .parts.gone_ns < 0 and .parts.calls_ns > 0 and .parts.each_ns > 0' <<<"$output"
	equal "$(jq -r '.groups[0].rows | map(select(.verdict != "same").name // .base_name) | sort | join(" ")' <<<"$output" | tr ' ' '\n' |
		grep -cE '^(conv1|conv3|conv4|extra)$')" 4
}

@test "renamed, fused and repeated operators are matched by layers and order" {
	job JOBA 1 a same:conv3:conv4
	job JOBB 1 b same:conv3:conv4 rename:conv2:conv2_tuned fuse:conv5:conv6 add:extra:30
	checked JOBA JOBB
	equal "$(row conv2 .match)" "same"
	equal "$(row conv5,conv6 '.match + " of " + .base_name')" "by layers of conv5 + conv6"
	equal "$(row conv3 .match)" $'same\nsame'
	checked JOBB JOBA
	equal "$(row 'conv5 + conv6' '.match + " of " + .base_name')" "by layers of conv5,conv6"
}

@test "samples are jobs where there are enough, else steps, else none" {
	runs base 5 2 b run=0.004
	runs new 5 2 n run=0.004 scale=1.05
	runs few 3 2 f
	job JOBONE 2 o
	job JOBSTEP 2 s pictures=1
	job JOBSLOW 2 t pictures=1 scale=1.2
	checked base new
	equal "$(jq -r '.groups[0] | [.samples, .base_jobs, .new_jobs, .base_steps, .total.p] | join(" ")' <<<"$output")" "jobs 5 5 100 0.007936507936507936"
	checked few new
	equal "$(jq -r '.groups[0].samples' <<<"$output")" steps
	checked JOBONE few
	equal "$(jq -r '.groups[0].samples + " " + .groups[0].total.verdict' <<<"$output")" "steps same"
	checked JOBSTEP JOBSLOW
	equal "$(jq -r '.groups[0] | [.samples, .total.p, .total.verdict] | join(" ")' <<<"$output")" "none  slower"
	checked JOBSTEP JOBONE
	equal "$(jq -r '.groups[0] | [.samples, .total.verdict] | join(" ")' <<<"$output")" "none inconclusive"
	expect 0 diff -q JOBSTEP JOBSLOW
	has "$output" "too few samples for a test: a change counts beyond 5.0 %"
	expect 0 diff -q JOBONE few
	has "$output" "samples are steps of jobs, which are correlated: a change counts from 2.0 % on"
}

@test "a side against itself: nothing changed, whatever it is" {
	runs base 2 3 b
	for side in base "$JOB"; do
		expect 0 diff -q "$side" "$side" --format json
		jq -e '.comparable.score == 100 and all(.groups[] | .total, .p95, .rows[]; .change_ns == 0 and .verdict == "same") and
			all(.groups[].parts[]; . == 0) and all(.calls[]; .verdict == "same")' <<<"$output"
	done
	checked base base
}

@test "the second computation refuses wrong numbers" {
	job JOBA 1 a
	job JOBB 1 b slow:conv3:1.2
	checked JOBA JOBB
	for change in '.groups[0].total.base_ns += 1' '.groups[0].total.low_ns += 1' '.groups[0].rows[0].each_ns += 1' '.groups[0].rows[2].new_median_ns += 1' \
		'.groups[0].rows[1].verdict = "faster"' '.groups[0].parts.new_ns += 1' '.calls[0].new_calls += 1' '.groups[0].total.p /= 2' '.schema = "other"'; do
		jq "$change" document.json >changed.json
		! python3 "$HELPERS/diff_check.py" changed.json JOBA -- JOBB 2>/dev/null || fail "$change"
	done
}

@test "calls are matched by name and the role of their thread, not by its number" {
	job JOBA 1 a
	job JOBB 1 b thread calls=2
	checked JOBA JOBB
	equal "$(jq -r '.calls[] | [.name, .role, .base_calls, .new_calls, .match] | join(" ")' <<<"$output" | sort)" \
		"svp_acl_mdl_execute svp_acl_mdl_execute 1 1 same
svp_acl_mdl_load_from_mem svp_acl_mdl_execute 0.05 0.025 same
svp_acl_mdl_unload svp_acl_mdl_execute 0.05 0.025 same
svp_acl_rt_synchronize_stream svp_acl_mdl_execute 1 1 same
svp_acl_rt_synchronize_stream svp_acl_rt_synchronize_stream 1 1 same" # of two executions for each inference, one was sampled
}

@test "what differs is said, with a score" {
	job JOBA 1 a
	job JOBB 1 b clock=900 drop:conv1
	expect 0 diff -q JOBA JOBB --format json
	equal "$(jq -r '.comparable.facts[] | select(.equal | not) | [.name, .base, .new] | join(" ")' <<<"$output")" "clock 700 900
tasks 16 15"
	score=$(jq '.comparable.facts | 100 * ([.[] | select(.equal).weight] | add) / (map(.weight) | add) | round' <<<"$output")
	[ "$score" -gt 70 ] && [ "$score" -lt 80 ]
	equal "$(jq .comparable.score <<<"$output")" "$score"
	expect 0 diff -q JOBA JOBB
	has "$output" "comparable: $score of 100" "Clock(MHz)"
	job JOBC 1 c model=other
	expect 0 diff -q JOBA JOBC --format json # each side has one model only
	equal "$(jq -r '.groups[0] | .base_title + " " + .title' <<<"$output")" "planted other"
}

@test "a list of what is in doubt may be empty, and a word of it long" {
	local long
	job JOBA 1 a pictures=2
	expect 0 diff -q --save A.json -dir JOBA
	long=$(printf 'x%.0s' {1..120})
	jq -c --arg long "$long" '.facts.doubt = $long | .facts.contradicted = ""' A.json >B.json
	jq -c '.facts.doubt = "" | .facts.contradicted = "tasks"' A.json >C.json
	expect 0 diff -q C.json B.json --format markdown
	has "$output" "BASE , NEW ${long:0:100}" "|  | $long |" "| tasks |  |"
}

@test "where nothing is known of both, no score is invented" {
	job JOBA 1 a pictures=2
	expect 0 diff -q --save A.json -dir JOBA
	jq -c '.facts = {}' A.json >B.json
	expect 0 diff -q B.json JOBA
	has "$output" "comparable: unknown" "nothing is known of both"
	expect 0 diff -q B.json JOBA --format json
	equal "$(jq -c '.comparable.score' <<<"$output")" null
}

@test "databases are sides, like their jobs" {
	job JOBA 1 a
	job JOBB 1 b
	expect 0 diff -q JOBA JOBB --format json
	want=$(jq 'del(.base, .new)' <<<"$output")
	expect 0 diff -q JOBA/sqlite/msprof.db JOBB/sqlite/msprof.db --format json
	equal "$(jq 'del(.base, .new)' <<<"$output")" "$want"
	MSPROF_PLAIN=1 expect 0 diff -q JOBA JOBB --format json
	equal "$(jq 'del(.base, .new)' <<<"$output")" "$want"
}

@test "a common factor with its interval comes first, then what differs from it; the same rows are one" {
	job JOBA 1 a
	job JOBB 1 b scale=1.04
	checked JOBA JOBB
	has "$(jq -r '.groups[0].verdict' <<<"$output")" "planted: slower, " ": all operators +4." ": clock or memory"
	equal "$(jq -c '.groups[0] | [.common.operators == .common.of, .common.low_share < 0.04, .common.high_share > 0.04, ([.rows[].against_common] | unique)]' <<<"$output")" \
		'[true,true,true,["same"]]'
	job JOBC 1 c scale=1.04 slow:conv3:1.2
	checked JOBA JOBC
	has "$(jq -r '.groups[0].verdict' <<<"$output")" ": 15 of 16 operators +" "; beside that conv3 +"
	expect 0 diff -q JOBA JOBC
	equal "$(head -1 <<<"$output")" "$("$MSPROF" diff -q JOBA JOBC --format json | jq -r '.groups[0].verdict')"
	equal "$(sed -n '/^Operators/,/^$/p' <<<"$output" | grep -c ' │ \(slower\|faster\|inconclusive\) ')" 1
	has "$output" " 17 further rows, which changed as the others did"
	job JOBD 1 d slow:conv3:1.2 # one operator is no common factor
	checked JOBA JOBD
	jq -e '.groups[0] | .common == null and (.verdict | test("mostly conv3 [+]")) and all(.rows[]; .verdict == .against_common)' <<<"$output"
	checked JOBA JOBA
	jq -e '.groups[0] | .common == null and (.verdict | test("^planted: the same, "))' <<<"$output"
	for change in '.verdict |= sub("[+]4[.]."; "+5.0")' '.common.operators -= 1' '.rows[0].against_common = "faster"'; do
		"$MSPROF" diff -q JOBA JOBC --format json | jq ".groups[0] |= ($change)" >document.json
		! python3 "$HELPERS/diff_check.py" document.json JOBA -- JOBC 2>/dev/null || fail "$change"
	done
}

@test "Base, New and Change of a row are means that agree, and Shift is named beside them" {
	job JOBA 1 a
	job JOBB 1 b slow:conv3:1.5
	expect 0 diff -q JOBA JOBB
	has "$output" "│ Base(us) │ New(us) │ Change(%) │ Shift(%) │" "Base, New and Change are means; Shift is the change of the medians"
	awk -F ' *│ *' '$2 ~ /^(inference|conv3)$/ {change = $2 == "conv3" ? $7 : $5; base = $2 == "conv3" ? $4 : $3; new = $2 == "conv3" ? $5 : $4;
		off = 100 * (new - base) / base - change; if (off > 0.011 || off < -0.011) {print; exit 1} n++} END {exit n != 2}' <<<"$output" || fail "$output"
}

@test "CSV has a row for each total, operator and call; the table fits 80 columns" {
	job JOBA 1 a
	job JOBB 1 b add:extra:55
	expect 0 diff -q JOBA JOBB --format csv
	equal "$(head -1 <<<"$output")" "Group,Kind,Name,Base name,Shape or thread,Match,Base calls,New calls,Base(us),New(us),Change(us),Change(%),Shift(%),From(%),To(%),p,Verdict,Against common"
	rows=$(wc -l <<<"$output")
	[[ $output == *$'\n'planted,total,total,* && $output == *,extra,N/A,* ]]
	expect 0 diff -q JOBA JOBB --format json
	equal "$(jq '1 + (.groups[0].rows | length) + (.calls | length) + 2' <<<"$output")" "$rows"
	expect 0 diff -q JOBA JOBB --top 3
	has "$output" "Where the change is :" "extra (new)" "more row"
	expect 0 diff -q JOBA JOBB --top 0
	lacks "$output" "more row"
	needs_terminal
	python3 "$HELPERS/pty_run.py" 80 "$MSPROF" diff -q JOBA JOBB >screen || fail "$(cat screen)"
	equal "$(sed 's/\x1b\[[0-9;]*m//g; s/\r//' screen | LC_ALL=C.UTF-8 grep -cE "^.{81}")" 0
}

@test "PROF, 2022 and 910 data: iterations where there are some, calls, shapes; another family is refused" {
	for n in 1 2; do
		"$BUILD/tests/genprof" --out PROF_$n --tasks $((40 + 4 * n)) >/dev/null
	done
	expect 0 diff -q PROF_1 PROF_2 --format json
	jq -e '.groups[0] | .what == "collection" and .samples == "none" and (.parts | add) == .total.change_ns and .parts.new_ns > 0 and
		([.rows[] | select(.match == "new")] | length) == 4' <<<"$output"
	expect 1 diff -q PROF_1 "$JOB"
	has "$stderr" "BASE has data of the family 'prof', NEW of 'svp': nothing to compare"
	for name in ascend910-job ascend-job-2022-steps; do
		[ -d "$SHARED/$name" ] || skip "no reference data"
		old=$(find "$SHARED/$name" -maxdepth 1 -name 'JOB*')
		cp -r "$old" "JOB_$name"
		chmod -R u+w "JOB_$name"
		run --separate-stderr "$MSPROF" diff -q "JOB_$name" "JOB_$name" --format json
		[ "$status" = 0 ] || [ "$status" = 3 ]
		jq -e '.groups[0] | .what == "iteration" and .base_steps > 1 and (.parts | add) == 0 and .total.verdict == "same" and (.rows | length) > 5' <<<"$output"
	done
}

@test "fused operators of PROF data are matched by the framework's description" {
	"$BUILD/tests/genprof" --out PROF_1 --tasks 40 >/dev/null
	"$MSPROF" import -q -dir PROF_1
	db=$(find PROF_1 -name msprof.db)
	cp "$db" base.db
	cp "$db" new.db
	# the first two operators become one: its tasks have a new name, whose description has both
	python3 - new.db <<-'END'
		import sqlite3, struct, sys
		db = sqlite3.connect(sys.argv[1])
		two = [h for h, in db.execute("SELECT op_name FROM task WHERE is_op = 1 GROUP BY op_name ORDER BY min(id) LIMIT 2")]
		db.execute("INSERT INTO name VALUES(77, 'fused')")
		db.execute("INSERT INTO fusion_op_info(fusion_name, op_num, ops) VALUES(77, 2, ?)", (struct.pack("<2q", *two),))
		db.execute("UPDATE task SET op_name = 77 WHERE op_name IN (?, ?)", two)
		db.commit()
	END
	expect 0 diff -q base.db new.db --format json
	equal "$(row fused '.match + " " + (.base_name | split(" + ") | length | tostring)')" "by layers 2"
	jq -e '.groups[0] | ([.rows[] | select(.match == "new" or .match == "gone")] == []) and .parts.new_ns == 0' <<<"$output"
}

@test "host and devices of a PROF directory of 2022 are one job, with a group for each device" {
	needs_shared ascend-job-2022-steps
	one=$(find "$SHARED/ascend-job-2022-steps" -maxdepth 1 -name 'JOB*')
	for name in set/PROF_1 set/PROF_2; do
		mkdir -p $name
		cp -r "$one" $name/device_0
		cp -r "$one" $name/device_1
		chmod -R u+w $name
		while read -r file; do
			other=$(sed 's/\.0$/.1/; s/\.0\.slice_/.1.slice_/' <<<"$file")
			[ "$file" = "$other" ] || mv "$file" "$other"
		done < <(find $name/device_1 -type f)
	done
	run --separate-stderr "$MSPROF" diff -q set/PROF_1 set --format json
	equal "$(jq -c '[.base.jobs, .new.jobs], (.groups[] | [.title, .base_jobs, .new_jobs, .total.change_ns])' <<<"$output")" '[1,2]
["device 0",1,2,0]
["device 1",1,2,0]'
}

@test "models and devices are groups of their own, each with its split" {
	genjob JOB1 --models 2 --devices 2 --pictures 6 --seed 1
	genjob JOB2 --models 2 --devices 2 --pictures 6 --seed 2 --fused 60
	expect 0 diff -q JOB1 JOB2 --format json
	equal "$(jq '.groups | length' <<<"$output")" 4
	jq -e 'all(.groups[]; .base_steps == 6 and (.parts | add) == .total.change_ns and ([.rows[].change_ns] | add) == .total.change_ns) and
		any(.groups[].rows[]; .match == "by layers")' <<<"$output"
	expect 6 diff -q JOB2 JOB1 --fail-if 'total > 3%' # one of the four is slower
	expect 1 diff -q JOB1 "$JOB/data"
}

@test "a PROF directory: Python adds up the rows of its tasks" {
	"$BUILD/tests/genprof" --out PROF_1 --tasks 60 >/dev/null
	"$BUILD/tests/genprof" --out PROF_2 --tasks 50 >/dev/null
	expect 0 diff -q PROF_1 PROF_2 --format json
	echo "$output" >document.json
	python3 - document.json "$(find PROF_1 -name msprof.db)" "$(find PROF_2 -name msprof.db)" <<-'END'
		import json, sqlite3, sys
		g = json.load(open(sys.argv[1]))["groups"][0]
		for side, path in (("base", sys.argv[2]), ("new", sys.argv[3])):
		    db = sqlite3.connect(path)
		    names = dict(db.execute("SELECT hash, name FROM name"))
		    spans, sums = [], {}
		    for name, start, dur in db.execute("SELECT op_name, start_ns, dur_ns FROM task WHERE is_op = 1 AND start_ns IS NOT NULL"):
		        spans.append((start, start + dur))
		        count, total = sums.get(names[name], (0, 0))
		        sums[names[name]] = count + 1, total + dur
		    spans.sort()
		    busy, at = 0, spans[0][0]
		    for a, b in spans:
		        busy, at = busy + max(0, b - max(a, at)), max(at, b)
		    length = max(b for _, b in spans) - spans[0][0]
		    sums["idle"] = 1, length - busy
		    sums["overlap"] = 1, busy - sum(b - a for a, b in spans)
		    name = {"base": "base_name", "new": "name"}[side]
		    got = {r[name]: (r[side + "_calls"], r[side + "_ns"]) for r in g["rows"] if r[name] is not None}
		    assert got == sums, (side, got, sums)
		    assert g["total"][side + "_ns"] == length
	END
}

@test "errors: no side, one side, three sides, nothing there, no step, options of the other form" {
	job JOBA 1 a
	for words in "" JOBA "JOBA JOBA JOBA" "-dir JOBA JOBA" "--save x.json" "--save x.json JOBA JOBA" "JOBA JOBA --format xml" \
		"--save x.json JOBA --fail-if total>5%" "--save x.json JOBA --inconclusive pass" "--save x.json JOBA --junit x.xml"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 2 diff -q $words
		has "$stderr" "Try 'msprof diff --help'."
		[ ! -e x.json ]
	done
	expect 1 diff -q JOBA nosuch
	expect 1 diff -q nosuch JOBA
	genjob JOBHOST --host-only
	expect 1 diff -q JOBA JOBHOST
	has "$stderr" "BASE and NEW have no step in common: NEW has none, as no task of a device was read"
	mkdir empty
	expect 1 diff -q JOBA empty
	: >nothing
	expect 1 diff -q JOBA nothing
	has "$stderr" "'nothing' is not a usable baseline: the text is not a JSON object"
}

@test "damaged data is exit status 3" {
	job JOBA 1 a
	job JOBB 1 b
	truncate -s -100 JOBB/data/aicore.0.planted.16.7.1.1.3
	expect 3 diff -q JOBA JOBB --format json
	equal "$(jq -r '.schema' <<<"$output")" msprof.diff/1
}
