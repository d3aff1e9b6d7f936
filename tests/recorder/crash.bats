#!/usr/bin/env bats
# crash.bats: a program that crashes loses at most the event that each thread is writing; what it recorded is compared with what it
# noted by itself.

load helpers

build_app() {
	needs_plain_library
	gcc -O2 -I"$ROOT/lib/recorder/include" -o crash_app "$ROOT/tests/recorder/crash_app.c" -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_recorder -lpthread
}

# Settings of 'msprof PROGRAM': a PROF directory below out
to_prof() {
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on", "msproftx": "on"}'
}

# complete NOTES TABLE COLUMN: whether each thread's marks in the database are those from 0 up to what it noted, each once;
# the next one may be there: it was recorded, and the crash came before the note
complete() {
	python3 - "$@" "$DB" <<-'END'
		import collections, sqlite3, struct, sys
		notes, table, column, db = sys.argv[1:]
		data = open(notes, "rb").read()
		noted = [n for n in struct.unpack(f"<{len(data) // 8}Q", data)]
		found = collections.defaultdict(list)
		for text, in sqlite3.connect(f"file:{db}?mode=ro", uri=True).execute(f"SELECT {column} FROM {table}"):
		    thread, _, number = text.partition(" ")
		    if number and thread.isdigit():
		        found[int(thread)].append(int(number))
		for thread, count in enumerate(noted):
		    numbers = sorted(found[thread])
		    if numbers != list(range(len(numbers))) or len(numbers) not in (count, count + 1):
		        missing = sorted(set(range(count)) - set(numbers))
		        sys.exit(f"thread {thread}: noted {count}, found {len(numbers)}, missing {missing[:5]}, twice {len(numbers) - len(set(numbers))}")
		print(sum(noted))
	END
}

# crash_in_job HOW US: the marks of a JOB are complete
crash_in_job() {
	discard out/* notes
	./crash_app notes "$@" || true
	import_job
	complete notes api_call name
}

crash_in_prof() {
	discard out/* notes results
	./crash_app notes "$@" || true
	PROF=$(echo out/PROF_*)
	export DB=$PROF/sqlite/msprof.db
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*) - count(DISTINCT type) FROM type_info_dic')" 0 # no name comes twice
	complete notes msproftx message
}

# moments COUNT: random times in microseconds, around and behind the times at which the recorder writes
moments() {
	for ((i = 0; i < $1; i++)); do
		echo $((RANDOM * 12 % 400000))
	done
}

@test "SIGKILL, SIGSEGV, _exit and abort at many moments: a JOB has all that was recorded" {
	build_app
	for how in kill segv _exit abort; do
		for us in 0 $(moments 6); do
			crash_in_job $how "$us"
		done
	done
}

@test "the same in a PROF directory" {
	build_app
	to_prof
	for how in kill segv _exit abort; do
		for us in $(moments 4); do
			crash_in_prof $how "$us"
		done
	done
}

@test "killed from outside, with many threads" {
	build_app
	for us in $(moments 5); do
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
	cp -a second/JOB*/.msprof.events first/JOB*/ # as if the process had ended before it removed the file
	touch -d '1 hour' first/JOB*/data/*
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
	[ -e "$JOB"/.msprof.events ]
	kill -9 $app
	wait $app || true
	import_job
	complete notes api_call name
	[ ! -e "$JOB"/.msprof.events ]
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
	file=$(echo out/JOB*/.msprof.events)
	cp "$file" events
	for round in {1..30}; do
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
}

@test "without room for the file, and on request of nobody, the recorder works as before" {
	build_app
	(ulimit -f 1000; ./crash_app notes kill 50000) || true
	equal "$(find out -name '.msprof.events')" ''
}
