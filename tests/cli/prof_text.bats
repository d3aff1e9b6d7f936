#!/usr/bin/env bats
# prof_text.bats: PROF directories: samples that are texts, of ports, links, engines, processors and memory, of the device and of the host.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# The database of `export db`.
made() {
	sqlite3 "$PROF"/msprof_*.db "$1"
}

# curves NUMBER: the samples of a process of the trace
curves() {
	jq -r --argjson n "$1" '.[] | select(.ph == "C" and (.pid / 32 % 32 | floor) == $n) | [.name, .ts[9:], (.args | to_entries[] | .key, .value)] | map(tostring) | join("|")' \
		"$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort
}

@test "ports, links between cards, engines, processors and memory of a device" {
	for name in nic roce; do
		cat >"$DEVICE/$name.data.0.slice_0" <<-END
			timestamp bandwidth(Mbps) rxPacket/s rxbyte/s rxPackets rxBytes rxErrors rxDropped txPacket/s txbyte/s txPackets txBytes txErrors txDropped funcId
			1001000000000: 1000 10 131072000 100 0 1 2 30 0 10 0 0 1 0
			1002000000000: 1000 30 0 100 0 3 0 10 65536000 10 0 0 1 0
			1001000000000: 0 5 0 0 0 0 0 0 0 0 0 0 0 1
		END
	done
	# two lines of a port without bandwidth: those of RDMA have no rates
	printf '100%s000000000: 0 5 0 0 0 2 0 0 0 0 0 0 0 2\n' 1 2 >>"$DEVICE/roce.data.0.slice_0"
	cat >"$DEVICE/hccs.data.0.slice_0" <<-END
		timestamp tx rx
		1001000000000: 0 0
		1002000000000: 1048576 2097152
		1003000000000: 0 9097152
		1004000000000: 3145728 9097152
		1005000000000: 9145728 9097152
	END
	cat >"$DEVICE/dvpp.data.0.slice_0" <<-END
		timestamp dvpp_id engine_type engine_id all_time all_frame all_utilization proc_time proc_frame proc_utilization last_time last_frame
		1001 0 4 1 100 7 5% 1 1 1% 1 1
		1002 0 4 1 350 9 6.5% 1 1 1% 1 1
	END
	printf 'TimeStamp:1001\nIndex:1\ncpu  9 0 0 0 0 0 0 0 0 0\ncpu0 10 10 20 40 5 5 10 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\ncpu7 9 9 9 9 9 9 9 9 9 9\n\n' >"$DEVICE/SystemCpuUsage.data.0.slice_0"
	printf 'TimeStamp:%s\nIndex:1\nMemTotal:        1000 kB\nMemFree:          %s kB\nCached:   3 kB\nHugePages_Free:      4\n\n' 1 500 2 501 >"$DEVICE/Memory.data.0.slice_0"
	sed -i 's/"DeviceInfo":\[{/"DeviceInfo":[{"ctrl_cpu":"0","ai_cpu":"1,2",/' "$PROF/device_0/info.json.0"
	expect 0 export summary -dir "$PROF"
	accounted
	# errors of all ports of a device, 4 of 3 lines, to the 40 packets of the port; a port with one line has its own numbers
	equal "$(rows nic | tr -d '\t')" '0,1699999001000000.000,1000.0,0.0,0.0,3.3,2.5,0.0,0.0,0.0,5.0,0
0,1699999000000000.000,0.0,0.0,5.0,0.0,0.0,0.0,0.0,0.0,0.0,1'
	equal "$(rows roce | grep ",2$" | cut -d, -f3-)" "0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,2"
	equal "$(rows hccs)" $'0,Tx (MB/s),3.0,1.0,2.0\n0,Rx (MB/s),2.0,0.0,1.0'
	equal "$(rows dvpp)" "0,0,VPC,1,250.0,2.0,6.5"
	equal "$(rows cpu_usage)" $'0,aicpu,50.0,0.0,0.0,0.0,0.0,50.0\n0,ctrlcpu,10.0,20.0,5.0,5.0,10.0,40.0'
	equal "$(rows sys_mem)" "0,1000,500,N/A,3,N/A,N/A,N/A,N/A,4"
	expect 0 export timeline -dir "$PROF"
	equal "$(curves 21)" 'Port 0/Rx|1000000.000|Rx Dropped Rate|0.02|Rx Error Rate|0.01|Rx Packets|10|Rx Bandwidth Efficiency|1
Port 0/Rx|2000000.000|Rx Dropped Rate|0|Rx Error Rate|0.03|Rx Packets|30|Rx Bandwidth Efficiency|0
Port 0/Tx|1000000.000|Tx Dropped Rate|0.1|Tx Error Rate|0|Tx Packets|30|Tx Bandwidth Efficiency|0
Port 0/Tx|2000000.000|Tx Dropped Rate|0.1|Tx Error Rate|0|Tx Packets|10|Tx Bandwidth Efficiency|0.5'
	equal "$(curves 22)" "$(curves 21)"
	equal "$(curves 20)" $'Rx|2000000.000|Rx(MB/s)|2\nRx|4000000.000|Rx(MB/s)|0\nTx|2000000.000|Tx(MB/s)|1\nTx|4000000.000|Tx(MB/s)|3'
	expect 0 export db -dir "$PROF"
	equal "$(made 'SELECT timestampNs, bandwidth, rxByteRate, txDropped, funcId FROM NIC WHERE funcId = 0 ORDER BY rowid LIMIT 1; SELECT count(*) FROM ROCE; SELECT timestampNs, txThroughput FROM HCCS')" \
		$'1700000001000000000|1048576000|131072000|1|0\n5\n1700000002000000000|1048576\n1700000004000000000|3145728'
	# texts of other chips are not understood, and a line that no layout knows is damage
	sed -i 's/"platform_version":"5"/"platform_version":"16"/' "$PROF/device_0/info.json.0"
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	echo "nonsense" >>"$DEVICE/dvpp.data.0.slice_0"
	expect 3 import -dir "$PROF"
	accounted
	equal "$(query "SELECT file, state FROM source WHERE (file LIKE '%nic%' OR file LIKE '%hccs%' OR file LIKE '%dvpp%') AND state <> 'marker'; SELECT bytes FROM damage WHERE file LIKE '%dvpp%'")" \
		$'device_0/data/dvpp.data.0.slice_0|raw\ndevice_0/data/hccs.data.0.slice_0|unknown\ndevice_0/data/nic.data.0.slice_0|unknown\n9'
}

