# crash.bash: a program that crashes at a moment, and whether what it recorded is complete.
# shellcheck shell=bash
# shellcheck disable=SC2154 # $DB and $BUILD are set by helpers.bash

# crash_app in the current directory
build_app() {
	needs_plain_library
	gcc -O2 -I"$ROOT/lib/recorder/include" -o crash_app "$ROOT/tests/recorder/crash_app.c" -L"$BUILD" \
		-Wl,-rpath,"$BUILD" -lmsprof_recorder -lpthread
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
		        sys.exit(f"thread {thread}: noted {count}, found {len(numbers)}, missing {missing[:5]}, "
		                 f"twice {len(numbers) - len(set(numbers))}")
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
