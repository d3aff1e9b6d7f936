#!/usr/bin/env bats
# dynamic.bats: commands that start and stop the recording of a program, of the msprof that started it and of another one.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
# a sanitizer's runtime wants to be the first library
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"

# The msprof that reads commands from the pipe; what it prints goes to the file `text`.
dynamic() {
	mkfifo commands
	"$BUILD/msprof" --dynamic=on --output=out "$@" <commands >text 2>errors 3>&- &
	RUNNING=$!
	exec {COMMANDS}>commands
}

ask() {
	echo "$1" >&"$COMMANDS"
	until_true grep -q "$2" text
}

# marks_of RESULT...: the marks of complete and exported results, a line each
marks_of() {
	for result; do
		complete_prof "$result"
		jq -r '[.[] | select(.ph == "X" and .args.event_type == "marker") | .name] | join(" ")' "$result"/mindstudio_profiler_output/msprof_[0-9]*.json
	done
}

@test "--dynamic: what lies between start and stop is recorded, each time into a result of its own, and nothing else" {
	dynamic --msproftx=on -- "$RECORD" init= stdout=ready mark=before written=1:go1 mark=first calls=3 stdout=one written=1:go2 mark=between \
		stdout=two written=1:go3 mark=second stdout=three written=1:go4 mark=after finalize
	until_true grep -q ready text
	has "$(cat text)" "[INFO] Nothing is recorded until the command 'start'."
	ask start 'Recording started'
	echo go >go1
	until_true grep -q one text
	ask stop 'Recording stopped'
	echo go >go2
	until_true grep -q two text
	: >text
	ask start 'Recording started'
	echo go >go3
	until_true grep -q three text
	ask quit 'Recording stopped'
	echo start >&"$COMMANDS"
	echo go >go4
	wait "$RUNNING"
	equal "$(marks_of out/PROF_*)" $'first\nsecond'
	has "$(cat out/PROF_000001_*/mindstudio_profiler_output/api_statistic_*)" svp_acl_rt_malloc ,3,
	lacks "$(cat errors)" warning
	equal "$(find out -mindepth 1 -maxdepth 1 ! -name 'PROF_*')" ''
	equal "$(jq -r '.dynamic' out/PROF*/host/sample.json)" $'null\nnull'
}

@test "--dynamic: processes that call after the start are recorded from their first call on, none after the stop" {
	# shellcheck disable=SC2016 # the script's
	dynamic --msproftx=on -- bash -c 'echo ready; until [ -e go1 ]; do sleep 0.01; done
		"$0" init= mark=early finalize && "$0" init= mark=earlier finalize && echo one
		until [ -e go2 ]; do sleep 0.01; done; "$0" init= mark=late finalize' "$RECORD"
	until_true grep -q ready text
	ask start 'Recording started'
	: >go1
	until_true grep -q one text
	ask stop 'Recording stopped'
	: >go2
	wait "$RUNNING"
	equal "$(marks_of out/PROF_* | sort)" $'earlier\nearly'
}

@test "--dynamic: the end of the input ends no recording; an unknown command, or one that is too early, is a warning" {
	dynamic --msproftx=on -- "$RECORD" init= mark=before stdout=ready written=1:go mark=within finalize
	until_true grep -q ready text
	echo stop >&"$COMMANDS"
	echo begin >&"$COMMANDS"
	ask start 'Recording started'
	echo start >&"$COMMANDS"
	until_true grep -q already errors
	exec {COMMANDS}>&-
	echo go >go
	wait "$RUNNING"
	equal "$(grep warning errors)" "msprof: warning: stop: nothing is being recorded
msprof: warning: unknown command 'begin': start, stop or quit
msprof: warning: start: the recording has started already"
	equal "$(jq -r '.[] | select(.ph == "X") | .name' out/PROF*/mindstudio_profiler_output/msprof_[0-9]*.json)" within
}

