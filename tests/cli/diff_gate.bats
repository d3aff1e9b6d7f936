#!/usr/bin/env bats
# diff_gate.bats: baselines and conditions of `msprof diff`: exit statuses, JUnit, Markdown, hostile files, a pipeline's gate.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/diff

@test "a baseline gives the results of its jobs, is small, and the same each time" {
	runs base 3 1 b
	job JOBNEW 1 n slow:conv3:1.2
	expect 0 diff -q base JOBNEW --format json
	want=$(jq 'del(.base, .new)' <<<"$output")
	expect 0 diff -q --save base.json -dir base
	expect 0 diff -q --save again.json base
	cmp base.json again.json
	[ "$(wc -c <base.json)" -lt 8192 ]
	equal "$(stat -c %a base.json)" 640
	expect 0 diff -q base.json JOBNEW --format json
	equal "$(jq 'del(.base, .new)' <<<"$output")" "$want"
	expect 0 diff -q base.json base --format json
	jq -e '.comparable.score == 100 and all(.groups[] | .total, .rows[]; .verdict == "same" and .change_ns == 0)' <<<"$output"
	jq -e '.schema == "msprof.baseline/1" and .family == "svp" and .jobs == 3 and (.groups[0].samples | length) == 15 and
		all(.groups[0]; . as $g | all(range(15); . as $i | ([$g.items[].ns[$i]] | add) == $g.samples[$i].total_ns))' base.json
	documented=$(sed -n '/^| member | value |$/,/^$/p' "$ROOT/docs/INSIGHT.md" | sed 's/\[\]//g')
	for key in $(jq -r '[paths | map(strings) | last] | unique - (.facts | keys) | .[]' base.json); do has "$documented" "\`$key\`"; done
}

@test "every member of the JSON document is documented, and numbers are numbers" {
	job JOBA 1 a
	job JOBB 1 b add:extra:100
	expect 0 diff -q JOBA JOBB --format json --fail-if 'total > 50%'
	documented=$(sed -n '/^| member | value |$/,/^$/p' "$ROOT/docs/INSIGHT.md" | sed 's/\[\]//g')
	for key in $(jq -r '[paths | map(strings) | last] | unique[]' <<<"$output"); do has "$documented" "\`$key\`"; done
	jq -e '[.. | strings | select(test("^(N/A|nan|inf|-)$"))] == [] and all(.groups[0].rows[]; (.base_ns, .new_ns, .change_ns, .shift_ns | type) == "number") and
		(.groups[0].rows[] | select(.name == "extra") | .base_name == null and .change_share == null)' <<<"$output"
}

