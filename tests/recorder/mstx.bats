#!/usr/bin/env bats
# mstx.bats: marks and ranges in domains, of programs that link mstx, that only have its header, and in Python.

load helpers

# build_app [OPTION...]: ./app, a client of mstx; without options one that looks for a tool itself
build_app() {
	needs_plain_library
	gcc -o app "$ROOT/tests/recorder/mstx_app.c" "$@" -ldl -lpthread
}

linked() {
	build_app -DMSTX_LINKED -I"$ROOT/lib/recorder/include" -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext
}

# run_app OPTION... -- WORD...: ./app WORD... under msprof with the options; the database of its result is in $DB
run_app() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	expect 0 --output=out "${options[@]}" ./app "$@"
	PROF=$(echo out/PROF_*)
	export DB=$PROF/sqlite/msprof.db
}

# What was recorded, in the order of its begin: domain, type, text, whether it lasted 2 ms
marks() {
	query "SELECT domain, event_type, message, dur_ns >= 2000000 FROM stream_mark ORDER BY start_ns, mark_id"
}

ALL='default|0|begin|0
default|2|outer|1
default|2|inner|1
default|2|across|1
load|2|read|1
load|0|one, "two"|0
train|2|step|1'

@test "the program of docs/RECORDER.md marks what it says, with --msproftx=on alone, and is called incomplete" {
	needs_plain_library
	sed -n '/(mstx)$/,/^## From/p' "$ROOT/docs/RECORDER.md" | sed -n '/^```c$/,/^```$/p' | sed '1d;$d' >app.c
	cc -Wall -Wextra -Werror -std=c11 -I"$ROOT/lib/recorder/include" app.c -o app -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext
	run_app --msproftx=on --
	has "$stderr" 'incomplete collection'
	equal "$(query 'SELECT domain, message FROM stream_mark ORDER BY start_ns, mark_id' | tr '\n' ' ')" 'default|a step load|fetch default|done '
	discard out/PROF_*
	run_app --
	equal "$(query 'SELECT count(*) FROM stream_mark')" 0
}

@test "a program with the header alone: msprof tells it where the tool is" {
	build_app
	run_app --msproftx=on -- 3
	has "$output" '111 0x1000'
	equal "$(marks)" "$ALL"$'\ndefault|0|mmm|0'
}

@test "a program that links the library" {
	linked
	run_app --msproftx=on -- 3
	has "$output" '111 0x1000'
	equal "$(marks)" "$ALL"$'\ndefault|0|mmm|0'
}

@test "a program of the time without domains" {
	build_app -DMSTX_OLD
	run_app --msproftx=on -- 3
	has "$output" '111 0'
	equal "$(query "SELECT count(*), count(DISTINCT domain) FROM stream_mark")" '5|1'
}

@test "a range belongs to the thread that began it" {
	linked
	run_app --msproftx=on -- 1
	equal "$(query 'SELECT count(DISTINCT tid) FROM stream_mark')" 1
}

@test "a child of fork asks for a domain while a thread of its parent does" {
	linked
	run_app --msproftx=on -- fork
}

