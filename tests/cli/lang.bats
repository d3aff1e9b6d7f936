#!/usr/bin/env bats
# lang.bats: what is handed over in Chinese: its texts, who chooses the language, and what stays English.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/cluster

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

# The first line of advise.
begins() {
	"$MSPROF" advise -q -dir "$JOB" "$@" | head -n 1
}

@test "the Chinese texts are complete, have the places of the English ones, and no other" {
	equal "$(python3 "$HELPERS/lang_texts.py" "$ROOT")" ""
	cp -r "$ROOT/schema" "$ROOT/lib" "$ROOT/cli" .
	sed -i '/^finding.advice /d; /^"Pace" /d; s/{saving}/{time}/; /^"most tasks take time"/d; /^"{1} of {2} launches lie/d' schema/text/zh*.txt
	equal "$(python3 "$HELPERS/lang_texts.py" . | LC_ALL=C sort -u | head -n 5)" "missing:  launches lie in no call
missing: Pace
missing: finding.advice
missing: most tasks take time
places: finding.saves"
}

# broken: the job of a board with a file of each kind of trouble, in ./JOBD
broken() {
	genjob JOBD --pictures 3
	ln -sf x JOBD/data/aicore.0.resnet50.16.46.1.1.0
	head -c 777 /dev/zero | tr '\0' 'x' >JOBD/data/aicore.0.resnet50.16.46.1.1.1
	rm JOBD/data/acl_api.0.resnet50.46.done
	printf '\0' >JOBD/info.json.7
	mkdir JOBD/data/aicpu.data.9
	touch JOBD/data/$'a\1' JOBD/data/unknown
}

@test "findings, checks, tables, changes and pages of every family have no English sentence with --lang zh, and tables are even" {
	local job command
	python3 "$HELPERS/planted_svp.py" JOBA 3 bound aicpu conversion tiny sequence mish idle between first jitter memory loss
	"$BUILD/tests/genprof" --out PROF_A --tasks 60 >/dev/null
	"$MSPROF" import -q -dir PROF_A
	python3 "$HELPERS/planted_prof.py" "$(find PROF_A -name msprof.db)" 3 cube vector blocks aicpu late clock communication link packets sync memory
	python3 "$HELPERS/planted_ascend.py" JOBB ascend2022 5 communication aicpu no_bound program
	python3 "$HELPERS/planted_ascend.py" JOBC ascend910 5 communication aicpu undescribed
	broken
	for job in JOBA PROF_A JOBB JOBC JOBD; do
		for command in advise 'show --each --top 3' show 'check --top 5' 'check --files' "diff $job --fail-if total>5%"; do
			# shellcheck disable=SC2086 # words
			run --separate-stderr "$MSPROF" $command -q $job --lang zh
			[ -n "$output" ] || fail "$command $job: $stderr"
			echo "$output" >>$job.txt
		done
		run --separate-stderr "$MSPROF" report -q -dir $job --lang zh -o $job.html
		run --separate-stderr "$MSPROF" advise -q -dir $job --lang zh --format json
		echo "$output" >$job.json
		[ "$(jq '.jobs[0].findings | length' $job.json)" -ge 2 ] || fail "$job"
	done
	run --separate-stderr "$MSPROF" diff JOBD JOBA --lang zh --format markdown
	echo "$output" >diff.txt
	has "$output" ' → ' '（新增） |' '| 空闲时间 |'
	"$MSPROF" advise --list --lang zh >list.txt
	equal "$(python3 "$HELPERS/lang_output.py" ./*.txt ./*.json ./*.html)" ""
	has "$(cat JOBD.txt)" 不跟随链接 含有控制字符 '含有 NUL 字节' 是目录 无法识别的文件 '频率：700 MHz' 'Overview：'
	for command in advise check; do
		run --separate-stderr "$MSPROF" $command -q -dir JOBA
		echo "$output" >>english.txt # the check sees English
	done
	[ "$(python3 "$HELPERS/lang_output.py" english.txt | grep -c ^english)" -ge 20 ]
}

