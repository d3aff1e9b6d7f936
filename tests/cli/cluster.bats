#!/usr/bin/env bats
# cluster.bats: the ranks of a training side by side: planted findings, aggregates, hostile files. tests/long/cluster.bats has more seeds.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/cluster
load helpers/board
load helpers/trace

setup() {
	base
}

@test "a straggler, a slow link, a lost rank, another clock: each is found, and nothing in noise; every number is computed twice" {
	for finding in '' straggler link lost clock; do
		# shellcheck disable=SC2086 # nothing is no argument
		planted 1 5 $finding
		equal "$(found | jq -c .)" "$(wanted)" || fail "$finding"
	done
	# too few for Dixon's test: votes tell
	planted 14 3 straggler
	equal "$(found | jq -c .)" "$(wanted)"
}

@test "aggregates tell the same as the directories, and both may be mixed" {
	planted 2 4 straggler
	expect 0 cluster -q -dir top --format json
	want=$output
	mkdir files mixed
	for rank in top/PROF_*; do expect 0 aggregate -q -dir "$rank" -o "files/${rank##*_}.json"; done
	expect 0 cluster -q -dir files --format json
	equal "$output" "$want"
	cp -rp top/PROF_0000 top/PROF_0001 files/0002.json files/0003.json mixed
	echo '{"other": 1}' >mixed/other.json
	expect 0 cluster -q -dir mixed --format json
	equal "$(jq -S '.ranks |= sort_by(.rank)' <<<"$output")" "$(jq -S . <<<"$want")"
	[ "$(wc -c <files/0000.json)" -lt 4096 ]
	mkdir -p deep/host1 deep/host2 && cp -rp top/PROF_0000 top/PROF_0001 deep/host1 && cp -rp top/PROF_0002 top/PROF_0003 deep/host2
	expect 0 cluster -q -dir deep --format json -j 1
	equal "$output" "$want"
}

@test "tables, CSV and the document: one JSON with the arrays that scripts read" {
	planted 3 4
	expect 0 cluster top
	has "$output" "Ranks :" "Links :" "Operators :" "Steps :" "Clocks :" "ranks are told by the rank_id"
	has "$stderr" "4 of 4 ranks"
	expect 2 cluster -q top --format csv
	expect 0 cluster -q top --format csv --table steps
	equal "$(wc -l <<<"$output")" 11
	expect 0 cluster -q top --format json
	jq -e '.schema == "msprof.cluster/1" and ([.ranks, .stragglers, .links, .operators, .steps, .clocks, .notes | type] | unique == ["array"]) and (.ranks | length) == 4' <<<"$output"
	# the matrix has each link once, at the place of its ranks
	equal "$(jq -c '[.matrix[] | .from as $from | to_entries[] | select(.key | startswith("to_")) | select(.value) | [$from, (.key | split("_")[1] | tonumber), .value]] | sort' <<<"$output")" \
		"$(jq -c '[.links[] | [.from, .to, .gb_s]] | sort' <<<"$output")"
	equal "$(jq '.matrix | length' <<<"$output")" 4
}

@test "a rank whose collectives overlap no other's is told, with exit 3, and no rank is called a straggler" {
	local rank
	planted 5 5 straggler
	mkdir files
	for rank in top/PROF_*; do expect 0 aggregate -q -dir "$rank" -o "files/${rank##*_}.json"; done
	expect 0 cluster -q files --format json
	has "$(jq -c '[.stragglers[].straggler]' <<<"$output")" yes
	# a hundred times as long: another unit
	cp files/0002.json right
	jq -c '.collective[0][4] as $begin | .collective |= map(.[4] = $begin + (.[4] - $begin) * 100 | .[5] *= 100)' right | whole_begin >files/0002.json
	expect 3 cluster -q files --format json
	has "$stderr" "warning: rank 2: " "collectives overlap those of no other rank, once clocks are aligned"
	equal "$(jq -c '[.notes[].note | select(contains("overlap"))] | length' <<<"$output")" 1
	lacks "$(jq -c '[.stragglers[].straggler]' <<<"$output")" yes
	expect 1 cluster -q --strict files
	has "$stderr" "error: rank 2: "
	# a clock that is an hour ahead, or drifts by 100 ppm, is none of this
	jq -c '.rank[0][6] += 3600000000000' right | whole_begin >files/0002.json
	expect 0 cluster -q files
	jq -c '.collective[0][4] as $begin | .collective |= map(.[4] = $begin + (.[4] - $begin) * 10001 / 10000 | .[4] |= floor)' right | whole_begin >files/0002.json
	expect 0 cluster -q files
}

