#!/usr/bin/env bats
# faults.bats: recordings that are not finalised, and other faults during a recording.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# No marker, and all data readable.
incomplete() {
	equal "$(find out -name '*.done')" '' && import_job && has "$stderr" 'its .done marker is missing'
}

complete() {
	[ -f "$(echo out/msprof.JOB*/data/*.done)" ]
	import_job
}

size() {
	cat out/msprof.JOB*/data/msprof_api* 2>/dev/null | wc -c
}

has_size() {
	[ "$(size)" -ge "$1" ]
}

# The JOB's files of calls, and what so many are in them.
FILES='out/msprof.JOB*/data/msprof_api*'
bytes() {
	echo $(($1 * 128))
}

untorn() {
	equal "$(query 'SELECT count(*) FROM damage')" 0
}

killed_after_a_second() {
	# the last calls are too few to wake the thread that writes
	record 137 init=acl.json load=1:m calls=20000:1 written="$(bytes 20000):$FILES" calls=5:1 sleep=1000 calls=5:1 kill=9
	incomplete && [ "$(calls)" -ge 20005 ] && untorn
}

@test "kill -9: what is older than a second is there, and all that is there is read" {
	one_of_five killed_after_a_second
}

killed_while_calls_are_made() {
	local pid now
	"$RECORD" counter=made init=acl.json load=1:m rate=100:60000 3>&- &
	pid=$!
	until_true has_size 10000000 || :
	kill -9 $pid
	wait $pid || true
	incomplete || return
	now=$(od -An -td8 made | tr -d ' ')
	[ "$((now - $(calls)))" -le $((2000000 / 128)) ] && [ "$((now - $(calls)))" -le 100000 ] && untorn
}

@test "kill -9 while calls are made: at most the last second and 2 MB are lost, and nothing is torn" {
	one_of_five killed_while_calls_are_made
}

@test "exit, return from main and pthread_exit without finalising: nothing is lost, but it does not count as complete" {
	local how
	for how in exit=3 return pthread; do
		discard out/*JOB*
		case $how in
		exit=3) record 3 init=acl.json calls=500 exit=3 ;;
		return) record 0 init=acl.json calls=500 ;;
		pthread) record 0 init=acl.json calls=500 threads=3:100 sleep=1 ;;
		esac
		incomplete
		[ "$(calls)" -ge 500 ]
	done
}

@test "the main thread ends by pthread_exit, another one finalises" {
	record 0 init=acl.json calls=500 pthread_exit
	has "$output" 'finalize 0'
	complete
	equal "$(calls)" 510
}

@test "_exit: what was flushed is there" {
	record 4 init=acl.json calls=500 written="$(bytes 500):$FILES" _exit=4
	incomplete
	equal "$(calls)" 500
}

@test "SIGINT and SIGTERM: finalised, and the program dies of the signal" {
	local number
	for number in 2 15; do
		discard out/*JOB*
		# whatever was ignored where the tests were started
		run --separate-stderr env --default-signal=INT,TERM "$RECORD" init=acl.json calls=500 kill=$number
		equal "$status" $((128 + number))
		complete
		equal "$(calls)" 500
	done
}

@test "an application's own handler of SIGINT runs, and no other; set before or after the start" {
	record 7 handler init=acl.json calls=5 kill=2
	discard out/*JOB*
	record 7 init=acl.json handler calls=5 written="$(bytes 5):$FILES" kill=2
	incomplete
	equal "$(calls)" 5
}

@test "a signal that the application ignores stays ignored" {
	run --separate-stderr env --ignore-signal=INT "$RECORD" init=acl.json calls=5 interrupt finalize
	equal "$status" 0
	complete
	equal "$(calls)" 5
}

@test "fork: each child records into a job of its own, and finalises no other's" {
	local job found=()
	record 0 init=acl.json calls=500 fork=300 calls=20 fork=1 finalize
	for job in out/JOB*; do
		discard each && mkdir each
		mv "$job" "${job/JOB/msprof.JOB}" each
		import_job each
		equal "$(find each -name '*.done' | wc -l)" 1
		found+=("$(query "SELECT count(*), count(DISTINCT tid), sum(name = 'recorder start') FROM api_call")")
	done
	# a child has its calls, and its start
	equal "$(printf '%s\n' "${found[@]}" | sort -n | tr '\n' ' ')" '3|1|1 520|1|0 601|1|1 '
}

@test "fork: a child that outlives a killed parent holds no lock" {
	local first
	"$RECORD" init=acl.json linger=30000 sleep=60000 >text 3>&- &
	first=$!
	until_true grep -q lingers text
	pgrep -P $first >lingerer
	kill -9 $first
	wait $first || true
	record 0 init=acl.json finalize
	has "$output" 'init 0'
	kill "$(cat lingerer)" # it was there all the time
}

has_lock() {
	grep -q ":$(stat -c %i out) " /proc/locks
}

# session STATUS-OF-START DEVICE [DIR]: a session of a device by the API
session() {
	run --separate-stderr "$BUILD/tests/svp/app" acl_init "init(${3:-out})" "start($2)" finalize acl_finalize
	has "$output" "start($2) $1"
}

@test "exec: what was flushed is there, and no descriptor reaches the new program" {
	record 0 init=acl.json calls=500 written="$(bytes 500):$FILES" exec
	incomplete
	equal "$(calls)" 500
	record 0 init=acl.json finalize
	has "$output" 'init 0'
}

@test "dlclose: the library stays, the recording goes on" {
	local library
	mkfifo pipe
	"$BUILD/tests/dlopen" "$BUILD/libmsprof_recorder.so" acl.json <pipe 3>&- &
	library=$!
	exec {talk}>pipe
	until_true has_size "$(bytes 1000)" # by a thread of the library
	exec {talk}>&-
	wait $library
	incomplete
	equal "$(calls)" 1000
}

@test "two processes in one directory, or on one device: the second is refused and told by whom; a killed one holds nothing" {
	local first code
	"$BUILD/tests/svp/app" acl_init init'(out)' 'start(0)' 'sleep(60000)' 3>&- &
	first=$!
	until_true has_lock
	session 100042 1
	has "$stderr" "/out' is being recorded by process $first"
	session 100042 0 elsewhere
	has "$stderr" 'device 0' "process $first"
	equal "$(ls elsewhere)" ''
	kill -9 $first
	wait $first || code=$?
	equal "$code" 137
	session 0 0 elsewhere
	session 0 0
	equal "$(find out -name '.*' ! -path 'out/msprof.JOB*/.msprof.events')" ''
}

