# prof.bash: for tests that make up records of PROF directories: they are encoded through the layouts. No data of a device exists for them.
# shellcheck disable=SC2034,SC2154 # tests use what is set here; setup sets what is used

# A PROF directory beside the sample.
prof_job() {
	fresh_job
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF"
	DB=$PROF/sqlite/msprof.db
	HOST=$PROF/host/data DEVICE=$PROF/device_0/data
}

setup() {
	prof_job
}

# record LAYOUT FILE: each line of standard input is a record
record() {
	"$BUILD/tests/genrec" "$1" "$2"
}

# The lines of one export, without its heading.
rows() {
	tail -n +2 "$PROF"/mindstudio_profiler_output/"$1"_[0-9]*.csv
}

# Each file's bytes are those of its rows of source, one for each layout that shares the file.
accounted() {
	equal "$(query "SELECT file FROM source WHERE state = 'raw' GROUP BY file
		HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes)")" ""
}

# Counts of the clocks: N us after both began. The host counts 10 ns, the device 20 ns.
host() {
	echo $((100000000000 + $1 * 100))
}

device() {
	echo $((50000000000 + $1 * 50))
}

# Task N of the generator: its node's call is number 3N+2, from 1000.5+6N us to 1005+6N; it is launched at 1003+6N by thread 4242+N%2,
# on stream N%8 with task id N/8, and begins at 2000+6N us.