@test "what is found of a cluster is said in Chinese: a late rank, one that stopped, and what cannot be told; CSV and JSON stay" {
	local rank
	made_ranks ranks 12
	for ((rank = 0; rank < 12; rank++)); do # rank 11 is 40 us late, rank 5 does not enter the seventh operation, where the others stay
		jq -c --argjson rank "$rank" '.collective |= (map((if $rank == 11 then 40000 else $rank * 100 end) as $ns | .[4] += $ns | .[5] -= $ns)
			| if $rank == 5 then .[:6] else .[:7] | .[6][5] = null end)' "ranks/$rank.json" | whole_begin >made && mv made "ranks/$rank.json"
	done
	expect 0 cluster -q ranks --lang zh
	echo "$output" >cluster.txt
	has "$output" '慢卡（Stragglers）：' 'rank 11 偏慢，达单步的 1.2%：Host 侧，6 次集合通信中有 6 次设备的空闲长于其他 rank' \
		'rank 5 提前结束：没有进入第 6 次 hcom_allReduce_（通信域 group），而 rank 0, 1, 2, 3, 4, 6, 7, 8 及另外 3 个 rank 已进入且没有退出；它最后完成的是第 5 次（通信域 group），在其第 2 步'
	rm ranks/3.json
	jq -c '.rank[0][2] = 1 | .rank[0][6] += 9000000' ranks/4.json | whole_begin >made && mv made ranks/4.json
	jq -c '.rank[0][11] = "contradicted" | .rank[0][12] = "times of tasks contradicted: not true: starts and ends of tasks are pairs"' ranks/6.json |
		whole_begin >made && mv made ranks/6.json
	expect 3 cluster -q ranks --lang zh
	echo "$output" >>cluster.txt
	has "$output" '缺少 rank 3' '不判定慢卡' 'rank 6：任务时间自相矛盾：不成立：任务的开始和结束成对'
	equal "$(python3 "$HELPERS/lang_output.py" cluster.txt)" ""
	equal "$("$MSPROF" cluster -q ranks --lang zh --format json 2>/dev/null)" "$("$MSPROF" cluster -q ranks --format json 2>/dev/null)"
	equal "$("$MSPROF" cluster -q ranks --lang zh --format csv --table notes 2>/dev/null)" "$("$MSPROF" cluster -q ranks --format csv --table notes 2>/dev/null)"
}

