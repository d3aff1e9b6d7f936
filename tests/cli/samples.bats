#!/usr/bin/env bats
# samples.bats: samples whose records the control files choose: memories of version 2.0. No data of a device exists for them.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# The same two samples of memory and cache of both versions, as SECOND and FIRST of microseconds.
@test "hbm and llc of version 2.0: other records, the same rates" {
	sed -i 's/"version":"1.0"/"version":"2.0"/' "$PROF/device_0/info.json.0"
	record prof.hbm_v2 "$DEVICE/hbm.data.0.slice_0" <<-END
		stamp_ns=1000000 count=32768 type=0 hbm_id=2
		stamp_ns=1000000 count=65536 type=1 hbm_id=2
		stamp_ns=1500000 count=32768 type=0 hbm_id=2
	END
	record prof.llc_v2 "$DEVICE/llc.data.0.slice_0" <<-END
		stamp_ns=1000000 count=16384 event=0 l3t_id=3
		stamp_ns=1000000 count=50 event=2 l3t_id=3
		stamp_ns=1000000 count=100 event=4 l3t_id=3
	END
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'prof.hbm_v2\nprof.llc_v2'
	equal "$(rows hbm)" $'0,Average,1500.0,2000.0\n0,hbm2,1500.0,2000.0'
	equal "$(rows llc)" $'0,read,Average,50.0,1000.0\n0,read,3,50.0,1000.0'
	equal "$(query 'SELECT time_ns - host_monotonic_ns FROM hbm_rate JOIN device USING (device_id) WHERE type = 0; SELECT time_ns - host_monotonic_ns FROM llc_rate JOIN device USING (device_id)')" \
		$'1000000\n1500000\n1000000'
	equal "$(query "SELECT text FROM note WHERE text LIKE '%version%' ORDER BY 1")" \
		$'times of hbm of version 2.0 are taken for ns since the start of the device\ntimes of llc of version 2.0 are taken for ns since the start of the device'
	expect 0 check -dir "$PROF"
	has "$output" "prof.hbm_v2" "prof.llc_v2"
	# cut short: what is whole stays, the rest is damage
	truncate -s 80 "$DEVICE/hbm.data.0.slice_0"
	expect 3 import -dir "$PROF"
	accounted
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE target = 'hbm'; SELECT reason FROM damage")" \
		$'2|16\nrecord cut short by the end of the file'
}

@test "an info file that is cut, or says nothing or nonsense of its version, is one of version 1.0" {
	for version in '' '"version":2.0,' '"version":["2.0"],' '"version":"2.00000000000000000000000000000000000000",' '"more":{"version":"2.0"},'; do
		rm -rf "$PROF"
		"$BUILD/tests/genprof" --out "$PROF" --samples
		sed -i "s/\"version\":\"1.0\",/$version/" "$PROF/device_0/info.json.0"
		expect 0 import -dir "$PROF"
		equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'prof.hbm\nprof.llc'
	done
	sed -i 's/.$//' "$PROF/device_0/info.json.0"
	expect 3 import -dir "$PROF"
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'prof.hbm\nprof.llc'
}

@test "JOB directories, too: hbm and llc of version 2.0" {
	JOB=$BATS_TEST_TMPDIR/JOBMADE DB=$BATS_TEST_TMPDIR/JOBMADE/sqlite/msprof.db
	python3 "$HELPERS/ascend2022.py" "$JOB" tasks=1 extra=1
	expect 0 import -dir "$JOB"
	one=$(query 'SELECT device_id, type, time_ns, mbs FROM hbm_rate; SELECT device_id, l3t_id, time_ns, mbs FROM llc_rate')
	python3 "$HELPERS/ascend2022.py" "$JOB.2" tasks=1 extra=1 version=2.0
	DB=$JOB.2/sqlite/msprof.db
	expect 0 import -dir "$JOB.2"
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'ascend2022.hbm_v2\nascend2022.llc_v2'
	equal "$(query 'SELECT device_id, type, time_ns, mbs FROM hbm_rate; SELECT device_id, l3t_id, time_ns, mbs FROM llc_rate')" "$one"
	# no info file of the device, but one of all
	mv "$JOB.2/info.json.0" "$JOB.2/info.json"
	expect 0 import -dir "$JOB.2"
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'ascend2022.hbm_v2\nascend2022.llc_v2'
}
