#!/usr/bin/env bats
# victims.bats: what an application does with descriptors, and what others do to the file of waiting events, costs no file of
# the application, and does not end it. tests/long/recorder.bats has more seeds.

load helpers
load crash
load victims

@test "descriptors closed, duplicated and used again at random: the application's files stay, and no call is missing" {
	victims 1 16
}

@test "the same on systems before close_range" {
	victims 1 8 older
}

@test "the same where the system gives no thread a table of descriptors" {
	victims 9 8 refused
}

@test "a message goes to standard error, not to a file that has its number now" {
	needs_plain_library
	printf '%s\n' '#include <fcntl.h>' '#include <unistd.h>' '#include <msprof_recorder.h>' 'int main(void)' \
		'{ msprof_init("acl.json", MSPROF_SVP); close(2); open("mine", O_RDWR | O_CREAT, 0600);' \
		'msprof_init("acl.json", MSPROF_SVP); return msprof_finalize(); }' >second.c
	gcc -I"$ROOT/lib/recorder/include" -o second second.c -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_recorder
	run ./second
	equal "$status" 0
	equal "$(stat -c %s mine)" 0
}

# live: a program that records in threads
live() {
	./crash_app notes hang 0 3 3>&- 2>errors &
	app=$!
	until_true written 1280000
	events=$(find "$PWD/out" -name .msprof.events)
}

gone() {
	! kill -0 $app 2>/dev/null
}

# written BYTES: the result has so many bytes of calls
written() {
	[ "$(cat out/msprof.JOB*/data/msprof_api* | wc -c)" -ge "$1" ]
}

# terminated: the program lives, ends by SIGTERM, and its result is imported
terminated() {
	local code=0
	kill -TERM $app
	until_true gone || true
	kill -9 $app 2>/dev/null || true
	wait $app || code=$?
	equal "$code" 143
	import_job
}

# whole CALLS: the imported result is whole, has CALLS, and each call is there or counted as lost, not
# both. Until the recording ends each mark that is noted has a call: each of the three threads may be one or two of them off then.
whole() {
	equal "$(query 'SELECT count(*) FROM damage')" 0
	noted=$(python3 -c 'import struct; print(sum(struct.unpack("<64Q", open("notes", "rb").read())))')
	lost=$(jq .lost out/msprof.JOB*/data/recorder.json.0)
	more=$(($(calls) + lost - 2 * noted))
	((more >= -6 && more <= 6)) || fail "$(calls) there and $lost lost of $noted marks and calls"
	[ "$(calls)" -gt "$1" ] || fail "only $(calls) calls"
}

# ended CALLS: the program lives until it is told to end, and its result is whole
ended() {
	terminated
	whole "$1"
}

@test "somebody cuts the file of waiting events: the program lives, what is lost is counted, and it records on" {
	build_app
	for blocked in '' all; do
		discard out/* notes
		BLOCKED=$blocked live
		for size in 0 100 16M 200000 0; do
			truncate -s "$size" "$events"
			sleep 0.1
		done
		before=$(cat out/msprof.JOB*/data/msprof_api* | wc -c)
		until_true written $((before + 128 * 10000)) # it records on
		ended $((before / 128 + 10))
		has "$(cat errors)" "somebody cut '.msprof.events'"
	done
}

@test "what is recorded until the end is in the result or counted as lost, however slowly the files are written" {
	build_app
	printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' '#include <unistd.h>' \
		'ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { usleep(20000);' \
		'return ((ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite"))(fd, bytes, size, at); }' \
		'int unlinkat(int fd, const char *name, int flags) { usleep(20000);' \
		'return ((int (*)(int, const char *, int))dlsym(RTLD_NEXT, "unlinkat"))(fd, name, flags); }' >slow.c
	gcc -shared -fPIC -o slow.so slow.c -ldl
	for how in finalize hang; do
		discard out/* notes
		if [ $how = hang ]; then LD_PRELOAD=$PWD/slow.so live && ended 1000; else
			LD_PRELOAD=$PWD/slow.so ./crash_app notes finalize 300000 3
			import_job
			whole 1000
		fi
	done
}

@test "somebody writes into the file of waiting events: the program lives, and what is lost is counted" {
	build_app
	live
	python3 - "$events" <<-'END'
		import os, random, sys
		r = random.Random(1)
		with open(sys.argv[1], "r+b", buffering=0) as f:
		    size = os.fstat(f.fileno()).st_size
		    for at in [*range(0, 131072, 512), *range(0x220000, 0x220000 + 4096, 64)]:
		        f.seek(at)
		        f.write(r.choice([b"\xff" * 64, b"\0" * 64, r.randbytes(64)]))
		    for _ in range(20000):
		        f.seek(r.randrange(0x220000, size))
		        f.write(r.randbytes(32))
	END
	sleep 0.6
	terminated
}

@test "another SIGBUS has its effect: the application's handler, or the end" {
	needs_plain_library
	compiled bus_app
	run ./bus_app handler
	equal "$status" 0
	run ./bus_app none
	equal "$status" 135
	run ./bus_app sent
	equal "$status" 135
}

@test "a program with more rights than its user reads no variable of the user" {
	needs_plain_library
	[ "$(id -u)" = 0 ] && setpriv --version >/dev/null || skip "it needs root, and setpriv"
	mkdir users && chmod 777 users && chmod 755 .
	printf '%s\n' '#include <stdio.h>' '#include <sys/auxv.h>' '#include <msprof_recorder.h>' 'int main(void)' \
		'{ printf("secure %lu\n", getauxval(AT_SECURE)); msprof_wrap_begin(); msprof_init("acl.json", MSPROF_SVP);' \
		'msprof_init("acl.json", MSPROF_SVP); return msprof_finalize(); }' >more.c
	gcc -I"$ROOT/lib/recorder/include" -o more more.c "$BUILD/libmsprof_recorder.a" -lpthread -lm
	chmod 4755 more
	run setpriv --reuid=65534 --regid=65534 --clear-groups env LD_PRELOAD="$BUILD/libmsprof_preload.so" MSPROF_LOG=off \
		LD_AUDIT="$BUILD/libmsprof_audit.so" XDG_RUNTIME_DIR="$PWD/users" ASCEND_WORK_PATH="$PWD/users" MSPROF_SOC=none \
		PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'"$PWD"'/users", "results": "'"$PWD"'/users/r", "ascendcl": "on"}' ./more
	[ "$status" -ne 126 ] && [[ $output == *'secure 1'* ]] || skip "the directory of the tests is not for such programs, or not for others"
	equal "$(find users -mindepth 1)" ''
	has "$output" 'it was called before in this process' # MSPROF_LOG=off does not silence it
	lacks "$output" 'MSPROF_SOC'
}
