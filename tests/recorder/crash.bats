#!/usr/bin/env bats
# crash.bats: a program that crashes loses at most the event that each thread is writing; what it recorded is compared with what it
# noted by itself. tests/long/recorder.bats has more moments.

load helpers
load crash

@test "SIGKILL, SIGSEGV, _exit and abort at many moments: a JOB has all that was recorded" {
	build_app
	for how in kill segv _exit abort; do
		for us in 0 $(moments 2); do
			crash_in_job $how "$us"
		done
	done
}

@test "the same in a PROF directory" {
	build_app
	to_prof
	for how in kill segv _exit abort; do
		for us in $(moments 2); do
			crash_in_prof $how "$us"
		done
	done
}

@test "killed from outside, with many threads" {
	build_app
	for us in $(moments 3); do
		discard out/* notes
		./crash_app notes hang 0 32 3>&- &
		app=$!
		until compgen -G 'out/JOB*' >/dev/null; do sleep 0.01; done
		sleep "0.$(printf %06d "$us")"
		kill -9 $app
		wait $app || true
		import_job
		complete notes api_call name
	done
}

@test "a recovery that was interrupted, and one that comes twice, write nothing twice" {
	build_app
	./crash_app notes kill 100000 || true
	cp -r out first
	cp -r out second
	import_job first
	all=$(complete notes api_call name)
	cp -a second/msprof.JOB*/.msprof.events first/msprof.JOB*/ # as if the process had ended before it removed the file
	touch -d '1 hour' first/msprof.JOB*/data/*
	import_job first
	equal "$(complete notes api_call name)" "$all"
	equal "$(find first -name '.msprof.events')" ''
}

@test "the events of a process that lives are its own" {
	build_app
	./crash_app notes hang 0 3>&- &
	app=$!
	until compgen -G 'out/JOB*' >/dev/null; do sleep 0.01; done
	sleep 0.6
	JOB=$(echo out/JOB*)
	expect 0 check -dir "$JOB"
	[ -e "${JOB/JOB/msprof.JOB}"/.msprof.events ]
	kill -9 $app
	wait $app || true
	import_job
	complete notes api_call name
	[ ! -e "${JOB/JOB/msprof.JOB}"/.msprof.events ]
}

@test "what found no room before the crash is counted" {
	needs_plain_library
	printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' '#include <unistd.h>' 'ssize_t pwrite(int fd, const void *data, size_t size, off_t at)' \
		'{ static size_t written; ssize_t (*next)(int, const void *, size_t, off_t); *(void **)&next = dlsym(RTLD_NEXT, "pwrite");' \
		'if ((written += size) > 4000000) sleep(60); return next(fd, data, size, at); }' >stands.c # the disk stands still
	gcc -shared -fPIC -o stands.so stands.c -ldl
	for settings in init=acl.json ascend=acl.json; do
		discard out/*
		run env LD_PRELOAD="$PWD/stands.so" "$RECORD" "$settings" load=1:m calls=1000000:1 kill=9
		equal "$status" 137
		import_job
		lost=$(jq .lost out/msprof.JOB*/data/recorder.json.0 out/PROF*/host/info.json 2>/dev/null || true)
		[ "$lost" -gt 500000 ]
		equal "$(($(calls) + lost))" 1000000
	done
}

@test "a result that ended well has no such file" {
	record 0 init=acl.json load=1:m calls=100:1 finalize
	equal "$(find out -name '.msprof.events')" ''
	discard out/*
	record 0 init=acl.json load=1:m calls=100:1
	equal "$(find out -name '.msprof.events')" ''
	import_job
	equal "$(calls)" 100
}

@test "a damaged file of events harms nothing, and is removed or left with a warning" {
	build_app
	./crash_app notes kill 100000 || true
	file=$(echo out/msprof.JOB*/.msprof.events)
	cp "$file" events
	for round in {1..10}; do
		cp events "$file"
		python3 - "$file" "$round" <<-'END'
			import random, sys
			r = random.Random(int(sys.argv[2]))
			f = open(sys.argv[1], "r+b")
			for _ in range(200):
			    f.seek(r.choice([r.randrange(256), r.randrange(128 * 1024), 128 * 1024 + r.randrange(4096), 0x220000 + r.randrange(256), 0x220000 + r.randrange(1 << 20)]))
			    f.write(bytes(r.choice([[r.randrange(256)], [255] * 8, [0] * 8])))
		END
		run --separate-stderr "$BUILD/msprof" check -dir out/JOB*
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || fail "check ended with $status: $output $stderr"
	done
	head -c 1000 events >"$file"
	expect 0 check -dir out/JOB*
	has "$stderr" "'.msprof.events' has 1000 bytes instead of 15859712"
	ln -sf "$PWD/events" "$file"
	expect 0 check -dir out/JOB*
	has "$stderr" "cannot open '.msprof.events'"
	[ -s events ]
}

