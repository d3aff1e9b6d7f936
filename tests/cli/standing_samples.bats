#!/usr/bin/env bats
# standing_samples.bats: what samples of memory, links, processors and cores are worth, and data of older Ascend jobs.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/report

setup() {
	JOB=$BATS_TEST_TMPDIR/PROF_1
	DB=$JOB/sqlite/msprof.db
	export JOB DB
	cd "$BATS_TEST_TMPDIR" || return
	"$BUILD/tests/genprof" --out "$JOB" --samples
	python3 -c 'import random, sys; sys.path.insert(0, sys.argv[1]); import near_samples
near_samples.write(sys.argv[2], "device_0/data", random.Random(1), 10**12)' "$ROOT/tests" "$JOB"
	DATA=$JOB/device_0/data
}

# standing ABOUT
standing() {
	query "SELECT standing, checks > 3 FROM standing WHERE about = '$1'"
}

@test "each kind of samples has a standing of its own, and sound ones are consistent" {
	expect 0 import "$JOB"
	has "$stderr" "samples of memory consistent, samples of links consistent, samples of use consistent"
	for about in memory links usage; do
		equal "$(standing $about)" "consistent|1"
	done
	equal "$(query "SELECT count(*) FROM data_check WHERE failed > 0")" 0
	expect 0 report -q -dir "$JOB"
	has "$(page '[.counters[].name] | unique | join(",")')" "HBM read" "HCCS sent"
}

@test "counts of a link that go on and fall contradict; the page leaves out its curves alone" {
	# each sample counts anew
	awk '/^[0-9]/ { print $1, (NR % 2 ? 9000 : 100), (NR % 2 ? 8000 : 50); next } { print }' "$DATA/hccs.data.0.slice_0" >anew
	mv anew "$DATA/hccs.data.0.slice_0"
	expect 3 import "$JOB"
	has "$stderr" "samples of links contradicted: 19 of 39 are below the one before, but counts of HCCS go on and do not fall (device_0/data/hccs.data.0.slice_0)"
	equal "$(standing links)" "contradicted|1"
	equal "$(standing memory)" "consistent|1"
	expect 1 import --strict "$JOB"
	expect 3 report -q -dir "$JOB"
	lacks "$(page '[.counters[].name] | unique | join(",")')" HCCS
	has "$(page '[.counters[].name] | unique | join(",")')" "HBM read"
}

@test "what cannot be contradicts: an engine beyond 100 %, more memory free than there is" {
	sed -i 's/ [0-9]*%/ 101%/' "$DATA/dvpp.data.0.slice_0"
	expect 3 import "$JOB"
	has "$stderr" "samples of use contradicted: 101.0 %, but an engine is used for at most 100 %"
	sed -i 's/ 101%/ 99%/; s/^MemFree:.*/MemFree: 16000001 kB/' "$DATA/dvpp.data.0.slice_0" "$DATA/Memory.data.0.slice_0"
	expect 3 import "$JOB"
	has "$stderr" "16000001 of 16000000 kB, but no more memory is free than there is"
}

@test "stamps at both ends of 64 bits stop no import" {
	printf 'TimeStamp:%s\n' 9223372036854775807 -1 >"$DATA/Memory.data.0.slice_0"
	expect 0 import "$JOB"
	printf 'TimeStamp:%s\n' 9223372036854775807 -9223372036854775808 >"$DATA/Memory.data.0.slice_0"
	expect 0 import "$JOB"
}

@test "a few samples prove nothing, and one odd sample is no doubt" {
	printf '1000100000000: 500 5\n1000120000000: 400 4\n1000140000000: 300 3\n' >"$DATA/hccs.data.0.slice_0"
	sed -i '20s/ [0-9]*%/ 101%/' "$DATA/dvpp.data.0.slice_0"
	expect 0 import "$JOB"
}

@test "each check of samples can fail: near misses are noticed" {
	run python3 "$ROOT/tests/prof/nearmiss.py" "$MSPROF" "$BUILD/tests/genprof" --first 40 --seeds 1 --kind samples_hbm_moved_by_4 \
		--kind samples_hbm_of_twice_the_size --kind samples_hbm_shuffled --kind samples_hbm_stamps_x1000 --kind samples_hbm_stamps_div1000 \
		--kind samples_hbm_kind_and_id --kind samples_hbm_cumulative --kind samples_hbm_counts_x1000000 --kind samples_llc_kind_and_id \
		--kind samples_llc_count_and_kind --kind samples_pcie_rotated --kind samples_pcie_x1000 --kind samples_pcie_of_half_the_size \
		--kind samples_nic_packets_and_bytes --kind samples_nic_bandwidth_in_bytes --kind samples_roce_without_errors --kind samples_hccs_x1000 \
		--kind samples_dvpp_use_x100 --kind samples_dvpp_moved --kind samples_cpu_of_one --kind samples_memory_total_and_free --kind samples_memory_in_bytes
	equal "$status" 0
	# shuffled ones are put in order
	has "$output" "22 changed jobs: 1 equal, 21 noticed" "missed 0.00 %, good ones doubted 0.00 %"
	[[ $output =~ samples_hbm_shuffled\ +equal\ 1 ]]
}

@test "near misses of JOBs of 2022 and of the Ascend 910 are noticed, and sound ones are not doubted" {
	run python3 "$ROOT/tests/ascend/nearmiss_2022.py" "$MSPROF" --first 41 --seeds 1 --good 4 --kind hwts_times_x10 --kind hwts_of_another \
		--kind pmu_reversed --kind pmu_twice --kind pmu_tasks_next --kind pmu_all_div10 --kind pmu_rotated --kind acl_process_and_thread --kind acl_longer_x100 \
		--kind track_moved_by_4 --kind track_of_another --kind track_index_and_model --kind counter_frequency_div10 --kind samples_ddr_kind_and_id
	equal "$status" 0
	has "$output" "good data: 4 jobs, 0 doubted (0.00 %)" "14 kinds, 14 changed jobs: 14 noticed" "missed 0.00 %, good ones doubted 0.00 %"
	run python3 "$ROOT/tests/ascend/nearmiss_910.py" "$MSPROF" --first 40 --seeds 1 --good 4 --kind hwts_times_x10 --kind hwts_an_hour_later \
		--kind trace_times_x10 --kind trace_types_shifted --kind trace_type_and_task --kind trace_twice --kind desc_tasks_shifted --kind desc_name_last \
		--kind graph_other_names --kind cpu_ticks_x10 --kind cpu_total_x1000 --kind cpu_before_and_after
	equal "$status" 0
	has "$output" "good data: 4 jobs, 0 doubted (0.00 %)" "12 kinds, 12 changed jobs: 12 noticed" "missed 0.00 %, good ones doubted 0.00 %"
}
