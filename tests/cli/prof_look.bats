#!/usr/bin/env bats
# prof_look.bats: PROF directories: what show, advise, report, diff and cluster say of the machine, the chip and the clock. Numbers are computed from the raw files.
# shellcheck disable=SC2034,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# table TITLE: the rows of a table of show, without the name of the job; of the files as they are now
table() {
	discard "$PROF/sqlite"
	expect "${WANTED:-0}" show -q -dir "$PROF" --table "$1" --top 0 --format csv
	sed 1d <<<"$output" | cut -d, -f2-
}

# ticks BUSY IDLE...: samples of the host's processor 0 and of processor 1, which is busy half as long, each 5 ms from 1 s on; the first counts what was before.
ticks() {
	python3 - "$@" <<-'END'
		import sys
		steps = list(map(int, sys.argv[1:]))
		busy = idle = 1000
		for k in range(len(steps) // 2):
		    cpus = [[busy, 3, 2 * k, idle, 7, 1, 2, 0, 0, 0], [busy // 2, 0, 0, idle + busy - busy // 2, 4 * k, 0, 0, 0, 0, 0]]
		    lines = [f"cpu  {' '.join(map(str, map(sum, zip(*cpus))))}"] + [f"cpu{n} {' '.join(map(str, c))}" for n, c in enumerate(cpus)]
		    print(f"TimeStamp:{10**12 + k * 5 * 10**6}\nIndex:{k}\n" + "\n".join(lines) + "\n")
		    busy, idle = busy + steps[2 * k], idle + steps[2 * k + 1]
	END
	touch "$HOST/host_sys_cpu.data.slice_0.done"
}

# late SEED: tasks of which the host launched one late. Prints the begin of the gap, the late launch, its thread, and the span of all.
late() {
	python3 "$HELPERS/planted_prof.py" "$DB" "$1" late
	query "SELECT max(start_ns - before), before, launch_ns, thread_id FROM (
		SELECT start_ns, launch_ns, thread_id, lag(start_ns + dur_ns) OVER (ORDER BY start_ns) AS before FROM task WHERE is_op = 1) WHERE before IS NOT NULL" | cut -d'|' -f2-
}

# found RULE: its findings: subject and saving
found() {
	expect 0 advise -q -dir "$PROF" --rule "$1" --format json
	jq -r '.jobs[0].findings[] | [.subject, .saving_ns] | @tsv' <<<"$output"
}

why() {
	expect 0 advise -q -dir "$PROF" --rule "$1" --format json
	jq -r '.jobs[0].abstained[].reason' <<<"$output"
}

@test "show: processors of the machine from a sample to the next, memory, disks, what the program uses" {
	ticks 100 100 60 40 0 0 0 0 >"$HOST/host_sys_cpu.data.slice_0"
	printf 'TimeStamp:%s\nIndex:1\nMemTotal:        4000 kB\nMemFree:          %s kB\nBuffers: 100 kB\nCached: 400 kB\n\n' 1 2500 2 500 >"$HOST/host_sys_mem.data.slice_0"
	sed -i 's/^{/{"host_disk_freq":20,/' "$PROF/host/sample.json"
	printf 'start_time 1000500000000\n10:11:12   4242 be/4 root  2.00 K/s  512.00 B/s  0.00 %%  %s %% python3\n' 10 >"$HOST/host_disk.data.slice_0"
	printf '10:11:13   4242 be/4 root  4.00 K/s  1.00 K/s  0.00 %%  30.00 %% python3\n' >>"$HOST/host_disk.data.slice_0"
	# cpu0: 100 + 60 and 2 of the system each time, of 100 + 40 + ...; cpu1: half as busy, and 4 ticks of waiting; the third sample equals the second but for 2 and 4 ticks
	want=$(python3 - <<-'END'
		spans = [((102, 202), (50, 204), 4), ((62, 102), (30, 104), 4), ((2, 2), (0, 4), 4)]
		busy, all_ticks = [a[0] + b[0] for a, b, _ in spans], [a[1] + b[1] for a, b, _ in spans]
		share = lambda x, y: round(100 * x / y, 2)
		print(f"host,2 CPUs busy,3,{share(sum(busy), sum(all_ticks))},{max(map(share, busy, all_ticks))},%")
		print(f"host,Busiest CPU: 0,3,{share(166, 306)},100.0,%")
		print(f"host,CPUs wait for disks,3,{share(12, sum(all_ticks))},{max(share(4, t) for t in all_ticks)},%")
		print(f"host,Memory used,2,{round((1000 + 3000) / 2 * 1024 / 1e6, 2)},{round(3000 * 1024 / 1e6, 2)},MB")
		print("host,Disks: read,2,3.0,4.0,KB/s\nhost,Disks: written,2,0.75,1.0,KB/s\nhost,Program waits for disks,2,20.0,30.0,%")
	END
	)
	equal "$(table Machine)" "$want"
	# a single sample is of the time since the machine started
	ticks 1 1 >"$HOST/host_sys_cpu.data.slice_0"
	rm "$HOST"/host_sys_mem* "$HOST"/host_disk*
	equal "$(table Machine)" "host,CPUs busy,0,N/A,N/A,%"
	# ticks that count backwards are those of another start
	ticks -100 300 1 1 >"$HOST/host_sys_cpu.data.slice_0"
	equal "$(table Machine)" "host,CPUs busy,0,N/A,N/A,%"
}

@test "show: each kind of what the chip samples has a table, at 80 columns" {
	record prof.soc_pmu "$DEVICE/socpmu.data.0.slice_0" <<-'END'
		stream_id=0 task_id=0 data_type=4 event0=9
		stream_id=1 task_id=0 data_type=4 event0=4
		stream_id=1 task_id=0 data_type=4 event0=0
	END
	equal "$(table 'Page faults')" $'0,layer0:Op0,1,9,9\n0,layer1:Op1,2,4,4'
	python3 - "$DEVICE" <<-'END'
		import struct, sys
		points = lambda kind, *ps: (struct.pack("<II", len(ps), kind) + b"".join(struct.pack("<QII", 50000000000 + t, v, 0) for t, v in ps)).ljust(888, b"\0")
		open(sys.argv[1] + "/lpmInfoConv.data.0.slice_0", "wb").write(points(0, (5000, 1650)) + points(1, (1, 810), (9, 790)) + points(2, (7, 705)))
	END
	rm -f "$DEVICE"/lpmFreqConv*
	equal "$(table Voltage)" $'0,cores,2,790,900\n0,bus,1,705,900'
	expect 0 show -q -dir "$PROF" --table Frequency
	has "$output" "Device id : 0 Lowest : 1650 MHz Highest : 1850 MHz"
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	python3 - "$DEVICE" <<-'END'
		import struct, sys
		device = sys.argv[1]
		mission = lambda waits, start, end, begin: struct.pack("<16HQHQQ3H", *waits, start, 9, end, begin, 5, 4660, 22)
		open(device + "/ccu0.instr.0.slice_0", "wb").write(mission([0] * 13 + [3, 0, 8], 50000002000, 0, 0) + mission([0] * 15 + [2], 50000003000, 0, 0))
		words = [0] * 704
		for place, values in ((5, (1, 11, 100, 50, 200)), (64 + 11 * 5, (2, 11, 10, 5, 20))):
		    words[place:place + 5] = values
		open(device + "/ccu1.stat.0.slice_0", "wb").write(struct.pack("<704I", *words))
		open(device + "/ub.data.0.slice_0", "wb").write(b"".join(struct.pack("<4H15Q", 1, 0, 7, 0, 1000 * k, 11 * k, 22 * k, *[0] * 12) for k in (1, 2)))
		power = lambda die, ticks, mhz: struct.pack("<2HIQQ20H", 29 | die << 10, 0x6BD3, 0, 50000000000 + ticks, 0, *[mhz if k == 11 else k for k in range(20)])
		open(device + "/stars_soc_profile.data.0.slice_0", "wb").write(power(1, 100, 1650) + power(1, 150, 1600) + power(0, 200, 800))
	END
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/device_0/info.json.0"
	equal "$(table 'Clock of dies')" $'0,0,1,800,800.0,800\n0,1,2,1600,1625.0,1650'
	equal "$(table 'Unified bus')" "0,7,2,16.5,22,33.0,44"
	# 20 ns a count, quarters of counts
	equal "$(table 'Waits of the unit for collectives')" $'0,0,2,0.8,0.4,0.64\n0,2,1,0.24,0.24,0.24'
	equal "$(table 'Channels of the unit for collectives')" $'0,1,1,1.0,2.0,4.0\n0,23,1,0.1,0.2,0.4'
	COLUMNS=80 expect 0 show -q -dir "$PROF" --top 2
	for title in Voltage 'Clock of dies' 'Unified bus' 'Waits of the unit for collectives' 'Channels of the unit for collectives'; do
		shown=$(sed -n "/^$title :/,/^\$/p" <<<"$output")
		has "$shown" ╒
		[ "$(wc -L <<<"$shown")" -le 80 ] || fail "$title: $shown"
	done
}

@test "show and report: traffic of memories and links, as in their tables of export" {
	discard "$PROF"
	"$BUILD/tests/genprof" --out "$PROF" --samples
	expect 0 export summary -q -dir "$PROF"
	told=$(table Traffic)
	# 0,STACK,READ,WRITTEN and 0,MODE,CACHE,HITS,MB/s
	equal "$(sed -n 's/^0,HBM \([01]\) read,[0-9]*,\([0-9.]*\),.*/\1 \2/p' <<<"$told")" "$(rows hbm | awk -F, '$2 != "Average" {printf "%s %.2f\n", $2, $3}')"
	equal "$(sed -n 's/^0,HBM \([01]\) written,[0-9]*,\([0-9.]*\),.*/\1 \2/p' <<<"$told")" "$(rows hbm | awk -F, '$2 != "Average" {printf "%s %.2f\n", $2, $4}')"
	equal "$(sed -n 's/^0,Cache \([0-9]*\),[0-9]*,\([0-9.]*\),.*/\1 \2/p' <<<"$told")" "$(rows llc_read_write | awk -F, '$3 != "Average" {printf "%s %.1f\n", $3, $5}')"
	expect 0 report -q -dir "$PROF" -o "$BATS_TEST_TMPDIR/report.html"
	for curve in "PCIe sent" "HBM read"; do grep -q "\"name\": \"$curve\", \"unit\": \"MB/s\"" "$BATS_TEST_TMPDIR/report.html" || fail "$curve"; done
}

@test "show: sampled cores, how busy the least and the most busy one of a kind are" {
	sed -i 's/^{/{"ai_core_profiling_mode":"sample-based",/' "$PROF"/device_0/sample.json*
	rm "$DEVICE"/ffts_profile*
	for k in 0 1 2; do
		for core in 3 24 25; do echo "core=$core counters=8 total_cycles=$((k * core * 1850)) stamp_ns=$((1000000000000 + k * 1000000)) pmu0=$k"; done
	done | record prof.ffts_sample "$DEVICE/ffts_profile.data.0.slice_0"
	# in 2 ms of 1850 MHz 3 * core * 1850 cycles
	equal "$(table 'Sampled cores')" "$(python3 -c '
use = [round(3 * core * 1850 / (2000 * 1850) * 100, 2) for core in (3, 24, 25)]
print(f"0,cube,2,4,{round((use[0] + use[1]) / 2, 2)},{use[0]},{use[1]}\n0,vector,1,2,{use[2]},{use[2]},{use[2]}")')"
	expect 0 report -q -dir "$PROF" -o "$BATS_TEST_TMPDIR/report.html"
	grep -q '"Sampled cores busy", "unit": "%", "track": "Device 0, cube cores", "samples": 2' "$BATS_TEST_TMPDIR/report.html"
}

@test "advise: the host is busy, waits for disks, or its thread is in the system while the device waits; each only where all of it was recorded" {
	expect 0 import -q -dir "$PROF"
	IFS='|' read -r begin launch thread < <(late 5)
	equal "$(found host_late | wc -l)" 1
	saving=$(found host_late | cut -f2)
	equal "$(why prof_busy_host)" "the processors of the host were not sampled twice around a step: --host-sys-usage=cpu"
	equal "$(why prof_disk_wait)" "disks were not sampled twice around a step: --host-sys=disk"
	equal "$(why prof_system_wait)" "no calls to the system were recorded: --host-sys=osrt"
	equal "$(why prof_page_faults)" "page faults were not counted"
	# both processors are busy for 19 of 20 ticks; then for 17
	for busy in 19 17; do
		rm -f "$DB"
		args=()
		for k in {1..200}; do args+=($((busy * 2)) $((40 - busy * 2))); done
		ticks "${args[@]}" | grep -v '^cpu ' | sed 's/^cpu1 .*/cpu1 0 0 0 0 0 0 0 0 0 0/; s/^cpu0 \(.*\)/cpu \1\ncpu0 \1/' >"$HOST/host_sys_cpu.data.slice_0"
		expect 0 import -q -dir "$PROF"
		late 5 >/dev/null
		equal "$busy: $(found prof_busy_host)" "$busy: $([ $busy = 17 ] || printf 'the host\t%s' "$saving")"
	done
	# disks: waits of half of the time bound the saving by half of the steps
	step=$(jq '.jobs[0].findings[0].step_ns' <<<"$(expect 0 advise -q -dir "$PROF" --rule host_late --format json && echo "$output")")
	sqlite3 "$DB" "INSERT INTO host_disk_use SELECT 1000000000000 + value * 1000000, 1, 1, 20 FROM json_each('[0,100,200,300,400,500]')"
	equal "$(found prof_disk_wait)" $'disks of the host\t'"$((saving < step / 5 ? saving : step / 5))"
	sqlite3 "$DB" "UPDATE host_disk_use SET use = 5"
	equal "$(found prof_disk_wait)" ""
	# calls: one from before the gap, one within, one that goes on after the launch, one of another thread, and a short one
	sqlite3 "$DB" "INSERT INTO os_call VALUES ($thread, 'futex', $begin - 1000000, 1400000), ($thread, 'read', $begin + 500000, 300000),
		($thread, 'futex', $launch - 200000, 900000), ($thread + 1, 'poll', $begin, 2000000), ($thread, 'write', $begin + 900000, 1000)"
	equal "$(found prof_system_wait)" $'futex\t600000\nread\t300000'
	sqlite3 "$DB" "UPDATE os_call SET tid = 9"
	equal "$(why prof_system_wait)" "no call to the system is of a thread that launches"
}

@test "advise: tasks with page faults against those of the operator without" {
	for k in 0 1 2 3; do echo "stream_id=$k task_id=0 data_type=4 event0=$((k == 1 ? 33 : 0))"; done | record prof.soc_pmu "$DEVICE/socpmu.data.0.slice_0"
	expect 0 import -q -dir "$PROF"
	python3 "$HELPERS/planted_prof.py" "$DB" 7
	# the first four tasks are of one operator: three of 400 us without faults, one of 900 us with
	sqlite3 "$DB" "UPDATE task SET op_name = 8000000000000000002 WHERE op_name = 8000000000000000001;
		UPDATE task SET op_name = 8000000000000000001, dur_ns = iif(stream_id = 1, 900000, 400000) WHERE stream_id < 4 AND task_id = 0"
	equal "$(found prof_page_faults | cut -f2)" 500000
	# two tasks without faults are too few
	sqlite3 "$DB" "UPDATE soc_pmu SET event0 = 1 WHERE rowid = 1"
	equal "$(found prof_page_faults)" ""
}

@test "advise, diff, cluster: a clock below the highest, where only lpmInfoConv tells it" {
	rm -f "$DEVICE"/lpmFreqConv*
	python3 - "$DEVICE" <<-'END'
		import struct, sys
		open(sys.argv[1] + "/lpmInfoConv.data.0.slice_0", "wb").write((struct.pack("<II", 1, 0) + struct.pack("<QII", 50000000000, 1480, 0)).ljust(888, b"\0"))
	END
	expect 0 advise -q -dir "$PROF" --rule prof_clock --format json
	# all operators ran at 1480 of 1850 MHz, for so many us
	equal "$(jq -c '.jobs[0].findings[0] | [.saving_ns, (.evidence[] | [.MHz, .Operators])]' <<<"$output")" "[$(query 'SELECT sum(dur_ns / 1000) * 200 FROM task WHERE is_op = 1'),[1480,40]]"
	cp -r "$PROF" "$BATS_TEST_TMPDIR/PROF_FULL"
	python3 - "$BATS_TEST_TMPDIR/PROF_FULL/device_0/data" <<-'END'
		import struct, sys
		open(sys.argv[1] + "/lpmInfoConv.data.0.slice_0", "wb").write((struct.pack("<II", 1, 0) + struct.pack("<QII", 50000000000, 1850, 0)).ljust(888, b"\0"))
	END
	discard "$BATS_TEST_TMPDIR/PROF_FULL/sqlite"
	expect 0 diff -q "$PROF" "$BATS_TEST_TMPDIR/PROF_FULL" --format json
	equal "$(jq -c '.comparable.facts[] | select(.name == "ran") | [.base, .new, .equal]' <<<"$output")" '["1480","1850",false]'
	# three ranks, of which one runs slowly
	mkdir "$BATS_TEST_TMPDIR/top"
	for rank in 0 1 2; do
		cp -r "$([ $rank = 1 ] && echo "$PROF" || echo "$BATS_TEST_TMPDIR/PROF_FULL")" "$BATS_TEST_TMPDIR/top/PROF_00000${rank}_20231114221320000_MADEUPMADEUPMADE"
		sed -i "s/^{/{\"rank_id\":$rank,/" "$BATS_TEST_TMPDIR/top/PROF_00000${rank}"*/*/info.json*
	done
	expect 0 cluster -q "$BATS_TEST_TMPDIR/top" --format json
	equal "$(jq -c '[.ranks[] | [.rank, .clock_mhz, .lowest_clock_mhz]]' <<<"$output")" '[[0,1850,1850],[1,1480,1480],[2,1850,1850]]'
	has "$output" "the cores of rank 1 ran at 1480 MHz on average, 1480 at the lowest; the median of the ranks is 1850 MHz"
}

@test "commands that compare all iterations say that they take no choice of them" {
	for command in report diff cluster; do
		expect 2 $command "$PROF" --model-id 1 --iteration-id 1
		has "$stderr" "$command does not accept --model-id; only export timeline, export summary, export all, show and advise do"
	done
	expect 2 advise "$PROF" --iteration-id 1
	has "$stderr" "advise does not accept --iteration-id; only export timeline, export summary, export all and show do"
}