@test "data of a rank that contradicts itself is told from a file, too: exit 3, and no rank is called a straggler" {
	planted 6 5 straggler
	sqlite3 top/PROF_0001/sqlite/msprof.db "UPDATE standing SET standing = 'contradicted', failed = 1, reason = 'x' WHERE about = 'tasks';
		UPDATE data_check SET failed = 1 WHERE name = 'pairs'"
	mkdir files
	for rank in top/PROF_*; do run "$MSPROF" aggregate -q -dir "$rank" -o "files/${rank##*_}.json"; done
	expect 3 cluster -q files --format json
	has "$stderr" "rank 1: times of tasks contradicted: not true: starts and ends of tasks are pairs"
	has "$(jq -r '.notes[].note' <<<"$output")" "rank 1: times of tasks contradicted" "no rank is called a straggler"
	lacks "$(jq -c '[.stragglers[].straggler]' <<<"$output")" yes
	# in doubt only: told as well, and ranks are compared
	jq -c '.rank[0][11] = "unproven"' files/0001.json | whole_begin >doubt && mv doubt files/0001.json
	expect 3 cluster -q files --format json
	has "$(jq -c '[.stragglers[].straggler]' <<<"$output")" yes
	# another word is no standing
	jq -c '.rank[0][11] = "fine"' files/0001.json | whole_begin >wrong && mv wrong files/0001.json
	expect 1 cluster -q files
	has "$stderr" "0001.json' is not a valid aggregate"
}

@test "what cannot be told is said: two ranks, no rank_id, no collective, another job, nothing at all" {
	planted 4 2 straggler
	expect 0 cluster -q top
	has "$output" "2 ranks are too few for a test" unsure
	for rank in top/PROF_*; do sqlite3 "$rank/sqlite/msprof.db" "UPDATE control SET text = json_set(text, '\$.rank_id', -1) WHERE name = 'info.json'"; done
	expect 0 cluster -q top
	has "$output" "ranks are counted by host and device"
	sqlite3 top/PROF_0001/sqlite/msprof.db "UPDATE control SET text = json_set(text, '\$.jobInfo', 'other') WHERE name = 'info.json'; DELETE FROM comm_op"
	sqlite3 top/PROF_0000/sqlite/msprof.db "UPDATE control SET text = json_set(text, '\$.jobInfo', 'one') WHERE name = 'info.json'"
	expect 0 cluster -q top
	has "$output" "the ranks are of 2 different jobs" "no collective operation was recorded by two ranks"
	mkdir empty
	expect 1 cluster empty
	has "$stderr" "'empty' has no rank: neither a PROF directory nor a file of 'msprof aggregate'"
	expect 1 cluster nosuch
	has "$stderr" nosuch
	fresh_job
	expect 1 aggregate -q -dir "$JOB" -o x.json
	has "$stderr" "is not a PROF directory"
	[ ! -e x.json ]
	expect 1 aggregate -q -dir top -o x.json
	has "$stderr" "has 2 jobs"
}