@test "a condition that noise alone would decide says how far beyond its limit a change counts" {
	runs base 5 1 b
	runs new 5 1 n slow:conv3:1.1
	expect 0 diff -q base new --format json
	read -r below middle above < <(jq -r '.groups[0].total | [(.low_ns, .shift_ns, .high_ns) * 100 / .base_median_ns] |
		"\(.[0] - 0.02) \(.[1]) \(.[2] + 0.02)"' <<<"$output")
	for limit in "$below" "$above"; do # just outside what noise allows
		expect 7 diff -q base new --fail-if "total > $limit%"
		has "$output" undecided "a change counts from 0.50 % beyond the limit"
	done
	expect 7 diff -q base new --fail-if "total > $middle%"
	lacks "$output" "beyond the limit"
}

@test "conditions: 6 where one holds beyond noise, 7 where it cannot be decided, 0 where all passed" {
	runs base 5 1 b
	runs new 5 1 n slow:conv3:1.5
	job JOBSTEP 1 s pictures=1
	expect 6 diff -q base new --fail-if 'total > 2%'
	has "$output" "Conditions :" "total > 2%" "holds"
	expect 0 diff -q base new --fail-if 'total > 50%' --fail-if 'p95 > 50 %' --fail-if 'op conv1 > 10%' --fail-if ' call  svp_acl_rt_synchronize_stream>10.5 % '
	expect 6 diff -q base new --fail-if 'total > 50%' --fail-if 'op conv3 > 40%'
	expect 0 diff -q base new --fail-if 'op conv3 > 60%'
	expect 7 diff -q base new --fail-if 'op conv3 > 50%'
	expect 7 diff -q base JOBSTEP --fail-if 'total > 3%'
	expect 0 diff -q base JOBSTEP --fail-if 'total > 3%' --inconclusive pass
	expect 6 diff -q base JOBSTEP --fail-if 'total > 3%' --inconclusive fail
	expect 6 diff -q JOBSTEP new --fail-if 'op conv1 > 3%' --fail-if 'op conv3 > 10%' # one holds, one is undecided
	expect 6 diff -q base new --format json --fail-if 'total > 2%'
	jq -e '.conditions == [.conditions[0]] and .conditions[0].result == "holds" and .conditions[0].limit_share == 0.02 and
		.conditions[0].low_share > 0.02 and .conditions[0].shift_share > 0.02' <<<"$output"
	expect 0 diff -q base base --fail-if 'total > 0%' --fail-if 'p95 > 0%'
}

@test "a condition on an operator: new and fused ones, one of its layers, none" {
	job JOBA 1 a
	job JOBB 1 b add:extra:10 slow:conv5:3 fuse:conv5:conv6
	expect 6 diff -q JOBA JOBB --fail-if 'op extra > 1000%'
	expect 6 diff -q JOBA JOBB --fail-if 'op conv6 > 10%'
	expect 0 diff -q JOBB JOBA --fail-if 'op extra > 0%' # gone
	expect 1 diff -q JOBA JOBB --fail-if 'op conv66 > 10%' --inconclusive pass
	has "$stderr" "neither BASE nor NEW has the operator 'conv66' of the condition 'op conv66 > 10%'; did you mean 'conv6'?"
	for condition in '' 'total' 'total > 5' 'total > ' 'total > x' 'total > -1%' 'total > nan' 'total > 1e999%' 'total > 0x5' 'total < 5%' 'op > 5%' 'op  > 5%' \
		'p50 > 5%' 'total x > 5%' 'total > 5% 6' 'total > 5%%' 'total > 1.2.3'; do
		expect 2 diff -q JOBA JOBB --fail-if "$condition"
		has "$stderr" "invalid condition '$condition'"
	done
}

@test "JUnit: a test case for each condition, safe whatever the names are" {
	job JOBA 1 a
	job JOBB 1 b slow:conv3:1.5
	job JOBSTEP 1 s pictures=1
	name=$'evil<&>"\'\x01\xff ]]>\xef\xbf\xbf\e[31m'
	for side in A B; do
		expect 0 diff -q --save $side.json -dir JOB$side
		python3 - $side.json "$name" <<-'END'
			import json, os, sys
			path, name = sys.argv[1], os.fsencode(sys.argv[2]).decode("utf-8", "replace")
			text = open(path, encoding="utf-8").read()
			open(path, "w", encoding="utf-8").write(text.replace('"name": "conv3"', '"name": ' + json.dumps(name)))
		END
	done
	name=$(printf %s "$name" | python3 -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode("utf-8", "replace").encode())')
	expect 6 diff -q A.json B.json --junit out.xml --fail-if "op $name > 20%" --fail-if 'total > 90%'
	python3 - out.xml <<-'END'
		import sys, xml.etree.ElementTree as E
		suite = E.parse(sys.argv[1]).getroot().find("testsuite")
		assert dict(suite.attrib) == {"name": "msprof diff", "tests": "2", "failures": "1", "errors": "0", "skipped": "0"}, suite.attrib
		bad, good = suite.findall("testcase")
		assert bad.find("failure") is not None and "changed by +" in bad.find("failure").get("message")
		assert "evil<&>\"'\\x01" in bad.get("name") and good.get("name") == "total > 90%" and good.find("failure") is None
	END
	equal "$(grep -cP '[\x00-\x08\x0b-\x1f]' out.xml)" 0
	for word in error:7: skipped:0:pass failure:6:fail; do
		IFS=: read -r element want inconclusive <<<"$word"
		expect "$want" diff -q JOBA JOBSTEP --junit out.xml --fail-if 'total > 3%' ${inconclusive:+--inconclusive $inconclusive}
		grep -q "<$element message=" out.xml
	done
	expect 2 diff -q JOBA JOBB --junit out.xml
	expect 1 diff -q JOBA JOBB --junit nosuch/out.xml --fail-if 'total > 90%'
}

@test "JUnit: a diff that fails leaves no result of an earlier run, but errors with the reason" {
	job JOBA 1 a
	gate=(--junit out.xml --fail-if 'total > 90%' --fail-if 'p95 > 3%')
	for why in "cannot open 'nosuch'" "neither BASE nor NEW has" "standard output"; do
		expect 0 diff -q JOBA JOBA --junit out.xml --fail-if 'total > 90%'
		case $why in
		cannot*) expect 1 diff -q JOBA nosuch "${gate[@]}" ;;
		neither*) expect 1 diff -q JOBA JOBA "${gate[@]}" --fail-if 'op nosuch > 1%' ;;
		*) run -1 sh -c 'exec "$@" >/dev/full' sh "$MSPROF" diff -q JOBA JOBA "${gate[@]}" ;;
		esac
		python3 - out.xml "$why" <<-'END'
			import sys, xml.etree.ElementTree as E
			suite = E.parse(sys.argv[1]).getroot().find("testsuite")
			cases = suite.findall("testcase")
			assert suite.get("errors") == suite.get("tests") == str(len(cases)) and len(cases) >= 2 and suite.get("failures") == "0", suite.attrib
			assert all(sys.argv[2] in c.find("error").get("message") for c in cases), [c.find("error").get("message") for c in cases]
		END
	done
}