@test "what checks and the import found is said in Chinese, from the database; a text without a line stays English, whole" {
	"$MSPROF" import -q -dir "$JOB"
	sqlite3 "$DB" "UPDATE standing SET failed = 1, standing = 'unproven', reason = 'tasks take 12 us of the 40 us of their .done marker (data/a (1) of b)' WHERE about = 'tasks';
		UPDATE standing SET failed = 1, standing = 'unproven', reason = '7 ns, but samples of a port are 50 us apart or more (f)' WHERE about = 'calls';
		UPDATE standing SET failed = 1, standing = 'unproven', reason = '7 of 9 ducks, but most tasks take time' WHERE about = 'names';
		UPDATE data_check SET failed = 1, found = 'row 3, Time: the table says ''1'', the records ''''', file = 'f' WHERE name = 'takes_time';
		INSERT INTO note VALUES('warning', 'data/x', '2 slices before it are missing'), ('assumed', NULL, 'device 0: chip of 9 is not known to us'),
			('assumed', NULL, 'device 0: chip 9 x is not known')"
	run --separate-stderr "$MSPROF" show -q -dir "$JOB" --lang zh
	has "$output" "任务时间存疑：.done 文件中的时间为 40 us，任务耗时仅 12 us（data/a (1) of b）" "调用存疑：7 ns，不符合" "端口的采样间隔不小于 50 us" "（f）" \
		"任务名称存疑：7 of 9 ducks, but most tasks take time" "设备 0：未知芯片 9 x" "device 0: chip of 9 is not known to us" $'\n'"模型名称：resnet50，模型 ID：46，推理次数：2" "未显示：用 --picture N 选择单次推理，用 --each 显示全部"
	run --separate-stderr "$MSPROF" advise -q -dir "$JOB" --lang zh
	has "$output" "大多数任务的耗时不为 0" "第 3 行 Time：表格为 '1'，记录为 ''（f）"
	run --separate-stderr "$MSPROF" report -q -dir "$JOB" --lang zh
	has "$(grep '"kind": "warning"' report.html)" "data/x: 缺少之前的 2 个分片"
	run --separate-stderr "$MSPROF" show -q -dir "$JOB"
	has "$output" "times of tasks in doubt: tasks take 12 us of the 40 us of their .done marker (data/a (1) of b)" "Model name : resnet50 Model id : 46 Inferences : 2"
}

@test "an option, a variable, the file and the locale choose the language, in this order" {
	english=$(begins) chinese=$(begins --lang zh)
	[ "$english" != "$chinese" ]
	printf '[defaults]\nlang = zh\n' >config
	equal "$(LANG=zh_CN.UTF-8 begins)" "$chinese"
	equal "$(LC_MESSAGES=zh_CN.UTF-8 LANG=C.UTF-8 begins)" "$chinese"
	equal "$(LC_ALL=C LANG=zh_CN.UTF-8 begins)" "$english"
	equal "$(MSPROF_CONFIG=$PWD/config begins)" "$chinese"
	equal "$(MSPROF_CONFIG=$PWD/config MSPROF_LANG=en begins)" "$english"
	equal "$(MSPROF_LANG=en LANG=zh_CN.UTF-8 begins)" "$english"
	equal "$(MSPROF_LANG=en begins --lang zh)" "$chinese"
	MSPROF_LANG=fr run ! "$MSPROF" advise -dir "$JOB"
	[[ $output == *"MSPROF_LANG"* ]]
}

@test "keys, severities, titles of CSV and messages stay English; show and diff say their sentences and notes in Chinese" {
	keys='[paths | map(select(type == "string"))] | unique'
	for lang in en zh; do
		"$MSPROF" advise -q -dir "$JOB" --format json --lang $lang >$lang.json
		"$MSPROF" advise -q -dir "$JOB" --format csv --lang $lang | head -n 1 >$lang.csv
		"$MSPROF" diff "$JOB" "$JOB" --format json --lang $lang | jq "$keys" >$lang.diff
	done
	equal "$(jq "$keys" zh.json)" "$(jq "$keys" en.json)"
	equal "$(jq '[.jobs[].findings[] | [.rule, .severity, .confidence, .saving_ns]]' zh.json)" "$(jq '[.jobs[].findings[] | [.rule, .severity, .confidence, .saving_ns]]' en.json)"
	equal "$(cat zh.csv zh.diff)" "$(cat en.csv en.diff)"
	expect 0 show -q -dir "$JOB" --lang zh
	[[ $output == *"判定：low "*"Name"* ]]
	expect 0 diff "$JOB" "$JOB" --lang zh --format markdown --fail-if 'total > 5%'
	[[ $output == *"无变化，单次推理"*"| total \\> 5% | 通过 | 变化 "*"| 项目 | Base(us) |"* ]]
	echo "$output" >diff.txt
	equal "$(python3 "$HELPERS/lang_output.py" diff.txt)" ""
	run ! "$MSPROF" advise -dir "$JOB" --lang zh --rule none
	[[ $output == *"rule 'none' not found"* ]]
}

@test "the page is Chinese: its language, its texts and its findings" {
	expect 0 report -q -dir "$JOB" --lang zh
	grep -q '<html lang="zh-CN">' report.html
	sed -n '/<script type="text\/plain" id="texts">/,/<\/script>/p' report.html >texts
	grep -qx 'findings.title = 调优建议' texts
	grep -qx 'Computing: matrix = 计算：矩阵' texts
	sed -n 's/.*id="data">\(.*\)/\1/p' report.html | grep -q 'an inference' && fail "an English verdict"
	expect 0 report -q -dir "$JOB"
	grep -q '<html lang="en">' report.html
}