@test "the part host/ of a PROF directory, named by itself, gets its events in its own form" {
	build_app
	to_prof
	./crash_app notes kill 100000 || true
	PROF=$(echo out/PROF_*)
	export DB=$PROF/host/sqlite/msprof.db
	expect 0 import -dir "$PROF/host"
	[ ! -e "$PROF/host/.msprof.events" ]
	equal "$(find "$PROF" -name 'msprof_api*')" ''
	complete notes msproftx message
}

@test "events of several results wait until a renamed result has its name again" {
	build_app
	./crash_app notes kill 100000 || true
	JOB=$(echo out/JOB*)
	python3 - "${JOB/JOB/msprof.JOB}"/.msprof.events <<-'END'
		import sys
		with open(sys.argv[1], "r+b") as f: # a second entry of the same size behind the first one
		    first = 24 + 4096 * 8
		    f.seek(first)
		    entry = f.read(1192)
		    f.seek(first + 1192)
		    f.write(entry[:24] + b"JOBOTHER".ljust(64, b"\0") + entry[88:])
	END
	mv "${JOB/JOB/msprof.JOB}" out/msprof.JOBRENAMED
	mv "$JOB" out/JOBRENAMED
	expect 0 check -dir out/JOBRENAMED
	has "$stderr" "give the directory its first name, such as '${JOB#out/}'"
	[ -e out/msprof.JOBRENAMED/.msprof.events ]
	mv out/msprof.JOBRENAMED "${JOB/JOB/msprof.JOB}"
	mv out/JOBRENAMED "$JOB"
	import_job
	complete notes api_call name
}

@test "the number of lost events is not written into a file with another name" {
	build_app
	for kind in JOB PROF; do
		discard out/* notes results
		unset PROFILER_SAMPLECONFIG
		[ "$kind" = JOB ] || to_prof
		./crash_app notes kill 100000 || true
		file=$(echo out/*"$kind"*/data/recorder.json.0 out/"$kind"*/host/info.json | tr ' ' '\n' | grep -v '[*]' | head -1)
		events=$(find out -name .msprof.events)
		python3 - "$events" <<-'END' # its first ring tells of 777 lost events
			import struct, sys
			with open(sys.argv[1], "r+b") as f:
			    f.seek(0x220000 + 16)
			    f.write(struct.pack("<Q", 777))
		END
		cp "$events" events
		cp "$file" mine
		ln -f mine "$file"
		before=$(sha256sum <mine)
		expect 0 check -dir out/"$kind"*
		has "$stderr" "has several names" '777 more records were lost'
		equal "$(sha256sum <mine)" "$before"
		cp mine copy # the same, with one name
		mv copy "$file"
		cp events "$events"
		expect 0 check -dir out/"$kind"*
		equal "$(jq .lost "$file")" 777
		cp events "$events"
		sed -i "s/\"lost\": [0-9]*/&$(printf '%3000s' '')/" "$file" # more room than a number takes
		before=$(sha256sum <"$file")
		expect 0 check -dir out/"$kind"*
		has "$stderr" 'does not tell that 777 more records were lost'
		equal "$(sha256sum <"$file")" "$before"
	done
}

@test "a pipe or a file with another name in place of data stops nothing, and is not written" {
	build_app
	to_prof
	./crash_app notes kill 100000 || true
	data=$(echo out/PROF_*/host/data)
	discard "$data"/*type_info_dic*
	touch "$data"/unaging.additional.type_info_dic.slice_1
	mkfifo "$data"/unaging.additional.type_info_dic.slice_0
	expect 3 check -dir out/PROF_*
	has "$stderr" "'unaging.additional.type_info_dic.slice_0' is not a regular file"
	discard "$data"/unaging.additional.type_info_dic.slice_0
	printf half >mine
	discard "$data"/unaging.additional.type_info_dic.slice_1
	ln mine "$data"/unaging.additional.type_info_dic.slice_1
	expect 3 check -dir out/PROF_*
	has "$stderr" "'unaging.additional.type_info_dic.slice_1' is not a regular file, or has several names"
	equal "$(cat mine)" half
	[ -e "$data"/../.msprof.events ]
}

@test "without room for the file, and on request of nobody, the recorder works as before" {
	build_app
	(ulimit -f 1000; ./crash_app notes kill 50000) || true
	equal "$(find out -name '.msprof.events')" ''
}