@test "--dynamic and --pid: another msprof commands the program, into its own directory, beside the one that started it" {
	local program
	mkdir others
	dynamic --msproftx=on -- sh -c 'echo $$ >pid; "$@"' - "$RECORD" init= stdout=ready mark=before written=1:go1 mark=first stdout=one written=1:go2 \
		mark=between stdout=two written=1:go3 mark=second stdout=three finalize
	until_true grep -q ready text
	program=$(cat pid)
	mkfifo orders
	# the shell makes no calls: its child does
	"$BUILD/msprof" --dynamic=on --pid="$program" --output=others --msproftx=on <orders >other 2>&1 3>&- &
	exec {ORDERS}>orders
	echo start >&"$ORDERS"
	until_true grep -qx "dynamic profiling for pid $program start success" other
	equal "$(find out -name listeners -printf %m)" 640
	echo go >go1
	until_true grep -q one text
	echo start >&"$COMMANDS"
	until_true grep -q 'it is being recorded already' errors
	echo stop >&"$COMMANDS"
	until_true grep -q 'stop: nothing is being recorded' errors
	echo quit >&"$ORDERS"
	until_true grep -q 'The program continues' other
	echo go >go2
	until_true grep -q two text
	: >text
	ask start 'Recording started'
	echo go >go3
	wait "$RUNNING"
	expect 0 --export=on --output=others
	equal "$(marks_of others/PROF_*)" first
	equal "$(marks_of out/PROF_*)" second
	has "$(cat other)" "Data is saved in $(realpath others/PROF_*)"
}

# marked RESULT: the marks of a complete result
marked() {
	complete_prof "$1"
	expect 0 import -q -dir "$1"
	DB=$1/sqlite/msprof.db query 'SELECT message FROM msproftx ORDER BY start_ns' | tr '\n' ' '
}

started_twice() {
	[ "$(grep -c 'start success' said)" -eq 2 ]
}

@test "PROFILING_MODE=dynamic and --pid: a program that its user started is attached, each window is a result of its own" {
	local results
	mkdir elsewhere
	PROFILING_MODE=dynamic "$RECORD" init= stdout=ready mark=before written=1:go1 mark=first stdout=one written=1:go2 mark=between stdout=two \
		written=1:go3 mark=second calls=3 stdout=three written=1:go4 mark=after finalize >text 2>errors 3>&- &
	RUNNING=$!
	until_true grep -q ready text
	mkfifo commands
	"$BUILD/msprof" --dynamic=on --pid="$RUNNING" --output=elsewhere --msproftx=on <commands >said 2>&1 3>&- &
	exec {COMMANDS}>commands
	echo start >&"$COMMANDS"
	until_true grep -qx "dynamic profiling for pid $RUNNING start success" said
	echo go >go1
	until_true grep -q one text
	# another msprof is told that it comes too late
	expect 1 --dynamic=on --pid="$RUNNING" --output=out <<<start
	has "$stderr" "process $RUNNING: it is being recorded already"
	echo stop >&"$COMMANDS"
	until_true grep -qx "dynamic profiling for pid $RUNNING stop success" said
	# the result is whole while the program goes on
	results=(elsewhere/PROF_*)
	equal "${#results[@]}" 1
	equal "$(marked "${results[0]}")" 'first '
	has "$(cat said)" "[INFO] Process profiling data complete. Data is saved in $(realpath "${results[0]}")"
	echo go >go2
	until_true grep -q two text
	echo start >&"$COMMANDS"
	until_true started_twice
	echo go >go3
	until_true grep -q three text
	echo quit >&"$COMMANDS"
	until_true grep -qx "dynamic profiling for pid $RUNNING quit success" said
	equal "$(grep -c 'stop success' said)" 2
	has "$(cat said)" 'The program continues.'
	echo go >go4
	wait "$RUNNING"
	results=(elsewhere/PROF_*)
	equal "${#results[@]}" 2
	equal "$(marked "${results[1]}")" 'second '
	equal "$(DB=${results[1]}/sqlite/msprof.db query 'SELECT count(*) FROM api')" 3
	equal "$(ls out)" ''
	equal "$(cat errors)" ''
}

both_record() {
	[ "$(find out -maxdepth 1 -name 'PROF_*' | wc -l)" -eq 2 ]
}

# have_marked CHILD PARENT: each made so many marks.
have_marked() {
	[ "$(stat -c %s child)" -ge "$1" ] && [ "$(stat -c %s parent)" -ge "$2" ]
}

@test "a process that can be attached has children that can be: those that call follow the commands" {
	needs_plain_library
	gcc -o app -xc - -I"$ROOT/lib/recorder/include" -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext <<-'END'
		#include <mstx/ms_tools_ext.h>
		#include <fcntl.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static void mark_until(const char *text, const char *file)
		{
			int made = open(text, O_CREAT | O_WRONLY, 0600); /* a byte for each mark */

			while (access(file, F_OK)) {
				mstxMarkA(text, NULL);
				if (write(made, ".", 1) != 1)
					return;
				usleep(1000);
			}
		}
		int main(void)
		{
			mstxMarkA("parent", NULL);
			if (fork() == 0) {
				mark_until("child", "end");
				return 0;
			}
			mark_until("parent", "end");
			return wait(NULL) < 0;
		}
	END
	PROFILING_MODE=dynamic ./app 3>&- &
	RUNNING=$!
	mkfifo commands
	"$BUILD/msprof" --dynamic=on --pid="$RUNNING" --output=out --msproftx=on <commands >said 2>&1 3>&- &
	exec {COMMANDS}>commands
	until_true test -s child # the child listens by its first mark
	echo start >&"$COMMANDS"
	until_true grep -q 'start success' said
	until_true both_record
	more=($(($(stat -c %s child) + 2)) $(($(stat -c %s parent) + 2)))
	until_true have_marked "${more[@]}"
	echo quit >&"$COMMANDS"
	until_true grep -q 'quit success' said
	: >end
	wait "$RUNNING"
	equal "$(for result in out/PROF_*; do marked "$result" | tr ' ' '\n' | sort -u; done | sort)" $'child\nparent'
}