@test "without collectives the slowest operators tell a straggler, and equal ranks give none" {
	mkdir files
	for rank in 0 1 2 3 4; do
		expect 0 aggregate -q -dir top/base -o "files/$rank.json"
		# every rank differs from the others by 0.2 %, and rank 3 then takes 8 % longer
		jq -c --argjson rank "$rank" '.rank[0][1] = $rank | .operator[] |= (.[4] = (.[4] * (1 + ($rank - 2) / 1000) | floor))' "files/$rank.json" |
			sed 's/^{"schema":/{"schema": /' >made && mv made "files/$rank.json"
	done
	expect 0 cluster -q files --format json
	equal "$(jq -r '.stragglers[] | select(.straggler != "no") | .rank' <<<"$output")" ''
	jq -c '.operator[] |= (.[4] = (.[4] * 1.08 | floor))' files/3.json | sed 's/^{"schema":/{"schema": /' >made && mv made files/3.json
	expect 0 cluster -q files --format json
	equal "$(jq -r '.stragglers[0] | "\(.rank) \(.told_by) \(.straggler) \(.cause)"' <<<"$output")" "3 operators yes computing"
	has "$output" "stragglers are told by their operators" "rank 3 is late by" "takes 8."
	# what its operators took beyond the median of all ranks, of its steps
	share=$(jq -s '[.[].operator] | transpose | map(map(.[4] / .[3]) as $mean | ($mean | sort | .[2]) as $median | ($mean[3] - $median) * .[3][3]) | add' files/?.json)
	span=$(jq '[.step[][4]] | add' files/3.json)
	equal "$(jq -n "($share / $span * 100 - $(jq '.stragglers[0].of_its_steps_percent | tonumber' <<<"$output")) | fabs < 0.02")" true
}

@test "a rank that cannot be read is an error, and the others are compared" {
	planted 5 4
	truncate -s 9000 top/PROF_0002/sqlite/msprof.db
	run --separate-stderr "$MSPROF" cluster top --format json
	equal "$status" 1
	has "$stderr" "PROF_0002" "makes a new database" "3 of 4 ranks are summed up"
	equal "$(jq -c '[.ranks[].rank]' <<<"$output")" '[0,1,3]'
	mkdir bad && expect 0 aggregate -q -dir top/PROF_0000 -o bad/0.json && expect 0 aggregate -q -dir top/PROF_0001 -o bad/1.json
	expect 0 cluster -q bad
	for edit in '.rank[0][0] = "x"' '.step[0][5] = -1' '.step[0][5] = 1e300' '.rank = 7' '.rank[0] = 7' '.collective[0][5] = "x"' '.link[0][6] = 0' '.rank += .rank' '.rank[0][1] = -5'; do
		jq -c "$edit" bad/0.json | sed 's/^{"schema":"msprof.aggregate\/1"/{"schema": "msprof.aggregate\/1"/' >bad/2.json
		run --separate-stderr "$MSPROF" cluster -q bad --format json
		equal "$status" 1 || fail "$edit"
		has "$stderr" "'bad/2.json' is not a valid aggregate"
	done
	for text in '' '{"schema": "msprof.aggregate/1"' '{"schema": "msprof.aggregate/1"}}' '{"schema": "msprof.aggregate/1", "rank": [[[[[['; do
		printf '%s' "$text" >bad/2.json
		run --separate-stderr "$MSPROF" cluster -q bad --format json
		[ "$status" = 1 ] || { [ "$text" = '' ] && [ "$status" = 0 ]; } || fail "$text: $status"
	done
	jq -c '.name = "\u001b[31mred" | .rank[0][2] = "\u001b[31mhost"' bad/0.json | sed 's/^{"schema":/{"schema": /' >bad/0.json.new && mv bad/0.json.new bad/0.json && rm bad/2.json
	expect 0 cluster -q bad
	lacks "$output" $'\e'
}

@test "tables without a row are one sentence; a chosen one says why, and JSON has them all" {
	mkdir none
	for rank in 0 1 2; do
		expect 0 aggregate -q -dir top/base -o made
		jq -c --argjson rank $rank '.rank[0][1] = $rank | .operator = [] | .step = [] | .link = [] | .collective = []' made | whole_begin >none/$rank.json
	done
	expect 0 cluster -q none
	equal "$(grep -E '^[A-Z].* :$' <<<"$output" | paste -sd' ')" "Ranks : Notes :"
	has "$output" "these tables have no row: Stragglers, Links, Matrix, Operators, Steps, Clocks"
	expect 0 cluster -q none --table links
	has "$output" "Links :" "no data: no collective operation tells what it moved"
	expect 0 cluster -q none --format json
	equal "$(jq -c '[.ranks, .stragglers, .links, .matrix, .operators, .steps, .clocks | length]' <<<"$output")" "[3,0,0,0,0,0,0]"
}