@test "what a program uses of the host: processors, memory, network" {
	sed -i 's/"CPU":/"memoryTotal":1000000,"cpuNums":4,"sysClockFreq":100,"netCard":[{"netCardName":"eth0","speed":8},{"netCardName":"eth1","speed":-1}],"CPU":/' "$PROF/host/info.json"
	# process PID TICKS CPU: the words of /proc/PID/stat that count
	process() {
		echo "$1 (python) S 1 $1 0 0 0 0 0 0 0 0 $2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 $3 0 0"
	}
	{
		printf 'time 1001000000000\n100.00 5.0\n' && process 42 10 3 && process 43 10 1
		printf 'time 1002000000000\n101.00 5.0\n' && process 42 60 3 && process 43 20 3 && process 44 99 2
		printf 'time 1003000000000\n101.00 5.0\n' && process 42 70 3
	} >"$HOST/host_cpu.data.slice_0"
	printf '1001000000000 9 100 1 1 0 1 0\n1002000000000 9 500 1 1 0 1 0\n1003000000000 9 400\n' >"$HOST/host_mem.data.slice_0"
	for i in 1 2; do
		printf 'time 100%s000000000\neth0: %s 1 0 0 0 0 0 0 %s 1 0 0 0 0 0 0\neth1: %s 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n' $i $((i * 300000)) $((i * 200000)) $i
	done >"$HOST/host_network.data.slice_0"
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(rows host_cpu_usage)" "host,4,1,1"
	equal "$(rows host_mem_usage)" "host,1000000,2000.0,2500.0"
	equal "$(rows host_network_usage)" "host,976.5625,488.28125,610.3515625"
	expect 0 export timeline -dir "$PROF"
	equal "$(curves 9)" $'CPU 3|1000000.000|Usage(%)|60\nCPU Avg|1000000.000|Usage(%)|15'
	equal "$(curves 10)" $'Memory Usage|1000000.000|Usage(%)|0.2\nMemory Usage|2000000.000|Usage(%)|0.16'
	equal "$(curves 11)" "Network Usage|1000000.000|Usage(%)|50"
	expect 0 export db -dir "$PROF"
	equal "$(made 'SELECT cpuId, usage FROM CPU_USAGE; SELECT timestampNs, usage FROM HOST_MEM_USAGE; SELECT usage, speed FROM HOST_NETWORK_USAGE')" \
		$'3|60\n1700000001000000000|0.2\n1700000002000000000|0.16\n50|500000'
}

