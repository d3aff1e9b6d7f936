#!/usr/bin/env bats
# limits.bats: numbers at the ends of their range, files that would use all memory, small stacks.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof
load helpers/help

mapfile -t JOB_COMMANDS < <(job_commands)

setup() {
	prof_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

MOST=9223372036854775807

# All outputs for a PROF directory.
exported() {
	expect 0 export timeline -dir "$PROF"
	expect 0 export summary -dir "$PROF"
	expect 0 export db -dir "$PROF"
	expect 0 show -dir "$PROF"
	expect 0 check -dir "$PROF"
}

@test "counters of blocks that add up to more than 64 bits are the largest number" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/device_0/info.json.0"
	record prof.v6_log "$DEVICE/stars_soc.data.0.slice_0" <<-END
		end=0 task_id=0 counter=$(device 2000)
		end=1 task_id=0 counter=$(device 2004)
	END
	record prof.v6_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<-END
		task_id=0 core_type=0 block_id=0 total_cycles=$MOST pmu0=$MOST pmu1=1 begin=$(device 2001) end=$(device 2003)
		task_id=0 core_type=0 block_id=1 total_cycles=$MOST pmu0=1 pmu1=2 begin=$(device 2001) end=$(device 2004)
		task_id=0 core_type=1 block_id=0 total_cycles=$MOST pmu9=$MOST begin=$(device 2001) end=$(device 2003)
		task_id=0 core_type=1 block_id=1 total_cycles=$MOST pmu9=$MOST begin=$(device 2001) end=$(device 2004)
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT aic_cycles, aic_pmu0, aic_pmu1, aiv_cycles, aiv_pmu9 FROM task WHERE start_ns IS NOT NULL')" \
		"$MOST|$MOST|3|$MOST|$MOST"
	exported
}

@test "samples of the last level cache that add up to more than 64 bits stop no export" {
	for event in 0 1 2 19 32 34 52 54; do
		echo "stamp_us=1000 count=$MOST event=$event l3t_id=1"
		echo "stamp_us=2000 count=$MOST event=$event l3t_id=1"
	done >"$BATS_TEST_TMPDIR/records"
	record prof.llc "$DEVICE/llc.data.0.slice_0" <"$BATS_TEST_TMPDIR/records"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT hit_rate FROM llc_rate')" $'1.0\n1.0'
	exported
	has "$(rows llc_read_write)" "0,read,1,100.0,"
}