@test "of an aggregate with one wrong row nothing counts" {
	made_ranks files 3
	jq -c '.rank[0][1] = 7 | .link = [[0, 0, 1, "HCCS", "SDMA", 1, 0, 1]]' files/0.json | whole_begin >files/7.json
	run --separate-stderr "$MSPROF" cluster -q files --format json
	equal "$status" 1
	has "$stderr" "'files/7.json' is not a valid aggregate"
	equal "$(jq -c '[.ranks[].rank]' <<<"$output")" '[0,1,2]'
	lacks "$output" missing
}

@test "sends and receives are no collectives: neither votes nor clocks come from them" {
	made_ranks files 3
	expect 0 cluster -q files --format json
	want=$output
	# the sends of rank 1 are 5 ms later and shorter than those of the others
	for rank in 0 1 2; do
		jq -c --argjson rank "$rank" '.collective += [.collective[] | .[2] = "hcom_send_" | .[4] += (if $rank == 1 then 5000000 else 0 end) |
			.[5] += (if $rank == 1 then 0 else 900000 end)] | .rank[0][8] *= 2' "files/$rank.json" | whole_begin >made && mv made "files/$rank.json"
	done
	expect 0 cluster -q files --format json
	equal "$output" "$want"
	# neither does msprof aggregate write them, where they would take the place of collectives
	planted 8 3
	for rank in top/PROF_*; do
		sqlite3 "$rank/sqlite/msprof.db" "INSERT INTO comm_op(id, device_id, name, op_type, start_ns, end_ns, step_group, rank_size, on_aicpu)
			SELECT id + 1000 * value, 0, 'hcom_send__002_' || value, 7001, start_ns, end_ns, 7002, 3, 0 FROM comm_op, generate_series(1, 60)"
		expect 0 aggregate -q -dir "$rank" -o one.json
		equal "$(jq -c '[(.collective | length), .rank[0][8]]' one.json)" '[10,610]'
	done
	# an operation without an end has no duration
	sqlite3 top/PROF_0001/sqlite/msprof.db 'UPDATE comm_op SET end_ns = NULL WHERE id = 10'
	expect 0 aggregate -q -dir top/PROF_0001 -o one.json
	equal "$(jq -c '[.collective[][5] | type] | group_by(.) | map([.[0], length])' one.json)" '[["null",1],["number",9]]'
}

@test "a rank_id that is no number is none, and one that two have is named" {
	planted 9 3
	for id in '"abc"' '[1]' 1.5 -7 1e30 4294967296; do
		sqlite3 top/PROF_0001/sqlite/msprof.db "UPDATE control SET text = json_set(text, '\$.rank_id', json('$id')) WHERE name = 'info.json'"
		expect 0 cluster -q top --format json
		equal "$id $(jq -c '[.ranks[].rank]' <<<"$output")" "$id [0,1,2]"
		has "$output" "ranks are counted by host and device"
		expect 0 aggregate -q -dir top/PROF_0001 -o one.json
		equal "$id $(jq '.rank[0][1]' one.json)" "$id null"
	done
	sqlite3 top/PROF_0001/sqlite/msprof.db "UPDATE control SET text = json_set(text, '\$.rank_id', '2') WHERE name = 'info.json'"
	expect 0 cluster -q top --format json
	has "$output" "the rank_id 2 is that of 2 devices"
	# an aggregate that cannot be right is told by the directory of the rank
	sqlite3 top/PROF_0001/sqlite/msprof.db "UPDATE comm_op SET end_ns = start_ns + (1 << 60)"
	expect 1 cluster -q top
	has "$stderr" "'top/PROF_0001' is not a valid aggregate"
}