@test "marks that a stream carries: their text in parts, when the device came to them, and the arrows" {
	record prof.msproftx "$HOST/unaging.additional.msproftx.slice_0" <<-END
		level=20500 info_type=1 segment=1 process_id=4242 tid=7 event_type=3 begin=$(host 21) end=$(host 22) mark_id=5 message=text:tail
		level=20500 info_type=1 segment=0 process_id=4242 tid=7 event_type=3 begin=$(host 20) end=$(host 20) mark_id=5 domain=8000000000000000001 message=text:head-
		level=20500 info_type=0 process_id=4242 tid=7 category=3 event_type=1 begin=$(host 30) end=$(host 34) domain=8000000000000000001 message=text:range
		level=20500 info_type=1 process_id=4242 tid=7 event_type=3 begin=$(host 40) end=$(host 40) mark_id=6 message=text:nowhere
	END
	record prof.ts_step "$DEVICE/ts_track.data.0.slice_0" <<-END
		counter=$(device 50) index_id=5 model_id=9 stream_id=6 task_id=1 tag_id=11
		counter=$(device 52) index_id=5 model_id=9 stream_id=6 task_id=1 tag_id=12
	END
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(rows msprof_tx | tr -d '\t')" '0,4242,7,N/A,marker_ex,N/A,N/A,1700000000000020.000,1700000000000020.000,N/A,head-tail,layer0:Op0,1700000000000050.000,1700000000000052.000
host,4242,7,3,push/pop,0,0,1700000000000030.000,1700000000000034.000,0,range,N/A,N/A,N/A
host,4242,7,N/A,marker_ex,N/A,N/A,1700000000000040.000,1700000000000040.000,N/A,nowhere,invalid,N/A,N/A'
	expect 0 export timeline -dir "$PROF"
	for file in msprof_tx msprof; do
		equal "$(jq -r '.[] | select(.cat == "MsTx" or (.name | test("^(head-tail|range|nowhere)$"))) | "\(.ph) \(.name) \(.pid % 1024) \(.tid) \(.ts[13:]) \(.dur // .id) \(.args // .bp | tojson)"' \
			"$PROF"/mindstudio_profiler_output/"$file"_[0-9]*.json | sort)" \
'X head-tail 223 7 020.000 0 {"event_type":"marker_ex","domain":"layer0:Op0"}
X head-tail 448 6 050.000 2 {"Physic Stream Id":6,"Task Id":1}
X nowhere 223 7 040.000 0 {"event_type":"marker_ex","domain":"invalid"}
X range 223 7 030.000 4 {"Category":"3","Payload_type":0,"Payload_value":0,"Message_type":0,"event_type":"push/pop"}
f MsTx_4000000005 448 6 050.000 4000000005 "e"
s MsTx_4000000005 223 7 020.000 4000000005 null
s MsTx_4000000006 223 7 040.000 4000000006 null'
	done
	expect 0 export db -dir "$PROF"
	equal "$(made "SELECT startNs, category, m.value, d.value, connectionId FROM MSTX_EVENTS JOIN STRING_IDS m ON m.id = message JOIN STRING_IDS d ON d.id = domainId ORDER BY 1;
		SELECT startNs, endNs, connectionId, streamId, taskId, modelId, contextId FROM TASK JOIN STRING_IDS ON id = taskType WHERE value = 'MsTx'")" \
'1700000000000020000|4294967295|head-tail|layer0:Op0|4000000005
1700000000000030000|3|range||4000000000
1700000000000040000|4294967295|nowhere|invalid|4000000006
1700000000000050000|1700000000000052000|4000000005|6|1|9|4294967295'
	# from version 9.1 on a step 11 is a moment, and a single step 12 is nothing
	sed -i 's/"DeviceInfo"/"cannVersion":"9.1.0","DeviceInfo"/' "$PROF/device_0/info.json.0"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT mark_id, dur_ns FROM device_mark')" "5|0"
}

@test "what a network device counted: differences of samples in export db; a count that goes back is 0" {
	cat >"$DEVICE/netdev_stats.data.0.slice_0" <<-END
		1001000000000 1 2 1000 2000 5 6 7 8 9 10 11 12 13 100 200
		1003000000000 2 4 5000 1000 6 8 17 28 39 50 61 72 83 300 800
	END
	expect 0 export db -dir "$PROF"
	accounted
	equal "$(made 'SELECT * FROM NETDEV_STATS')" '0|1700000003000000000|1|2|4000|2000|0|0|1|2|10|20|30|40|50|60|70|200|100|600|300'
	equal "$(query 'SELECT stamp_ns, mac_tx_pfc, nic_rx_bytes FROM netdev_stats')" $'1001000000000|1|200\n1003000000000|2|800'
}

@test "files that are not understood are named by check, with a warning how many they are" {
	names=(host/data/unaging.variable.capture_op_info.slice_0 host/data/aging.additional.memory_application.slice_0 host/data/host_platform_uncore.bin.slice_0)
	for name in "${names[@]}"; do echo text >"$PROF/$name"; done
	expect 0 check --files "$PROF"
	equal "$(grep 'not understood ' <<<"$output" | grep -o 'host/data/[^ ]*' | sort)" "$(printf '%s\n' "${names[@]}" | sort)"
	has "$output" "files that are not understood: 3, with 15 bytes, made by --host-sys=mem, --task-memory=on, --task-time=on; 'msprof check' lists them"
}
