#!/usr/bin/env bats
# operators.bats: the types of operators that a program tells are the statistic of operators of its recording.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# settings of 'msprof PROGRAM': a PROF directory below out
to_prof() {
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on", "msproftx": "on"}'
}

# statistic FILE: type, unit and count of each row, by type
statistic() {
	python3 -c 'import csv, sys
for row in sorted(csv.DictReader(open(sys.argv[1])), key=lambda r: r["OP Type"]):
    print(row["OP Type"], row.get("Core Type", row.get("Task Type")), row["Count"])' "$1"
}

# times FILE: type, count, total, shortest, mean, longest of each row
times() {
	python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(row["OP Type"], row["Count"], *(next(v for k, v in row.items() if k.startswith(t) and k.endswith("(us)")) for t in ("Total", "Min", "Avg", "Max")), sep=",")' "$1"
}

@test "operators that a program publishes: count, total, shortest, mean, longest of each type, in both kinds of results" {
	cat >expected.py <<-'END'
		# of the records' bytes, by type: count and times in ns
		import collections, glob, struct, sys
		names, times = {}, collections.defaultdict(list)
		for name in glob.glob("out/PROF*/host/data/*hash_dic.slice_0"):
		    names = {int(h): n for h, n in (line.rstrip("\n").split(":", 1) for line in open(name))}
		for name in glob.glob("out/PROF*/host/data/msprof.operator.slice_0"):
		    for tid, begin, end, op, kind in struct.iter_unpack("<4xIQQQQ", open(name, "rb").read()):
		        times[names[kind] if kind else "N/A"].append(end - begin)
		for name in glob.glob("out/msprof.JOB*/data/msprof_api.0.net.1"):
		    for kind, begin, end, detail in struct.iter_unpack("<4xIQQ72x32s", open(name, "rb").read()):
		        if kind == 1 and detail.strip(b"\0"):
		            times[detail.rstrip(b"\0").decode()].append(end - begin)
		for kind, each in sorted(times.items(), key=lambda t: (-sum(t[1]), t[0])):
		    print(kind, len(each), *("%g" % (ns / 1000) for ns in (sum(each), min(each), sum(each) / len(each), max(each))), sep=",")
	END
	local operators=(load=1:net op=conv1:Convolution:1 op=conv2:Convolution:1:3 op=conv3:Convolution:1:2 op=fc:MatMul:1 "op=x:a, \"b\":1:9")
	record 0 init=acl.json "${operators[@]}" calls=3 finalize
	expect 0 export summary -dir out
	equal "$(python3 expected.py)" $'a, "b",1,9,9,9,9\nConvolution,3,6,1,2,3\nMatMul,1,1,1,1,1'
	equal "$(times out/JOB*/summary/op_statistic_0_1_1.csv)" "$(python3 expected.py)"
	equal "$(statistic out/JOB*/summary/op_statistic_0_1_1.csv)" $'Convolution HOST 3\nMatMul HOST 1\na, "b" HOST 1'
	discard out/*
	to_prof
	record 0 init= "${operators[@]}" op=y::1:4 calls=3 finalize
	expect 0 export summary -dir out
	equal "$(python3 expected.py)" $'a, "b",1,9,9,9,9\nConvolution,3,6,1,2,3\nN/A,1,4,4,4,4\nMatMul,1,1,1,1,1'
	equal "$(times out/PROF*/mindstudio_profiler_output/op_statistic_*.csv)" "$(python3 expected.py)"
	expect 0 show -dir out --table 'Host op statistic' --format csv
	has "$output" ',host,"a, ""b""",HOST,1,9,9,9,9,45'
	expect 0 show -dir out --table 'Host op statistic'
	has "$output" 'times of its calls on the host, not of a device'
}

@test "a program that executes operators by their type, without a change" {
	needs_plain_library
	cat >library.c <<-'END'
		#include <stddef.h>
		int aclInit(const char *c) { return !c; }
		int aclopCreateKernel(const char *t, const char *k, const char *i, void *b, int n, int e, void *d) { return !t + !k; }
		int aclopExecuteV2(const char *t, int n, void **a, void **b, int m, void **c, void **d, void *e, void *s) { return t ? n : 100000; }
		int aclopCompileAndExecute(const char *t, int n, void **a, void **b, int m, void **c, void **d, void *e, int g, int f, const char *p, void *s) { return n; }
	END
	cat >app.c <<-'END'
		#include <stddef.h>
		int aclInit(const char *);
		int aclopCreateKernel(const char *, const char *, const char *, void *, int, int, void *);
		int aclopExecuteV2(const char *, int, void **, void **, int, void **, void **, void *, void *);
		int aclopCompileAndExecute(const char *, int, void **, void **, int, void **, void **, void *, int, int, const char *, void *);
		int main(void)
		{
			int bad = aclInit("acl.json") + aclopCreateKernel("Add", "k", "i", 0, 0, 0, 0);
			for (int i = 0; i < 3; i++)
				bad += aclopExecuteV2("Add", 7, 0, 0, 0, 0, 0, 0, 0) != 7;
			bad += aclopExecuteV2(NULL, 7, 0, 0, 0, 0, 0, 0, 0) != 100000;
			return bad + (aclopCompileAndExecute("Cast", 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != 4);
		}
	END
	gcc -shared -fPIC -Wl,-soname,libascendcl.so -o libascendcl.so library.c
	gcc -o app app.c -L. -lascendcl -Wl,-rpath,"$PWD"
	expect 0 --output=out ./app
	equal "$(statistic out/PROF*/mindstudio_profiler_output/op_statistic_*.csv)" $'Add HOST 3\nCast HOST 1'
	DB=$(echo out/PROF*)/sqlite/msprof.db
	export DB
	equal "$(query 'SELECT t.name, count(*) FROM api a JOIN type_info_dic t USING (level, type) GROUP BY 1')" \
		$'aclInit|1\naclopCompileAndExecute|1\naclopCreateKernel|1\naclopExecuteV2|4\nrecorder start|1'
}

@test "operators that a framework tells as ranges" {
	needs_plain_library
	gcc -I"$ROOT/lib/recorder/include" -o train "$ROOT/tests/recorder/clients/train.c" -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_aclprof
	./train out
	expect 0 export summary -dir out
	equal "$(statistic out/PROF*/mindstudio_profiler_output/op_statistic_*.csv | tail -1)" 'MatMul HOST 3'
	equal "$(grep -c ',layer1/MatMul,' out/PROF*/mindstudio_profiler_output/msprof_tx_*.csv)" 3
}

@test "operators of a program that is killed: each is there once, with its type" {
	to_prof
	for _ in 1 2; do
		record 137 init= load=1:net op=conv1:Convolution:1 op=conv2:Convolution:1:3 sleep=600 op=fc:MatMul:1 kill=9
		expect 0 export summary -dir out
		equal "$(statistic out/PROF*/mindstudio_profiler_output/op_statistic_*.csv)" $'Convolution HOST 2\nMatMul HOST 1'
		discard out/*
	done
}