@test "Markdown: tables of a merge request, in which names are only text" {
	job JOBA 1 a
	job JOBB 1 b slow:conv3:1.5
	expect 6 diff -q JOBA JOBB --format markdown --fail-if 'total > 2%'
	equal "$(head -1 <<<"$output" | cut -d, -f1)" "planted: slower"
	has "$output" "### Conditions" "| total \\> 2% | holds |" "### Change of planted" "| Operator | Calls |" $'|---|---|---|---|---|---|---|\n| conv3 | 1 |'
	expect 0 diff -q --save A.json -dir JOBA
	sed -i 's/"name": "conv3"/"name": "a|b`c`*d*<script>[x](y)@all\\n#1\\u001b[0m"/' A.json
	expect 0 diff -q A.json A.json --format markdown --top 0
	has "$output" 'a\|b\`c\`\*d\*&lt;script\>\[x\](y)&#64;all \#1\x1b\[0m'
	equal "$(grep -c $'\e' <<<"$output")" 0
}

@test "names of 10,000 characters, and with control characters, in every format" {
	job JOBA 1 a
	expect 0 diff -q --save A.json -dir JOBA
	long=$(printf 'n%.0s' {1..10000})
	sed "s/\"name\": \"conv3\"/\"name\": \"$long\"/; s/\"name\": \"conv1\"/\"name\": \"c\\\\u0007\\\\u202e,\\\\\"1\"/" A.json >B.json
	for format in table csv json markdown; do
		expect 6 diff -q A.json B.json --format $format --fail-if "op $long > 5%"
		lacks "$output" $'\a' $'\xe2\x80\xae'
	done
	expect 6 diff -q A.json B.json --format json --fail-if "op $long > 5%"
	jq -e --arg long "$long" '[.groups[0].rows[] | select(.match == "new").name] | sort == ["c\u0007\u202e,\"1", $long]' <<<"$output"
}

