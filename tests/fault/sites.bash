# shellcheck shell=bash
# sites.bash: commands in which one call fails from each place of the program, in turn. A file's tests share what is done: a place
# that an earlier command has shown is left out.

# What can fail, but for memory; in processes, for programs that start others.
OTHERS=open,read,write,stat,path,dir,map,allocate,mkdir,rename,unlink,chmod,flock,fsync,ftruncate,close,thread,process

sites_setup() {
	umask 0027
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" "$ROOT/tests/fault/inject.c" -ldl
}

# raw_sample DIR: the raw data of the sample
raw_sample() {
	mkdir "$1"
	cp -rp "$ROOT"/tests/data/JOB*/data "$ROOT"/tests/data/JOB*/info.json.* "$1"
	chmod -R u+w "$1"
}

# each_site BASE ARGUMENT...: msprof with these arguments in copies of ./BASE: a call fails once, from each place.
# $STATUSES are the exit statuses that may be; $PROGRAM is the one whose calls fail; $CALLS are kinds of calls, if not all; $MORE are
# options of each_site.py. A database that
# could not be compared is made anew, and aggregates tell which one they are of; texts of a trace that lack memory are written where they
# stand.
each_site() {
	local base=$1 calls program=${PROGRAM:-msprof}
	shift
	for calls in ${CALLS:-memory "$OTHERS"}; do
		python3 "$ROOT/tests/fault/each_site.py" --inject "$BATS_FILE_TMPDIR/inject.so" --seen "$BATS_FILE_TMPDIR/seen.$program" \
			--program "$program" --status "${STATUSES:-0,1,2,3}" --depth "${FAULT_DEPTH:-3}" \
			--other '(aggregates[.]kept|[.]pftrace)$' "${MORE[@]}" "$calls" "$base" -- "$MSPROF" "$@" 2>&3 || return
	done
}