has_results() {
	[ "$(find out -maxdepth 1 -name 'JOB*' | wc -l)" -eq "$1" ]
}

@test "recordings of the host alone exclude nobody, and nobody excludes them" {
	local first
	"$BUILD/tests/svp/app" acl_init init'(out)' 'start(0)' 'sleep(60000)' 3>&- &
	first=$!
	until_true has_lock
	"$RECORD" init=acl.json calls=5 sleep=60000 3>&- &
	echo $! >second
	until_true has_results 2
	record 0 init=acl.json calls=5 finalize
	has "$output" 'init 0' 'finalize 0'
	equal "$(find out -name '*.done' | wc -l)" 1
	kill -9 $first "$(cat second)"
	wait $first "$(cat second)" || true
}

has_device_lock() {
	grep -q ":$(stat -c %i locks/msprof-device-0.lock) " /proc/locks
}

@test "who holds a lock is what the system tells, not what stands in the file" {
	local holder
	echo 1 >locks/msprof-device-0.lock
	flock locks/msprof-device-0.lock sh -c 'echo $$ >sleeper; exec sleep 60' 3>&- &
	holder=$!
	until_true has_device_lock
	session 100042 0
	has "$stderr" "is being recorded by process $holder:"
	lacks "$stderr" 'process 1:'
	kill "$(cat sleeper)"
	wait $holder || true
	session 0 0
}

@test "a directory into which others can put locks is not used for those of devices" {
	needs_mounts
	chmod 0777 locks
	ln -s "$PWD/out" locks/link
	for place in "$PWD/locks" "$PWD/locks/link" "$PWD/nowhere" relative ''; do
		XDG_RUNTIME_DIR=$place private_mounts sh -c 'mount -t tmpfs none /run && "$@" && stat -c "%n %a %U" /run/msprof && ls /run/msprof' \
			sh "$BUILD/tests/svp/app" acl_init init'(out)' 'start(0)' finalize acl_finalize >text
		has "$(cat text)" 'start(0) 0' "/run/msprof 700 root" msprof-device-0.lock
	done
	equal "$(ls locks)" link
}

@test "a lock file that is a link or a pipe is not followed" {
	echo precious >precious
	ln -s "$PWD/precious" locks/msprof-device-0.lock
	session 100003 0
	equal "$(cat precious)" precious
	rm locks/msprof-device-0.lock
	mkfifo locks/msprof-device-0.lock
	session 100003 0
	has "$stderr" 'is not a regular file, or has several links'
}

@test "a lock file that is another file as well is not written to" {
	echo precious >precious
	ln precious locks/msprof-device-0.lock
	session 100003 0
	has "$stderr" 'is not a regular file, or has several links'
	equal "$(cat precious)" precious
}

@test "a program without standard streams: what it prints comes into none of our files" {
	MSPROF_LOG=info "$RECORD" umask=0 init=acl.json calls=5 sleep=300 stdout=something calls=5 finalize <&- >&- 2>&-
	complete
	equal "$(calls)" 10
	equal "$(query 'SELECT count(*) FROM damage')" 0
}

@test "results that the program removes after the end are no error" {
	local family
	for family in acl svp; do
		run --separate-stderr "$BUILD/tests/$family/app" acl_init init'(out)' 'start(0)' 'call(mdl_execute)' 'stop(0)' 'clear(out)' finalize acl_finalize
		equal "$status" 0
		has "$output" 'finalize 0' 'acl_finalize 0'
		equal "${stderr:-}" ''
		[ ! -e out ]
	done
}

