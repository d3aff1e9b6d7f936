#!/usr/bin/env bats
# standing_prof.bats: what the data of Ascend jobs is worth.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	JOB=$BATS_TEST_TMPDIR/PROF_1
	DB=$JOB/sqlite/msprof.db
	export JOB DB
	cd "$BATS_TEST_TMPDIR" || return
}

# made [OPTION...]: a sound directory
made() {
	discard "$JOB"
	"$BUILD/tests/genprof" --out "$JOB" "$@"
}

@test "sound directories of every size are consistent, with exit 0" {
	local tasks streams count=0
	for tasks in 1 2 15 40 300 5000; do
		for streams in 1 3 200; do
			made --tasks "$tasks" --streams "$streams" --seed $((count + 1)) --samples
			expect 0 import "$JOB"
			has "$stderr" "standing: times of tasks consistent, counters consistent, calls consistent, iterations consistent, names of tasks consistent"
			equal "$(query "SELECT count(*) FROM data_check WHERE failed > 0")" 0
			[ "$(query "SELECT count(*) FROM data_check WHERE about = 'tasks'")" -ge 7 ]
			count=$((count + 1))
		done
	done
	equal $count 18
}

@test "a contradiction withholds tables of tasks and counters, and leaves calls" {
	made
	sed -i 's/"aic_frequency":"1850"/"aic_frequency":"7"/' "$JOB/device_0/info.json.0"
	expect 3 import "$JOB"
	has "$stderr" "counters contradicted: the cores have 7 MHz, not 100 to 4000; see"
	expect 1 import --strict "$JOB"
	expect 3 show "$JOB"
	has "$output" "Op summary :"$'\n'"  no data: withheld, since the data contradicts itself: counters" "Overview :"$'\n'"Device id" "Api statistic :"$'\n'
	lacks "$output" "aic_mac_ratio"
	expect 3 show --anyway "$JOB"
	has "$output" "Op summary :"$'\n'"contradicted: counters" "aic_mac_ratio"
}

@test "calls that end before they start contradict; their table is withheld alone" {
	made
	python3 - "$JOB/host/data/unaging.api_event.data.slice_0" <<'EOF'
import sys
data = open(sys.argv[1], "rb").read()
open(sys.argv[1], "wb").write(b"".join(data[at:at + 16] + data[at + 24:at + 32] + data[at + 16:at + 24] + data[at + 32:at + 40] for at in range(0, len(data), 40)))
EOF
	expect 3 show "$JOB"
	has "$stderr" "calls contradicted: nothing ends before it starts: not so in "
	has "$output" "Api statistic :"$'\n'"  no data: withheld, since the data contradicts itself: calls"
	lacks "$output" "Overview :"$'\n'"  no data"
}

@test "clocks of another collection are a doubt: exit 3, and tables are shown" {
	made
	sed -i 's/cntvct:50000000000/cntvct:90000000000/' "$JOB/device_0/dev_start.log.0"
	expect 3 show "$JOB"
	has "$stderr" "times of tasks in doubt: a task starts "
	has "$output" "Overview :"$'\n'"Device id" "Op summary :"$'\n'"Device id"
	expect 3 check --files "$JOB"
	has "$output" "tasks run while data is collected"
}

@test "a few odd records are no doubt; a handful of tasks proves nothing" {
	made --tasks 200
	# one task of 200 ends before it starts
	python3 - "$JOB/device_0/data/stars_soc.data.0.slice_0" <<'EOF'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
start = struct.unpack_from("<Q", data, 64 * 100 + 8)[0]
struct.pack_into("<Q", data, 64 * 101 + 8, start - 50)
open(sys.argv[1], "wb").write(data)
EOF
	expect 3 import "$JOB"
	has "$stderr" "2 unpaired task events" "times of tasks consistent"
	equal "$(query "SELECT count(*) FROM unpaired")" 2
	made --tasks 5
	sed -i 's/cntvct:50000000000/cntvct:90000000000/' "$JOB/device_0/dev_start.log.0"
	expect 0 import "$JOB"
}

@test "each check can fail: near misses of PROF directories are noticed" {
	run python3 "$ROOT/tests/prof/nearmiss.py" "$MSPROF" "$BUILD/tests/genprof" --first 30 --seeds 1 --kind log_times_x10 --kind log_ends_flipped \
		--kind log_starts_only --kind log_durations_x10 --kind log_shuffled --kind log_tasks_zero --kind log_moved_by_4 --kind log_big_endian \
		--kind track_times_x10 --kind track_tasks_shifted --kind node_times_x10 --kind node_name_and_type --kind api_end_is_duration \
		--kind api_longer_x1000 --kind api_types_shifted --kind hash_dic_other_numbers --kind pmu_cycles_x10 --kind pmu_cycles_div10 \
		--kind pmu_total_and_first --kind pmu_tasks_shifted --kind core_frequency_x10 --kind counter_frequency_x10 --kind host_frequency_x100 \
		--kind start_info_an_hour_later --kind end_info_an_hour_before --kind device_counter_a_minute_later --kind chip_1
	equal "$status" 0
	# a shuffled log is put in order
	has "$output" "27 changed jobs: 1 equal, 26 noticed" "missed 0.00 %, good ones doubted 0.00 %"
}

@test "jobs of 2022: sound ones are consistent, another counter or unit is noticed" {
	local top=$BATS_TEST_TMPDIR/JOBMIX count=0
	for seed in 1 2 3 4 5 6; do
		discard "$top"
		python3 "$HELPERS/ascend2022_mix.py" make "$top" $seed
		expect 0 import "$top"
		equal "$(query "SELECT count(*) FROM data_check WHERE failed > 0" "$top/sqlite/msprof.db")" 0
		count=$((count + 1))
	done
	equal $count 6
	sed -i 's/"aic_frequency": *"*[0-9.]*"*/"aic_frequency": "9"/' "$top"/info.json.*
	expect 3 show "$top"
	has "$stderr" "counters contradicted: the cores have 9.0 MHz, not 100 to 4000; see"
	has "$output" "AI Core Metrics :"$'\n'"  no data: withheld"
}