@test "times at the ends of 64 bits: an aggregate has the nearest numbers, and is made" {
	planted 9 2
	sqlite3 top/PROF_0000/sqlite/msprof.db "DELETE FROM step; UPDATE task SET start_ns = iif(id % 2, -9e18, 9e18); UPDATE meta SET value = 9223372036854775807 WHERE key IN ('begin_ns', 'wall_offset_ns');
		UPDATE comm_op SET start_ns = -9e18, end_ns = 9e18; UPDATE device SET host_realtime_ns = 'never'"
	equal "$(query "SELECT DISTINCT typeof(start_ns), abs(start_ns) FROM task" top/PROF_0000/sqlite/msprof.db)" 'integer|9000000000000000000'
	expect 0 aggregate -q -dir top/PROF_0000 -o one.json
	# 18e18 ns do not fit
	equal "$(python3 -c 'import json; print([row[4] for row in json.load(open("one.json"))["step"]])')" '[9223372036854775807]'
}

@test "a rank_id that is no number of 32 bits is not known" {
	planted 9 2
	for pair in '"NA" null' '"" null' '"3" 3' '4294967294 4294967294' '4294967295 null' '4294967296 null' '-1 null' '1.5 null' '"0x1" null'; do
		sqlite3 top/PROF_0000/sqlite/msprof.db "UPDATE control SET text = json_set(text, '\$.rank_id', json('${pair% *}')) WHERE name = 'info.json'"
		expect 0 aggregate -q -dir top/PROF_0000 -o one.json
		equal "$(jq -c '.rank[0][1]' one.json)" "${pair#* }" || fail "$pair"
	done
}

@test "the end of the pager is not that of a process: one that cannot be run is named" {
	needs_terminal
	made_ranks files 2
	# more than a pipe holds: the pager ends first
	for rank in 0 1; do
		jq -c '.step = [range(1000) as $i | .step[0] | .[1] = $i]' "files/$rank.json" | whole_begin >made && mv made "files/$rank.json"
	done
	expect 0 cluster -q files --top 0
	[ "${#output}" -gt 70000 ]
	MSPROF_PAGER=no-such-pager run python3 "$HELPERS/pty_run.py" 200 "$MSPROF" cluster -q files --top 0
	equal "$status" 1
	has "$output" "error: cannot run the pager 'no-such-pager'"
}

@test "a signal ends the processes that sum ranks up, and nothing is left" {
	planted 7 3
	mkdir tmp
	rm top/PROF_0001/sqlite/msprof.db
	# the import of this rank waits for a lock that the test holds
	exec 8<top/PROF_0001/sqlite
	flock 8
	for signal in TERM INT; do
		rm -f top/PROF_000[02]/sqlite/aggregates.kept
		TMPDIR=$PWD/tmp env --default-signal=INT,TERM "$MSPROF" cluster -q -dir top -j 3 >out 2>err 3>&- 8>&- &
		pid=$!
		until has_one_worker || ! kill -0 "$pid"; do sleep 0.1; done
		kill "-$signal" "$pid"
		status=0
		wait "$pid" || status=$?
		equal "$signal $status" "$signal $([ "$signal" = TERM ] && echo 143 || echo 130)"
		equal "$(ls -A tmp)" ''
		equal "$(cat out err)" ''
	done
}

# The other ranks are done: one worker is left.
has_one_worker() {
	[ "$(find top -name aggregates.kept | wc -l)" = 2 ] && [ "$(pgrep -c -P "$pid")" = 1 ]
}