@test "a hostile baseline is refused with a reason" {
	job JOBA 1 a pictures=3
	expect 0 diff -q --save A.json -dir JOBA
	refused() {
		expect 1 diff -q B.json JOBA
		has "$stderr" "'B.json' is not a usable baseline" "$1"
		expect 1 diff -q JOBA B.json
	}
	while IFS=$'\t' read -r filter reason; do
		jq -c "$filter" A.json >B.json
		refused "$reason"
	done <<-'END'
		.schema = "msprof.baseline/2"	its schema is not msprof.baseline/1
		del(.schema)	its schema is missing
		[.]	the text is not a JSON object
		.family = ""	the family is missing or invalid
		.family = "a family with a long name"	the family is missing or invalid
		.jobs = 0	the number of jobs is missing or invalid
		.jobs = 65	the number of jobs is missing or invalid
		.jobs = 1.5	the number of jobs is missing or invalid
		.facts = []	the facts are missing or invalid
		.facts.clock = 700	a fact is not a text
		.groups = {}	the list of groups is missing or invalid
		.groups += .groups	two groups with the title
		.groups[0].title = 7	a group without a title
		.groups[0].samples = [] | .groups[0].runs = []	a group without samples
		.groups[0].samples[0].steps = 0	invalid numbers in a sample
		.groups[0].samples[0].total_ns = -1	invalid numbers in a sample
		.groups[0].samples[0].total_ns += 1	the items do not add up to the samples
		.groups[0].samples[0].run = 5	invalid numbers in a sample
		.groups[0].samples[2].run = 1	runs without samples, or samples without runs
		.groups[0].runs = [range(70) | {steps: 1, p95_ns: 1}]	the list of runs is missing or invalid
		.jobs = 2 | .groups[0].runs += .groups[0].runs	runs without samples, or samples without runs
		.groups[0].samples = [range(70) | {run: 0, steps: 1, total_ns: 1}]	the list of samples is missing or invalid
		.groups[0].runs[0].p95_ns = "1"	invalid numbers in a run
		.groups[0].items = 5	the list of items is missing or invalid
		.groups[0].items[0].ns = [1]	an invalid item
		.groups[0].items[0].ns[0] = 0.5	invalid times
		.groups[0].items[0].ns[0] = 9e18	invalid times
		.groups[0].items[0].ns[0] = -5	invalid times
		.groups[0].items[0].calls = -1	an invalid item
		.groups[0].items[0].name = null	an invalid item
		.groups[0].items[0].kind = "call"	an invalid item
		.groups[0].items[0].layers = [1]	a layer is not a text
		.calls = null	the list of runs is missing or invalid
		.calls.items[0].kind = "operator"	an invalid item
	END
	for text in '{"schema": "msprof.baseline/1"' '{}x' '' 'null' "$(printf '[%.0s' {1..5000})" '{"schema": NaN}' '{"jobs": 1e999, "schema": "msprof.baseline/1", "family": "x"}'; do
		printf '%s' "$text" >B.json
		refused ""
	done
	sed 's/"ns": \[[0-9]*/"ns": [NaN/' A.json >B.json
	refused "the text is not a JSON object"
	sed 's/"name": "conv1"/"name": "a\\u0000b"/' A.json >B.json
	refused "a text holds the character NUL"
	printf '{"schema": "msprof.baseline/1", "family": "\xff"}' >B.json
	refused "the text is not a JSON object"
	truncate -s 9M B.json
	expect 1 diff -q B.json JOBA
	has "$stderr" "a baseline is a regular file of at most 8 MiB"
	mkfifo pipe
	expect 1 diff -q pipe JOBA
}

@test "a baseline with as many calls as a number holds, of operators that became one" {
	job JOBA 1 a pictures=1
	expect 0 diff -q --save A.json -dir JOBA
	jq -c '.groups[0].items |= [.[0] | .layers = ["x"] | .calls = 9007199254740992 | .ns = [0], (.name = "one" | .ns = [5])] |
		.groups[0].samples[0].total_ns = 5 | .groups[0].items += [range(1100) as $i | .groups[0].items[0] | .name = "part\($i)"]' A.json >B.json
	jq -c '.groups[0].items |= [.[0] | .name = "whole"] | .groups[0].items[0].layers = ["x"]' B.json | jq -c '.groups[0].items[0].ns = [5]' >C.json
	expect 0 diff -q B.json C.json --format json
	jq -e '[.groups[0].rows[] | [.match, .base_calls > 9e18, .base_ns]] == [["by layers", true, 5]]' <<<"$output"
}