@test "a container that refuses a table of descriptors attaches like any other, and a child keeps no address of its parent" {
	needs_plain_library
	gcc -o refuse -xc - <<-'END'
		#include <errno.h>
		#include <linux/filter.h>
		#include <linux/seccomp.h>
		#include <stddef.h>
		#include <sys/prctl.h>
		#include <sys/syscall.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
			    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 436 /* close_range */, 0, 1),
			    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
			struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};

			if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) || argc < 2)
				return 1;
			execv(argv[1], argv + 1);
			return 2;
		}
	END
	PROFILING_MODE=dynamic ./refuse "$RECORD" init= stdout=ready written=1:go1 mark=within stdout=one written=1:go2 finalize >text 2>errors 3>&- &
	RUNNING=$!
	until_true grep -q ready text
	mkfifo commands
	"$BUILD/msprof" --dynamic=on --pid="$RUNNING" --output=out --msproftx=on <commands >said 2>&1 3>&- &
	exec {COMMANDS}>commands
	echo start >&"$COMMANDS"
	until_true grep -q 'start success' said
	echo go >go1
	until_true grep -q one text
	echo quit >&"$COMMANDS"
	until_true grep -q 'quit success' said
	echo go >go2
	wait "$RUNNING"
	equal "$(marked out/PROF_*)" 'within '
	equal "$(cat errors)" ''
	# the listener holds its address from its start on
	PROFILING_MODE=dynamic ./refuse "$RECORD" init= written=1:go3 linger=3000 kill=9 >text 2>errors 3>&- &
	RUNNING=$!
	until_true grep -q "@msprof-dynamic-$RUNNING" /proc/net/unix
	echo go >go3
	wait "$RUNNING" || true
	until_true grep -q lingers text
	lacks "$(cat /proc/net/unix)" "@msprof-dynamic-$RUNNING"
}

@test "a program without a free descriptor is attached as soon as there is one, and waits for it asleep" {
	needs_plain_library
	gcc -shared -fPIC -o few.so -xc - <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <stdlib.h>
		#include <sys/socket.h>
		#include <time.h>
		#include <unistd.h>
		static __thread int asked, slept;
		int nanosleep(const struct timespec *t, struct timespec *left)
		{
			slept++;
			return clock_nanosleep(CLOCK_REALTIME, 0, t, left);
		}
		int accept4(int fd, struct sockaddr *a, socklen_t *n, int flags)
		{
			static const int codes[] = {EMFILE, ENFILE, ENOMEM, ENOBUFS};
			int (*next)(int, struct sockaddr *, socklen_t *, int) = (int (*)(int, struct sockaddr *, socklen_t *, int))dlsym(RTLD_NEXT, "accept4");

			if (slept != asked) /* spins */
				_exit(99);
			if (asked == 4)
				return next(fd, a, n, flags);
			errno = codes[asked++];
			return -1;
		}
	END
	PROFILING_MODE=dynamic LD_PRELOAD=$PWD/few.so "$RECORD" init= stdout=ready written=1:go finalize >text 2>errors 3>&- &
	RUNNING=$!
	until_true grep -q ready text
	expect 0 --dynamic=on --pid="$RUNNING" --output=out <<<$'start\nquit'
	has "$output" "dynamic profiling for pid $RUNNING quit success"
	echo go >go
	wait "$RUNNING"
}