@test "a kill leaves no file, whether ranks are summed up, or some are and others wait" {
	planted 7 3
	mkdir tmp
	rm -f top/PROF_000?/sqlite/{msprof.db,aggregates.kept}
	exec 6<top/PROF_0000/sqlite 7<top/PROF_0002/sqlite 8<top/PROF_0001/sqlite
	flock 6 && flock 7 && flock 8
	for moment in has_readers has_one_worker; do
		TMPDIR=$PWD/tmp "$MSPROF" cluster -q -dir top -j 3 >out 2>err 3>&- 6>&- 7>&- 8>&- &
		pid=$!
		until $moment || ! kill -0 "$pid"; do sleep 0.1; done
		mapfile -t readers < <(pgrep -P "$pid")
		kill -KILL "$pid" "${readers[@]}"
		wait "$pid" || true
		for reader in "${readers[@]}"; do while kill -0 "$reader" 2>&-; do sleep 0.1; done; done
		equal "$(ls -A tmp)" ''
		exec 6<&- 7<&- # two ranks can be summed up now
	done
}

has_readers() {
	[ "$(pgrep -c -P "$pid")" = 3 ]
}

@test "links below TOP are named and not followed: nothing is written behind them, no device is opened" {
	planted 2 3
	mkdir links links/node1
	expect 0 aggregate -q -dir top/PROF_0002 -o links/2.json
	find top -exec stat -c '%n %s %Y' {} + | sort >before
	ln -s ../top/PROF_0000 links/PROF_0000
	ln -s "$PWD/top" links/r1
	ln -s "$PWD/top/PROF_0001" links/node1/PROF_0001
	ln -s /dev/null links/x.json
	ln -s "$PWD/links/2.json" links/y.json
	expect 0 cluster -q links --format json
	equal "$(jq -c '[.ranks[].rank]' <<<"$output")" '[2]'
	for name in PROF_0000 r1 x.json y.json; do has "$stderr" "warning: 'links/$name' is a link: it is not followed"; done
	equal "$(find top -exec stat -c '%n %s %Y' {} + | sort)" "$(cat before)"
	rm links/2.json links/y.json
	expect 1 cluster -q links
	has "$stderr" "'links' has no rank"
}

# The script of a recipe in the documentation.
recipe() {
	awk -v wanted="$1" '/^```sh$/ { n++; on = n == wanted; next } /^```$/ { on = 0 } on' "$ROOT/docs/CLUSTER.md"
}

@test "the recipe for GNU parallel" {
	planted 6 3
	mkdir -p ranks/a ranks/b && mv top/PROF_0000 top/PROF_0001 ranks/a && mv top/PROF_0002 ranks/b
	command -v parallel >/dev/null || skip "needs parallel"
	recipe 1 >parallel.sh
	has "$(cat parallel.sh)" "parallel -j 4"
	PATH="${MSPROF%/*}:$PATH" run --separate-stderr sh -eu parallel.sh
	equal "$status" 0
	has "$output" "Ranks :"
	equal "$(find aggregates -type f | wc -l)" 3
}

@test "the recipe for ssh: two ranks on each of two hosts, by a real server" {
	needs_board_users
	planted 6 4 straggler
	expect 0 cluster -q -dir top --format json
	want=$output
	export BOARD_USER=trainer
	make_board_user secret
	# both hosts are this machine: the home has a directory for each
	mkdir -p "$BOARD_HOME"/{bin,first/train,second/train}
	cp "$MSPROF" "$BOARD_HOME/bin/msprof"
	mv top/PROF_0000 top/PROF_0001 "$BOARD_HOME/first/train"
	mv top/PROF_0002 top/PROF_0003 "$BOARD_HOME/second/train"
	give_board "$BOARD_HOME"
	port=$("$SSHD" start openssh "$BATS_TEST_TMPDIR/sshd" -o SetEnv="PATH=$BOARD_HOME/bin:/usr/bin:/bin")
	mkdir bin
	cp "$BATS_TEST_TMPDIR/sshd/client_key" key && chmod 600 key
	local options="-i $PWD/key -F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
	# shellcheck disable=SC2016 # for the scripts
	printf '#!/bin/sh\nhost=$1\nshift\nexec %s %s -p %s trainer@127.0.0.1 "cd $host && $*"\n' "$(command -v ssh)" "$options" "$port" >bin/ssh
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nexec %s -q %s -P %s "trainer@127.0.0.1:${2%%%%:*}/${2#*:}" "$3"\n' "$(command -v scp)" "$options" "$port" >bin/scp
	chmod +x bin/*
	recipe 2 >ssh.sh
	has "$(cat ssh.sh)" "msprof aggregate"
	sed -i 's/^msprof cluster.*/& -q --format json/' ssh.sh
	HOSTS='first second' TRAINING=train PATH="$PWD/bin:${MSPROF%/*}:$PATH" run --separate-stderr sh -eu ssh.sh
	"$SSHD" stop "$BATS_TEST_TMPDIR/sshd"
	equal "$status" 0 || fail "$stderr"
	equal "$output" "$want"
	equal "$(ls aggregates)" $'first.PROF_0000.json\nfirst.PROF_0001.json\nsecond.PROF_0002.json\nsecond.PROF_0003.json'
}

