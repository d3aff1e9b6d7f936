#!/usr/bin/env bats
# report.bats: the page of a job: every number computed a second time, hostile names, missing data, and the file itself.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/report

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

@test "every number of the page is computed a second time, for all families" {
	checked 0 "$JOB"
	equal "$(page .job.chip)" SS928
	for seed in 1 2 3; do
		genjob "JOB$seed" --seed $seed --models 2 --devices $seed --tasks $((seed * 9)) --aicpu $seed --pictures $((seed * 2)) --host-calls 200 --overlap $((seed * 20))
		checked 0 "JOB$seed"
	done
	for soc in dv500:Hi3519DV500 cv610:Hi3516CV610; do
		genjob "JOB$soc" --soc ${soc%:*} --models 3 --pictures 5 --overlap 60 --threads 3
		checked 0 "JOB$soc"
		equal "$(page .job.chip)" ${soc#*:}
	done
	for finding in 3:counters 0:idle; do
		python3 "$HELPERS/planted_svp.py" "JOB${finding#*:}" 2 "${finding#*:}"
		checked "${finding%:*}" "JOB${finding#*:}"
	done
	genjob JOBTWICE --pictures 2 # a model that was loaded twice
	for file in JOBTWICE/data/*46*; do cp "$file" "${file/46/47}"; done
	checked 0 JOBTWICE
	equal "$(page '[.timeline.tracks[] | select(.kind == "step").group] | tojson')" '["resnet50, id 46","resnet50, id 47"]'
	for seed in 1 2 3 6 7; do
		python3 "$HELPERS/ascend2022_mix.py" make "JOBMIX$seed" $seed
		checked 0 "JOBMIX$seed"
	done
	for family in ascend2022 ascend910; do
		python3 "$HELPERS/planted_ascend.py" "JOB$family" $family 5 communication aicpu
		checked 0 "JOB$family"
	done
	equal "$(page .job.chip)" 'Ascend 910'
	equal "$(page .job.collected_s)" "$(sed -n 's/^clock_realtime: *\(.*\).\{9\}$/\1/p' JOBascend910/host_start.log.* | head -n 1)"
	"$BUILD/tests/genprof" --out PROF_1 --tasks 90 --streams 3 --samples
	checked 0 PROF_1
	equal "$(page .job.collected_s)000000" "$(jq -r .collectionTimeBegin PROF_1/host/start_info)"
	equal "$(page .job.verified)" 'Layouts of 15 files: 12 compared with reference files, 3 unverified.'
	"$BUILD/tests/genprof" --out PROF_2 --tasks 60
	expect 0 import -q -dir PROF_2
	python3 "$HELPERS/planted_prof.py" PROF_2/sqlite/msprof.db 3 communication steps
	checked 0 PROF_2
	[ "$(page '.timeline.tracks | map(select(.name == "Communication 1").slices) | add')" -gt 0 ]
}

@test "a roofline where the peak is known: operations by cycles, bytes by tensors" {
	"$BUILD/tests/genprof" --out PROF_1 --samples
	expect 0 import -q -dir PROF_1
	expect 0 report -q -dir PROF_1
	equal "$(page .roofline)" null
	# some operators have tensors of unknown shapes or types, or no input
	sqlite3 PROF_1/sqlite/msprof.db "UPDATE setting SET chip = 1; DELETE FROM step;
		UPDATE name SET name = 'MatMulV2' WHERE hash IN (SELECT DISTINCT op_type FROM task WHERE is_op = 1 ORDER BY 1 LIMIT 8);
		INSERT INTO tensor VALUES (1, '\"2,3;4\"', 'FLOAT16;INT8', '', '\"5\"', 'FLOAT', ''), (2, '\"\"', '', '', '\"7,1,2\"', 'INT64', ''),
			(3, '\"2\"', 'FLOAT', '', NULL, NULL, NULL), (4, '\"2;2\"', 'FLOAT;STRING', '', '\"5\"', 'FLOAT', '');
		UPDATE task SET tensor_id = 1 + id % 4 WHERE is_op = 1"
	checked 0 PROF_1
	[ "$(page '.roofline.points | length')" -gt 3 ]
	equal "$(page .roofline.bandwidth_bytes_per_s)" null
	sqlite3 PROF_1/sqlite/msprof.db "UPDATE tensor SET input_shapes = ']], [[1', output_shapes = '\"x,-1\"'"
	expect 0 report -q -dir PROF_1
	equal "$(page '.roofline.points | tojson')" '[]'
}

@test "a long time line: bins, longest slices and thinned curves are those that Python computes" {
	genjob JOBLONG --tasks 300 --pictures 90 --host-calls 9000 --threads 3 --overlap 10 --aicpu 3
	checked 0 JOBLONG
	equal "$(page '[.timeline.tracks[] | select(.levels) | [.levels[].bins]] | unique | tojson')" '[[512,4096]]'
	equal "$(page '[.timeline.tracks[] | (.exact // .longest).start | length] | add <= 20000')" true
	equal "$(page '[.counters[] | .samples > 2048 and (.value | length) <= 2048] | all')" true
}

@test "of too many tracks those with the fewest slices are left out, and counted" {
	genjob JOBWIDE --tasks 9 --calls 3000 --threads 256
	expect 0 report -q -dir JOBWIDE
	tracks=$(page '.timeline.tracks | length')
	all=$(sqlite3 -readonly JOBWIDE/sqlite/msprof.db "SELECT (SELECT count(DISTINCT tid) FROM api_call) + (SELECT count(DISTINCT task_type) FROM tasks) + 1")
	equal "$tracks" 256
	equal "$(page '.notes[] | select(.text | contains("tracks")).text')" "$((all - 256)) tracks with the fewest slices are not in the time line"
	equal "$(page .timeline.tasks)" "$(sqlite3 -readonly JOBWIDE/sqlite/msprof.db 'SELECT (SELECT count(*) FROM api_call) + (SELECT count(*) FROM tasks) + 1')"
}

@test "findings and comparison are the documents of advise and diff" {
	genjob JOBA --tasks 20 --pictures 8
	genjob JOBB --tasks 20 --pictures 8 --seed 2
	expect 0 report -q -dir JOBB --base JOBA
	expect 0 advise -q -dir JOBB --format json
	equal "$(page '.advise | tojson')" "$(jq -r tojson <<<"$output")"
	expect 0 diff -q JOBA JOBB --format json
	equal "$(page '.diff | tojson')" "$(jq -r tojson <<<"$output")"
	expect 0 report -q -dir JOBB
	equal "$(page .diff)" null
}

@test "--base: every kind of side gives the document of diff" {
	mkdir before
	for i in 1 2 3; do genjob "before/JOB$i" --tasks 20 --pictures 4 --seed $i; done
	genjob JOBB --tasks 20 --pictures 4 --seed 9
	expect 0 diff -q --save base.json -dir before
	expect 0 import -q -dir before/JOB1
	cp before/JOB1/sqlite/msprof.db base.db
	for base in before/JOB1 before base.json base.db; do
		expect 0 report -q -dir JOBB --base "$base"
		expect 0 diff -q "$base" JOBB --format json
		equal "$base: $(page '.diff | tojson')" "$base: $(jq -r tojson <<<"$output")"
	done
	# a table of many rows is cut, and says so
	genjob JOBC --tasks 900 --seed 4
	expect 0 report -q -dir JOBC --base base.json
	equal "$(page '.diff.groups[0].rows | length')" 500
	has "$(page '.notes[].text')" "rows with the smallest changes are not in the comparison"
	cp report.html before.html
	for base in nosuch "$ROOT/README.md"; do
		expect 1 report -q -dir JOBB --base "$base"
		has "$stderr" "$base"
	done
	"$BUILD/tests/genprof" --out PROF_1
	expect 1 report -q -dir PROF_1 --base base.json
	has "$stderr" "svp" "prof"
	cmp report.html before.html
	no_part_files .
}

@test "hostile names are text: nothing ends the script element" {
	long=$(printf 'n%.0s' {1..10000})
	genjob JOBA --tasks 12 --calls 20 --pictures 2
	expect 0 import -q -dir JOBA
	sqlite3 JOBA/sqlite/msprof.db "UPDATE op SET oris = NULL;
		UPDATE op SET names = '</script><script>alert(1)</script>' WHERE task_id = 1; UPDATE op SET names = '<!--<script>&amp;\u2028' || char(8232, 8233, 8238, 7, 27, 128, 0xe2, 226) WHERE task_id = 2;
		UPDATE op SET names = '$long' WHERE task_id = 3; UPDATE op SET names = CAST(x'61e280ff80e2' AS TEXT) WHERE task_id = 4; UPDATE op SET names = '' WHERE task_id = 5;
		UPDATE api_call SET name = ']]>&lt;<svg onload=alert(1)>' WHERE rowid = 1; UPDATE source SET model = '<b>' || model WHERE model IS NOT NULL;
		UPDATE net SET model = '<b>' || model; UPDATE note SET text = '</SCRIPT>'; INSERT INTO note VALUES('odd', NULL, '</script ' || char(10) || '>')"
	mv JOBA/sqlite/msprof.db kept.db
	mkdir -p 'JOB<script>&/sqlite'
	mv kept.db 'JOB<script>&/sqlite/msprof.db'
	expect 0 report -q -dir 'JOB<script>&'
	equal "$(page .job.name)" 'JOB<script>&'
	equal "$(grep -c '</script>' report.html)" "$(grep -o '</script>' "$ROOT/schema/page/page.html" | wc -l)"
	has "$(page '.operators.rows[][0]')" '</script><script>alert(1)</script>' "$long"
	has "$(page '.timeline.names[]')" '</script><script>alert(1)</script>' "$long" $'a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd'
	has "$(page '.stacks.names[]')" ']]>&lt;<svg onload=alert(1)>'
	equal "$(page '[.timeline.names[] | select(startswith("<!--"))] | .[0][-8:] | explode | tojson')" '[8232,8233,8238,7,27,128,226,226]'
	equal "$(LC_ALL=C grep -cP '\xe2\x80[\xa8\xa9]|[\x00-\x08\x0b-\x1f\x7f]' report.html)" 0
}

@test "names that are too long together are cut" {
	genjob JOBA --tasks 1500
	expect 0 import -q -dir JOBA
	sqlite3 JOBA/sqlite/msprof.db "UPDATE op SET oris = task_id || printf('%.*c', 999, 'n')"
	expect 0 report -q -dir JOBA
	equal "$(page '[.timeline.names[] | select(endswith("…")) | utf8bytelength] | [length, max] | tojson')" "[1500,$((524288 / $(page ".timeline.names | length") + 3))]"
}

@test "jobs without calls, without tasks, empty, read-only or damaged" {
	genjob JOBQUIET --tasks 9 --calls 0
	checked 0 JOBQUIET
	equal "$(page .stacks)" null
	genjob JOBHOST --host-only
	expect 0 report -q -dir JOBHOST
	equal "$(page '[(.operators.rows | length), (.headline | length), (.counters | length), ([.timeline.tracks[].kind] | unique)] | tojson')" '[0,0,0,["host"]]'
	mkdir -p JOBEMPTY/data
	printf '{"DeviceInfo": [{"aic_frequency": "700"}]}' >JOBEMPTY/info.json.0
	expect 0 report -q -dir JOBEMPTY
	equal "$(page '[.timeline.tasks, .timeline.length_ns, .timeline.tracks, .stacks, .roofline] | tojson')" '[0,0,[],null,null]'
	needs_ordinary
	genjob JOBREAD --tasks 9
	chmod -R a-w JOBREAD
	run --separate-stderr ordinary "$MSPROF" report -dir JOBREAD
	equal "$status" 0
	has "$stderr" "read-only"
	[ ! -e JOBREAD/sqlite ]
	chmod -R u+w JOBREAD
	mv report.html readonly.html
	expect 0 report -q -dir JOBREAD
	cmp report.html readonly.html
	printf 'zz' | dd of=JOBREAD/data/acl_api.0.resnet50.46 bs=1 seek=64 conv=notrunc status=none
	expect 3 report -q -dir JOBREAD
	has "$stderr" "damaged bytes"
	has "$(page '.notes[] | select(.kind == "loss").text')" "damaged bytes: numbers of this page are incomplete"
	expect 1 report -q --strict -dir JOBREAD
}

@test "no page, baseline or result of a gate replaces a file of another kind, such as the data of a job" {
	cp -r "$JOB" JOBCOPY
	before=$(cd JOBCOPY && sha256sum info.json.0 data/* | sort)
	for file in info.json.0 'data/aicore.0.*.0'; do
		file=$(cd JOBCOPY && compgen -G "$file")
		expect 1 report -q -dir "$JOB" -o "JOBCOPY/$file"
		has "$stderr" "'JOBCOPY/$file' is a file of another kind, and is not replaced: remove it, or name another file"
		expect 1 diff -q "$JOB" JOBCOPY --fail-if 'total > 5%' --junit "JOBCOPY/$file"
		has "$stderr" "is not replaced"
	done
	for file in JOBCOPY/info.json.0 JOBCOPY/data/aicore.0.*.0; do
		expect 1 diff -q --save "$file" -dir "$JOB"
		has "$stderr" "is not replaced"
	done
	printf '<?xml version="1.0" encoding="UTF-8"?>\n<project/>\n' >pom.xml
	expect 1 diff -q "$JOB" JOBCOPY --fail-if 'total > 5%' --junit pom.xml
	has "$stderr" "'pom.xml' is a file of another kind"
	for _ in 1 2; do # a file of its own kind is replaced
		expect 0 diff -q --save baseline.json -dir "$JOB"
		expect 0 diff -q "$JOB" JOBCOPY --fail-if 'total > 5%' --junit junit.xml
	done
	expect 1 report -q -dir "$JOB" -o "$(printf 'x%.0s' {1..300}).html"
	has "$stderr" "File name too long"
	equal "$(cd JOBCOPY && sha256sum info.json.0 data/* | sort)" "$before"
	: >empty.html
	expect 0 report -q -dir "$JOB" -o empty.html
}

@test "a report that fails leaves the earlier file; several jobs are refused by name" {
	expect 0 report -dir "$JOB"
	equal "$stderr" "msprof: wrote 'report.html'"
	equal "$output" ""
	first=$(sha256sum <report.html)
	expect 0 report -q -dir "$JOB" -o other.html
	equal "$(sha256sum <other.html)" "$first"
	expect 0 report -q "$JOB" --output=nested.html
	equal "$(sha256sum <nested.html)" "$first"
	equal "$(stat -c %a report.html)" 640
	mkdir jobs
	genjob jobs/JOBA --tasks 9
	genjob jobs/JOBB --tasks 9
	expect 1 report -q -dir jobs
	has "$stderr" "a report is of one job, and 'jobs' has 2: 'jobs/JOBA', 'jobs/JOBB'; write one of them after -dir"
	expect 1 report -q -dir nosuch
	expect 1 report -q -dir "$JOB" -o nosuch/report.html
	has "$stderr" "cannot open 'nosuch'"
	for path in . jobs link /dev/null; do
		[ $path != link ] || ln -s report.html link
		expect 1 report -q -dir "$JOB" -o $path
		case $path in
		. | jobs) has "$stderr" "'$path' is not a regular file, and is not replaced: it is a directory; name a file in it" ;;
		*) lacks "$stderr" "it is a directory" ;;
		esac
	done
	dd if=/dev/zero of="$DB" bs=4096 seek=5 count=9 conv=notrunc status=none
	expect 1 report -q -dir "$JOB"
	has "$stderr" "msprof.db"
	equal "$(sha256sum <report.html)" "$first"
	no_part_files .
	expect 2 report
	expect 2 report -dir "$JOB" -o ''
}

@test "clocks that are not aligned have their own begin and length" {
	genjob JOBA --tasks 250 --pictures 90 --calls 900
	expect 0 import -q -dir JOBA
	sqlite3 JOBA/sqlite/msprof.db "DELETE FROM meta WHERE key = 'one_clock'; UPDATE api_call SET start_ns = 9 * (start_ns - (SELECT min(start_ns) FROM api_call)) + 7777"
	mv JOBA/data kept
	expect 0 report -q -dir JOBA
	equal "$(page '.timeline.clocks[] | "\(.begin_ns)|\(.length_ns)"')" "$(sqlite3 -readonly JOBA/sqlite/msprof.db "
		SELECT min(start_ns), max(start_ns + dur_ns) - min(start_ns) FROM (SELECT start_ns, dur_ns FROM aicore_task UNION ALL SELECT start_ns, dur_ns FROM aicpu_task);
		SELECT min(start_ns), max(start_ns + dur_ns) - min(start_ns) FROM api_call")"
	equal "$(page '[.timeline.tracks[] | "\(.kind) \(.clock)"] | unique | tojson')" '["device 0","host 1","step 0"]'
	equal "$(page '[.timeline.tracks[] | select(.levels) | .levels[0].busy[500:] | add > 0] | unique | tojson')" '[true]' # bins end with their clock
	equal "$(page .job.collected_s)" null
}

@test "the page uses each of its texts, and has no other" {
	equal "$(python3 "$HELPERS/page_texts.py" "$ROOT/schema/page" "$ROOT/schema/page/texts/en.txt")" ""
}

@test "MSPROF_PLAIN=1 gives the same page" {
	genjob JOBA --tasks 60 --pictures 4 --calls 300 --overlap 20
	"$BUILD/tests/genprof" --out PROF_1 --samples
	for job in JOBA PROF_1; do
		expect 0 report -q -dir $job
		mv report.html fast.html
		MSPROF_PLAIN=1 expect 0 report -q -dir $job
		cmp report.html fast.html
	done
}

@test "every member of the document is documented" {
	genjob JOBA --tasks 300 --pictures 90 --calls 500
	expect 0 report -q -dir JOBA --base JOBA
	documented=$(sed -n '/^## The document/,/^## /p' "$ROOT/docs/REPORT.md")
	for key in $(page '[keys[], (.job | keys[]), (.headline[] | keys[]), (.operators | keys[]), (.operators.columns[] | keys[]), (.timeline | keys[]),
		(.timeline.clocks[] | keys[]), (.timeline.tracks[] | keys[], ((.exact // .longest) | keys[]), (.levels[]? | keys[])), (.counters[] | keys[]), (.stacks | keys[]), (.notes[] | keys[])] | unique[]'); do
		[[ $documented == *"\`$key\`"* || $documented == *"\`${key}[]\`"* ]] || fail "$key is not documented"
	done
}