@test "calls that BASE does not have are calls, not operators" {
	job JOBA 1 a pictures=2
	job JOBB 1 b pictures=2
	expect 0 diff -q --save A.json -dir JOBA
	jq -c '.calls |= (.runs = [] | .samples = [] | .items = [])' A.json >B.json
	expect 6 diff -q B.json JOBB --fail-if 'call svp_acl_mdl_execute > 5%'
	has "$output" "BASE has no such call" "│ Call " "│ Thread "
}

@test "the README's gate: 0, 6 and 7, with a report" {
	sed -n '/^#!\/bin\/sh$/,/^```$/p' "$ROOT/README.md" | sed '/^```$/,$d' >whole.sh
	equal "$(wc -l <whole.sh)" 6
	grep -v '^msprof collect' whole.sh >gate.sh # tests/cli/collect_repeat.bats runs it as a whole
	runs before 5 1 b
	runs after 5 1 n
	expect 0 diff -q --save baseline.json -dir before
	export PATH=$BUILD:$PATH
	run --separate-stderr sh gate.sh
	equal "$status" 0
	has "$output" "| total \\> 5% | passed |"
	grep -q 'failures="0"' diff.xml
	discard after
	runs after 5 1 n scale=1.08
	run --separate-stderr sh gate.sh
	equal "$status" 6
	has "$(cat diff.md)" "| total \\> 5% | holds |"
	grep -q 'failures="1"' diff.xml
	discard after
	runs after 1 1 n pictures=1 scale=1.02
	run --separate-stderr sh gate.sh
	equal "$status" 7
}

@test "what is written appears whole or not at all" {
	job JOBA 1 a
	expect 0 diff -q --save base.json -dir JOBA
	snapshot=$(cat base.json)
	expect 1 diff -q --save base.json -dir nosuch
	expect 1 diff -q --save nosuch/base.json -dir JOBA
	genjob JOBHOST --host-only
	expect 1 diff -q --save base.json -dir JOBHOST
	has "$stderr" "no step: a baseline would be empty"
	equal "$(cat base.json)" "$snapshot"
	no_part_files .
}

@test "--save and --junit replace files alone: no device, pipe, link or directory, and no path is cut" {
	job JOBA 1 a pictures=3
	mkfifo pipe
	mkdir folder
	echo kept >file
	ln -s file link
	ln -s nowhere dangling
	ln -s /dev/null device
	for path in pipe folder folder/ link dangling device; do
		for words in "--save $path JOBA" "JOBA JOBA --fail-if total>90% --junit $path"; do
			# shellcheck disable=SC2086 # several words
			expect 1 diff -q $words
			has "$stderr" "'$path' is not a regular file, and is not replaced"
		done
	done
	[ -p pipe ]
	[ -L link ]
	equal "$(cat file)" kept
	expect 1 diff -q --save "$(printf './%.0s' {1..2100})x" JOBA
	has "$stderr" "path too long"
	[ ! -e x ]
	no_part_files .
}