@test "the umask is told to those who ask" {
	umask 0022
	MSPROF_LOG=info record 0 init=acl.json calls=5 finalize
	has "$stderr" 'umask is 0022'
}

@test "warnings that nobody reads end no program" {
	local code=0
	mkfifo nobody
	exec {reader}<>nobody
	exec {writer}>nobody
	exec {reader}<&-
	MSPROF_LOG=info "$RECORD" umask=0 init=acl.json calls=5 finalize >text 2>&"$writer" || code=$?
	echo "$code" >>text
	equal "$(cat text)" "$(printf 'init 0\nfinalize 0\n0')"
}

@test "a limit on the size of files: no signal ends the program, the loss is counted" {
	local code=0
	(
		ulimit -f 128
		"$RECORD" init=acl.json calls=1500 load=1:m load=1:n calls=10:1 finalize
	) >text 2>errors || code=$?
	equal "$code" 0
	has "$(cat text)" 'finalize 100004'
	has "$(cat errors)" 'File too large: data is lost'
	import_job
	equal "$(query 'SELECT count(*) FROM damage')" 0
	equal "$(($(calls) + $(jq .lost out/msprof.JOB*/data/recorder.json.0)))" 1510
}

@test "less than 20 MB of disk: nothing is collected" {
	needs_mounts
	mkdir small
	acl_json '"output": "./small"'
	private_mounts sh -c "mount -t tmpfs -o size=10m none small && '$RECORD' init=acl.json calls=5 stdout=goes_on && ls small" >text 2>&1
	has "$(cat text)" 'init 300000' 'EK0204 msprof_init: Insufficient disk space. Reason: The remaining disk space of ./small is ' 'MB, which is less than 20MB.' goes_on
	lacks "$(cat text)" JOB
}

@test "a disk that fills up: the program goes on, the loss is said once and counted, what is there is read" {
	needs_mounts
	mkdir small copy
	acl_json '"output": "./small"'
	private_mounts sh -c "mount -t tmpfs -o size=21m none small && '$RECORD' init=acl.json rate=250:2000 stdout=goes_on finalize; cp -r small/*JOB* copy" >text 2>errors
	has "$(cat text)" 'init 0' goes_on 'finalize 100004'
	equal "$(grep -c 'No space left on device: data is lost' errors)" 1
	has "$(cat errors)" 'records were lost'
	expect 0 import -dir copy
	export DB
	DB=$(echo copy/JOB*/sqlite/msprof.db)
	equal "$(query 'SELECT count(*) FROM damage')" 0
	# 20 MB of records are there, and the rest of the half million was counted
	[ "$(calls)" -gt 150000 ]
	equal "$(($(calls) + $(jq .lost copy/msprof.JOB*/data/recorder.json.0)))" 500000
	has "$stderr" 'lost'
}

@test "a disk that is slow for a moment: the threads wait for it, and lose nothing" {
	needs_plain_library
	cat >slow.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <sys/types.h>
		#include <time.h>
		/* naps take no time here: how long a thread waits is told by the clock, not by their number */
		int nanosleep(const struct timespec *time, struct timespec *left)
		{
			(void)time, (void)left;
			return 0;
		}
		/* once, after the first 4 MB, 35 ms */
		ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
		{
			static size_t written;
			static ssize_t (*next)(int, const void *, size_t, off_t);
			if (!next)
				*(void **)&next = dlsym(RTLD_NEXT, "pwrite");
			if (written < 4000000 && written + size >= 4000000)
				clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 35000000}, 0);
			written += size;
			return next(fd, data, size, at);
		}
	END
	gcc -shared -fPIC -o slow.so slow.c -ldl
	for round in {1..4}; do # other work may delay the thread that writes by as much again
		[ "$round" -lt 4 ] || fail "lost $lost"
		discard out/*
		LD_PRELOAD=$PWD/slow.so "$RECORD" init=acl.json load=1:m calls=1000000:1 finalize
		lost=$(jq .lost out/msprof.JOB*/data/recorder.json.0)
		equal "$(cat out/msprof.JOB*/data/msprof_api.*.1 | wc -c)" "$(bytes $((1000000 - lost)))"
		[ "$lost" -gt 0 ] || break
	done
}

@test "a mount that is read-only: beside the program" {
	needs_mounts
	needs_this_processor # what is beside the program
	mkdir sealed bin && cp "$BUILD/tests/record-static" bin/record
	acl_json '"output": "./sealed"'
	private_mounts sh -c "mount -t tmpfs -o ro,size=30m none sealed && bin/record init=acl.json calls=5 finalize" >text 2>errors
	has "$(cat text)" 'init 0' 'finalize 0'
	has "$(cat errors)" "'./sealed' cannot be used: Read-only file system"
	import_job bin
	equal "$(calls)" 5
}