@test "a program that can be attached hears no other user" {
	[ "$(id -u)" = 0 ] || skip "it needs root"
	needs_plain_library
	PROFILING_MODE=dynamic "$RECORD" init= stdout=ready written=1:go finalize >text 2>errors 3>&- &
	RUNNING=$!
	until_true grep -q ready text
	# what the program answers to a command that it does not know
	cat >say.py <<-'END'
		import os, socket, sys
		os.setresuid(*[int(sys.argv[2])] * 3)
		s = socket.socket(socket.AF_UNIX)
		s.connect("\0msprof-dynamic-" + sys.argv[1])
		try:
		    s.sendall(b"nonsense")
		    s.shutdown(socket.SHUT_WR)
		    print(s.recv(100).decode() or "hung up")
		except OSError:
		    print("hung up")
	END
	has "$(python3 say.py $RUNNING 0)" error
	equal "$(python3 say.py $RUNNING 65534)" 'hung up'
	echo go >go
	wait "$RUNNING"
}

@test "--pid: the program must be there, this user's, and started so that it can be attached" {
	expect 2 --pid=1
	has "$stderr" '--pid needs --dynamic=on'
	expect 2 --dynamic=on --pid=1 true
	has "$stderr" '--pid and a program exclude each other'
	expect 1 --dynamic=on --pid=2147483647
	has "$stderr" 'process 2147483647 not found'
	expect 1 --dynamic=on --pid=$$
	has "$stderr" "process $$ was started neither by 'msprof --dynamic=on' nor with PROFILING_MODE=dynamic"
	PROFILING_MODE=dynamic sleep 60 3>&- &
	until_true grep -qz PROFILING_MODE /proc/$!/environ
	expect 1 --dynamic=on --pid=$! --output=out <<<start
	has "$stderr" "process $! does not listen: it has made no call yet, or runs without libmsprof_preload.so"
	kill $!
	PROFILER_SAMPLECONFIG='{"output": "out", "results": "r"}' sleep 60 3>&- &
	until_true grep -qz PROFILER_SAMPLECONFIG /proc/$!/environ
	expect 1 --dynamic=on --pid=$!
	has "$stderr" "process $! is recorded without --dynamic=on"
	kill $!
}

# hostile ANSWER...: a process that gives these answers at its own address, one to each connection
hostile() {
	PROFILING_MODE=dynamic python3 - "$@" 3>&- <<-'END' &
		import os, socket, sys
		listener = socket.socket(socket.AF_UNIX)
		listener.bind(f"\0msprof-dynamic-{os.getpid()}")
		listener.listen()
		print("ready", flush=True)
		for answer in sys.argv[1:]:
		    with listener.accept()[0] as other:
		        while other.recv(4096):
		            pass
		        other.sendall(answer.encode().decode("unicode_escape").encode())
	END
	RUNNING=$!
}

@test "--pid: what a process answers does not command the terminal; one that answers nothing, or accepts nobody, is an error" {
	hostile '' >text
	until_true grep -q ready text
	expect 1 --dynamic=on --pid="$RUNNING" --output=out <<<start
	equal "$stderr" "msprof: error: process $RUNNING does not answer"
	hostile 'ok PROF_1' 'ok PROF_\x1b[2J' >text
	until_true grep -q ready text
	expect 0 --dynamic=on --pid="$RUNNING" --output=out <<<$'start\nstop'
	has "$output" "Data is saved in $PWD/out/PROF_\\x1b[2J"
	# another process has the address and its queue is full
	PROFILING_MODE=dynamic sleep 60 3>&- &
	RUNNING=$!
	python3 - $RUNNING 3>&- >text <<-'END' &
		import signal, socket, sys
		listener, other = (socket.socket(socket.AF_UNIX) for _ in range(2))
		listener.bind(f"\0msprof-dynamic-{sys.argv[1]}")
		listener.listen(0)
		other.connect(listener.getsockname())
		print("ready", flush=True)
		signal.pause()
	END
	until_true grep -q ready text
	run --separate-stderr timeout 20 "$MSPROF" --dynamic=on --pid=$RUNNING --output=out <<<start
	equal "$status" 1
	has "$stderr" "process $RUNNING does not listen"
	kill $! $RUNNING
}

@test "--dynamic needs a program, whose input is empty, and no other choice of times" {
	expect 2 --output=out --dynamic=on --delay=1 true
	has "$stderr" '--dynamic and --delay exclude each other'
	expect 2 --output=out --dynamic=on --sys-period=1
	has "$stderr" '--dynamic needs a program, or --pid'
	expect 0 --output=out --dynamic=on -- sh -c 'cat; echo nothing' <<<'for msprof'
	has "$output" nothing "Nothing was recorded by this msprof: no command 'start' came."
	lacks "$output" 'for msprof'
	expect 1 --output=out --dynamic=on -- sh -c 'until grep -qs . out/.msprof.*/window; do sleep 0.01; done' <<<start
	has "$stderr" 'nothing was recorded: the program does not call AscendCL through a shared library'
}