@test "the domain is a column of the table, of the timeline and of the exported database" {
	linked
	run_app --msproftx=on -- 1
	equal "$(python3 -c '
import csv, glob, sys
rows = csv.DictReader(open(glob.glob(sys.argv[1] + "/mindstudio_profiler_output/msprof_tx_*.csv")[0]))
print(*sorted({(row["domain"], row["message"]) for row in rows if row["domain"] != "default"}), sep="\n")' "$PROF")" \
		$'(\'load\', \'one, "two"\')\n(\'load\', \'read\')\n(\'train\', \'step\')'
	equal "$(jq -r '.[] | select(.args.domain? == "train") | .name' "$PROF"/mindstudio_profiler_output/msprof_tx_*.json)" step
	expect 0 show -q -dir "$PROF" --format csv --table marks_and_ranges
	equal "$(grep -oE '(mark|range),(load|train),("[^,]*, [^,]*"|[a-z]+),[0-9]+' <<<"$output" | sort | tr '\n' ' ')" \
		'mark,load,"one, ""two""",1 range,load,read,1 range,train,step,1 '
	discard "$PROF"/msprof_*.db
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db "SELECT s.value FROM MSTX_EVENTS e JOIN STRING_IDS s ON s.id = e.domainId
		JOIN STRING_IDS m ON m.id = e.message WHERE m.value = 'read'")" load
}

@test "the stream is noted" {
	linked
	run_app --msproftx=on -- 1
	equal "$(query 'SELECT message, payload_value FROM msproftx WHERE payload_value <> 0')" "step|$((0x1234))"
}

@test "messages have up to 255 bytes; longer ones are cut" {
	linked
	for size in 1 155 156 254 255 256 900; do
		discard out/PROF*
		run_app --msproftx=on -- $size
		equal "$(query "SELECT length(message), count(*) FROM stream_mark WHERE message LIKE 'm%'")" "$((size < 255 ? size : 255))|1"
	done
}

@test "domains are chosen" {
	linked
	while read -r option want; do
		discard out/PROF*
		run_app --msproftx=on "--mstx-domain-$option" -- 1
		equal "$(query "SELECT group_concat(domain) FROM (SELECT DISTINCT domain FROM stream_mark ORDER BY 1)")" "$want"
	done <<-'END'
		include=load load
		include=train,default default,train
		exclude=default load,train
		exclude=load,train,x default
	END
}

@test "a choice that makes no sense is refused" {
	while IFS='|' read -r options words; do
		# shellcheck disable=SC2086 # words on purpose
		expect 2 --output=out $options true
		has "$stderr" "$words"
	done <<-'END'
		--mstx-domain-include=a|--mstx-domain-include needs --msproftx=on
		--msproftx=on --mstx-domain-include=a --mstx-domain-exclude=b|exclude each other
	END
	equal "$(ls -A out)" ''
}

@test "without --msproftx nothing is recorded, and ranges have no number" {
	linked
	run_app -- 1
	has "$output" '000 0x1000'
	equal "$(query 'SELECT count(*) FROM stream_mark')" 0
}

@test "by the acl.json of a board, too: in a JOB, whose domains are a column" {
	needs_plain_library
	cat >wrap.c <<-'END'
		#include <msprof_recorder.h>
		#include <mstx/ms_tools_ext.h>
		int main(void)
		{
			if (msprof_init("acl.json", MSPROF_SVP))
				return 1;
			mstxDomainMarkA(mstxDomainCreateA("load"), "here", 0);
			mstxRangeEnd(mstxRangeStartA("stretch", 0));
			return msprof_finalize();
		}
	END
	gcc -I"$ROOT/lib/recorder/include" -o wrap wrap.c -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext -lmsprof_recorder
	./wrap
	import_job
	equal "$(query 'SELECT name, detail FROM api_call WHERE type = 5 ORDER BY start_ns')" $'here|load\nstretch|default'
	expect 0 export summary -dir out
	equal "$(cut -d, -f 5- out/JOB*/summary/msprof_tx_0_*_1.csv)" $'message,domain\nhere,load\nstretch,default'
	expect 0 show -dir out --table 'Marks and ranges' --format csv
	has "$output" ',load,here,' ',default,stretch,'
	expect 0 export timeline -dir out
	equal "$(jq -c '[.traceEvents[] | select(.ph == "X") | [.name, .args.Domain]] | sort' out/JOB*/timeline/trace.json)" '[["here","load"],["stretch","default"]]'
}

@test "8,192 ranges may be open, of many threads; the same end twice counts once" {
	needs_plain_library
	cat >many.c <<-'END'
		#include <mstx/ms_tools_ext.h>
		#include <pthread.h>
		#include <stdio.h>
		enum { THREADS = 8, EACH = 1024 };
		static mstxRangeId ids[THREADS][EACH + 1];
		static void *begin(void *at)
		{
			for (int i = 0; i < EACH; i++)
				(*(mstxRangeId(*)[EACH + 1])at)[i] = mstxRangeStartA("r", 0);
			return 0;
		}
		static void *end(void *unused)
		{
			(void)unused;
			for (int t = 0; t < THREADS; t++)
				for (int i = 0; i < EACH; i++)
					mstxRangeEnd(ids[t][i]);
			return 0;
		}
		static void all(void *(*work)(void *))
		{
			pthread_t threads[THREADS];
			for (int t = 0; t < THREADS; t++)
				pthread_create(&threads[t], 0, work, ids[t]);
			for (int t = 0; t < THREADS; t++)
				pthread_join(threads[t], 0);
		}
		int main(void)
		{
			mstxMarkA("begin", 0);
			all(begin);
			printf("further: %d\n", mstxRangeStartA("r", 0) != 0);
			all(end);
			printf("again: %d\n", mstxRangeStartA("open", 0) != 0);
			return 0;
		}
	END
	gcc -I"$ROOT/lib/recorder/include" -o app many.c -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext -lpthread
	run_app --msproftx=on --
	has "$output" 'further: 0' 'again: 1'
	has "$stderr" '8192 ranges are open: further ranges are not recorded'
	equal "$(query 'SELECT count(*), count(DISTINCT mark_id) FROM stream_mark')" '8193|8193'
}

@test "threads bear their names on the timeline" {
	needs_plain_library
	cat >named.c <<-'END'
		#define _GNU_SOURCE
		#include <mstx/ms_tools_ext.h>
		#include <pthread.h>
		static void *work(void *name)
		{
			pthread_setname_np(pthread_self(), name);
			mstxMarkA(name, 0);
			return 0;
		}
		int main(void)
		{
			char *names[] = {"loader", "a \"b\" c"};
			for (int i = 0; i < 2; i++) {
				pthread_t id;
				pthread_create(&id, 0, work, names[i]);
				pthread_join(id, 0);
			}
			return 0;
		}
	END
	gcc -I"$ROOT/lib/recorder/include" -o app named.c -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext -lpthread
	run_app --msproftx=on --
	equal "$(query 'SELECT n.name, count(*) FROM thread_name n JOIN msproftx m ON m.tid = n.tid AND m.message = n.name GROUP BY 1 ORDER BY 1')" $'a "b" c|1\nloader|1'
	equal "$(jq -r '.[] | select(.name == "thread_name") | .args.name' "$PROF"/mindstudio_profiler_output/msprof_tx_*.json | sed 's/[0-9]\{1,\}/N/' | sort)" \
		$'Thread N a "b" c\nThread N loader'
}

@test "mstx from Python: marks, ranges, contexts, decorators" {
	needs_plain_library
	command -v python3 >/dev/null || skip "no python3"
	cat >app <<-'END'
		#!/usr/bin/env python3
		import time, mstx
		mstx.mark("begin")
		number = mstx.range_start("first", None)
		mstx.range_end(number)
		with mstx.mstx_range("second", domain="load"):
		    time.sleep(0.002)
		@mstx.mstx_range("third")
		def work(n): return n + 1
		print(work(1) + work(2), hex(mstx.get_tool_id()), number != 0)
		try:
		    with mstx.mstx_range("fails"):
		        raise ValueError
		except ValueError:
		    pass
	END
	chmod +x app
	PYTHONPATH=$ROOT/lib/recorder/python MSPROF_LIBRARY_PATH=$BUILD run_app --msproftx=on --
	has "$output" '5 0x1000 True'
	equal "$(query "SELECT domain, event_type, message FROM stream_mark ORDER BY start_ns" | tr '\n' ' ')" \
		'default|0|begin default|2|first load|2|second default|2|third default|2|third default|2|fails '
}

@test "the library exports the names of its header and the entry of the injection" {
	equal "$(exported "$BUILD/libms_tools_ext.so")" \
		"$( (echo InitInjectionMstx; grep -oh '\bmstx[A-Za-z]*(' "$ROOT"/lib/recorder/include/mstx/*.h | tr -d '(') | LC_ALL=C sort)"
}