@test "more gaps and damage than 64 bits count are told, whatever their sum" {
	rm "$JOB"/data/*.done
	expect 0 import -dir "$JOB"
	sqlite3 "$JOB/sqlite/msprof.db" "UPDATE source SET gaps = $MOST; INSERT INTO damage(file, offset, bytes, reason) VALUES('a', 0, $MOST, 'b'), ('a', 0, $MOST, 'b')"
	expect 3 export summary -dir "$JOB"
	has "$stderr" "$MOST damaged bytes" "$MOST sequence gaps"
	expect 3 check -dir "$JOB"
}

# own_threads COUNT: calls of nodes, each with its own thread and its own name
own_threads() {
	python3 - "$HOST/unaging.api_event.data.slice_0" "$1" <<-END
		import struct, sys
		with open(sys.argv[1], "wb") as f:
		    for i in range(int(sys.argv[2])):
		        f.write(struct.pack("<HHIIIQQQ", 0x5a5a, 10000, i, i, 0, 10**11 + 10 * i, 10**11 + 10 * i + 5, 2**24 + 7919 * i))
	END
}

@test "words of a message in the name of a directory bring no advice" {
	mkdir -p "out of memory' would have more than disk I/O error"
	expect 1 import -dir "$PWD/out of memory' would have more than disk I/O error/JOBNONE"
	lacks "$stderr" "MSPROF_MAX"
}

@test "an import or export that needs more memory than it may is an error; the earlier result stays" {
	needs_this_processor # the emulator knows no limit
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip "sanitizers take memory of their own"
	expect 0 import -dir "$PROF"
	before=$(sha256sum <"$DB")
	own_threads 100000
	export MSPROF_MAX_MEMORY=24
	expect 1 import -dir "$PROF"
	has "$stderr" "error: cannot import '$HOST/unaging.api_event.data.slice_0': out of memory" "msprof may use 24 MiB" "set MSPROF_MAX_MEMORY to more"
	equal "$(sha256sum <"$DB")" "$before"
	no_part_files "$PROF"
	export MSPROF_MAX_MEMORY=400
	expect 3 import -dir "$PROF"
	expect 3 export timeline -dir "$PROF"
	before=$(sha256sum "$PROF"/mindstudio_profiler_output/msprof_*.json)
	export MSPROF_MAX_MEMORY=4
	expect 1 export timeline -dir "$PROF"
	has "$stderr" "out of memory" "msprof may use 4 MiB"
	equal "$(sha256sum "$PROF"/mindstudio_profiler_output/msprof_*.json)" "$before"
	no_part_files "$PROF"
}

@test "an export that would be larger than it may is an error; the earlier one stays" {
	PROF=$BATS_TEST_TMPDIR/PROF_000002_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF" --tasks 10000
	for kind in timeline summary; do
		expect 0 export $kind -dir "$PROF"
	done
	before=$(sha256sum "$PROF"/mindstudio_profiler_output/{msprof,op_summary}_*)
	for kind in timeline summary; do
		MSPROF_MAX_OUTPUT=1 expect 1 export $kind -dir "$PROF"
		has "$stderr" "' would have more than 1 MiB: for a job that you trust, set MSPROF_MAX_OUTPUT to more"
	done
	equal "$(sha256sum "$PROF"/mindstudio_profiler_output/{msprof,op_summary}_*)" "$before"
	no_part_files "$PROF"
	MSPROF_MAX_OUTPUT=0 expect 0 export timeline -dir "$PROF"
}

@test "a database that would be larger than it may is an error; the earlier one stays" {
	PROF=$BATS_TEST_TMPDIR/PROF_000002_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF" --tasks 10000
	expect 0 import -dir "$PROF"
	before=$(sha256sum <"$PROF/sqlite/msprof.db")
	for command in import "export db"; do
		# shellcheck disable=SC2086 # words
		MSPROF_MAX_OUTPUT=1 expect 1 $command -dir "$PROF"
		has "$stderr" "for a job that you trust, set MSPROF_MAX_OUTPUT to more"
		equal "$(sha256sum <"$PROF/sqlite/msprof.db")" "$before"
		no_part_files "$PROF"
	done
	[ -z "$(find "$PROF" -name 'msprof_*.db')" ]
	generate --tasks 20000
	MSPROF_MAX_OUTPUT=1 expect 1 import -dir "$JOB"
	has "$stderr" "cannot write '$JOB/sqlite/.msprof.db.part': File too large: for a job that you trust, set MSPROF_MAX_OUTPUT to more"
	MSPROF_MAX_OUTPUT=0 expect 0 import -dir "$JOB"
}

@test "a budget is a number of MiB, 0 for no limit" {
	for name in MSPROF_MAX_MEMORY MSPROF_MAX_OUTPUT; do
		for value in x 1.5 -1 99999999999; do
			run --separate-stderr env "$name=$value" "$MSPROF" show -dir "$JOB"
			equal "$status" 1
			has "$stderr" "$name: '$value' is not a whole number of MiB"
		done
		run --separate-stderr env "$name=0" "$MSPROF" show -dir "$JOB"
		equal "$status" 0
	done
}

@test "64 KiB of stack are enough for each command" {
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip "sanitizers have larger frames"
	sample=$JOB
	made tasks=20 steps=2 extra=1
	PROF=$BATS_TEST_TMPDIR/PROF_000002_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF" --samples
	for job in "$sample" "$JOB" "$PROF"; do
		for command in "${JOB_COMMANDS[@]}" "show --sort time --top 3 --format json" "check --format csv --table files"; do
			# there is no advice for this generation
			[ "$command $job" != "advise $JOB" ] || continue
			# shellcheck disable=SC2086 # words on purpose
			(ulimit -s 64 && expect 0 $command -dir "$job")
		done
	done
	(ulimit -s 64 && expect 0 export db -dir "$PROF")
	# as deep as JSON may be
	printf '{"profiler": {}, "x": %s%s}' "$(printf '[%.0s' {1..99})" "$(printf ']%.0s' {1..99})" >deep.json
	(ulimit -s 64 && expect 3 acljson --check deep.json)
}