@test "two ranks of a real training: what the vendor's tool says of their collectives" {
	[ -d "$SHARED/real-910b/level1/rank1" ] || skip "needs ../shared"
	for rank in 0 1; do
		python3 "$SHARED/../oracle/db2prof.py" "$SHARED/real-910b/level1/rank$rank/profiler.db" "real/rank$rank" >/dev/null
	done
	expect 0 cluster -q -dir real --format json
	python3 - "$output" "$SHARED/real-910b/level1" <<'END'
import json, sqlite3, sys
told, folder = json.loads(sys.argv[1]), sys.argv[2]
elapse, ops = [], []
for n in (0, 1):
    with open(f"{folder}/rank{n}/communication.json", encoding="utf-8") as f:
        groups = [g for step in json.load(f).values() for g in step.values()]
    elapse.append({name: op["Communication Time Info"]["Elapse Time(ms)"] for g in groups for name, op in g.items() if not name.startswith("Total")})
    with sqlite3.connect(f"file:{folder}/rank{n}/profiler.db?immutable=1", uri=True) as db:
        ops.append([d for d, in db.execute("SELECT endNs - startNs FROM COMMUNICATION_OP ORDER BY startNs")])
assert len(elapse[0]) == len(ops[0]) == len(ops[1]) == 4 and set(elapse[0]) == set(elapse[1])
assert not [row for row in told["stragglers"] if row["straggler"] == "yes"], told["stragglers"]
for rank, row in enumerate(told["ranks"]):
    wait = sum(pair[rank] - min(pair) for pair in zip(*ops)) / len(ops[0]) / 1000
    assert row["collectives"] == 4 and abs(wait - float(row["wait_us"])) < 0.02, (rank, wait, row)
# the links have the vendor's bytes, and the times of its tasks; its table of links has estimates of these times
links = {(row["from"], row["to"]): row for row in told["links"]}
tasks = """SELECT srcRank, dstRank, sum(size), sum(endNs - startNs) FROM COMMUNICATION_TASK_INFO JOIN TASK USING (globalTaskId)
WHERE size > 0 AND srcRank <> dstRank AND dstRank < 4294967295 GROUP BY 1, 2"""
for n in (0, 1):
    with open(f"{folder}/rank{n}/communication_matrix.json", encoding="utf-8") as f:
        pairs = [op for step in json.load(f).values() for group in step.values() for name, op in group.items() if "-total" in name]
    with sqlite3.connect(f"file:{folder}/rank{n}/profiler.db?immutable=1", uri=True) as db:
        times = {(a, b): (size, ns) for a, b, size, ns in db.execute(tasks)}
    for pair, theirs in pairs[0].items():
        a, b = map(int, pair.split("-"))
        if a != b:
            row, (size, ns) = links.pop((a, b)), times[a, b]
            assert row["bytes"] == size == round(theirs["Transit Size(MB)"] * 1e6) and row["link"] == theirs["Transport Type"], (row, theirs)
            assert abs(float(row["time_us"]) - ns / 1000) < 0.1 and abs(float(row["gb_s"]) / theirs["Bandwidth(GB/s)"] - 1) < 0.08, (row, ns, theirs)
assert not links
END
}