@test "a baseline that is written can be read, or none is written" {
	job JOBA 1 a
	expect 0 import -q -dir JOBA
	cp JOBA/sqlite/msprof.db some.db # half of the inferences have no time
	sqlite3 some.db "UPDATE aicore_task SET start_ns = NULL WHERE rowid > 150; UPDATE aicpu_task SET start_ns = NULL WHERE rowid > 10"
	expect 0 diff -q --save some.json some.db
	jq -e '.groups[0] | .samples | length > 1 and all(.steps > 0)' some.json
	expect 0 diff -q some.json some.db --format json
	jq -e '.groups[0].total | .change_ns == 0 and .verdict == "same"' <<<"$output"
	cp JOBA/sqlite/msprof.db never.db
	sqlite3 never.db "UPDATE aicore_task SET start_ns = NULL; UPDATE aicpu_task SET start_ns = NULL"
	expect 1 diff -q --save never.json never.db
	has "$stderr" "'never.db': no step: a baseline would be empty"
	for table in aicore_task api_call; do
		cp JOBA/sqlite/msprof.db long.db
		sqlite3 long.db "UPDATE $table SET dur_ns = 4611686018427387904"
		expect 1 diff -q --save long.json long.db
		has "$stderr" "are beyond 13 days: no baseline holds them"
	done
	[ ! -e never.json ]
	[ ! -e long.json ]
}

@test "names that are no UTF-8 are the same in a baseline and in its data" {
	job JOBA 1 a pictures=3
	expect 0 import -q -dir JOBA
	sqlite3 JOBA/sqlite/msprof.db "UPDATE api_call SET name = CAST(x'61FF62' AS TEXT) WHERE rowid % 2; UPDATE layer SET ori = CAST(x'63FE' AS TEXT) WHERE task_id = 2;
		UPDATE op SET oris = CAST(x'63FE' AS TEXT), names = CAST(x'63FE' AS TEXT) WHERE task_id = 2"
	expect 0 diff -q --save A.json JOBA/sqlite/msprof.db
	expect 0 diff -q A.json JOBA/sqlite/msprof.db --format json
	jq -e '[.groups[].rows[], .calls[]] | all(.match == "same") and any(.name == "a\ufffdb") and any(.name == "c\ufffd")' <<<"$output"
}

@test "more jobs than can be compared are refused, once" {
	genjob JOBONE --host-only
	mkdir many
	for ((i = 1; i <= 65; i++)); do cp -r JOBONE many/JOB$i; done
	expect 1 diff -q many JOBONE
	equal "$stderr" "msprof: error: 'many': 65 jobs are too many to compare: at most 64"
	expect 1 diff -q --save base.json many
	[ ! -e base.json ]
}

@test "models whose long names begin alike are groups of their own" {
	job JOBA 1 a pictures=6
	expect 0 import -q -dir JOBA
	sqlite3 JOBA/sqlite/msprof.db "UPDATE source SET model = replace(hex(zeroblob(300)), '0', 'é') || (current_pic % 3), model_id = current_pic % 3 WHERE target = 'aicore_task' OR target = 'aicpu_task'"
	run --separate-stderr timeout 60 "$MSPROF" diff -q JOBA/sqlite/msprof.db JOBA/sqlite/msprof.db --format json
	equal "$status" 0
	jq -e '[.groups[].title] | length == 3 and length == (unique | length) and all(test("^é+( #[0-9])?$"))' <<<"$output"
	expect 0 diff -q --save A.json JOBA/sqlite/msprof.db
	expect 0 diff -q A.json JOBA/sqlite/msprof.db --format json
	equal "$(jq '.groups | length' <<<"$output")" 3
	sqlite3 JOBA/sqlite/msprof.db "UPDATE source SET model = 'aa' || replace(hex(zeroblob(100)), '0', 'é') || (current_pic % 3) WHERE target = 'aicore_task' OR target = 'aicpu_task'"
	expect 0 diff -q --save A.json JOBA/sqlite/msprof.db
	expect 0 diff -q A.json JOBA/sqlite/msprof.db --format json
	equal "$(jq .comparable.score <<<"$output")" 100 # the fact of the models was cut
}

@test "simulated pairs: 3 % in noise of 1 % is found, and clean pairs give no alarm" {
	mkdir pairs
	run python3 "$HELPERS/diff_pairs.py" "$MSPROF" pairs "${MSPROF_PAIRS:-5}"
	echo "$output"
	equal "$status" 0
	equal "$(wc -l <<<"$output")" 8
}
