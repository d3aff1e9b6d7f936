# shellcheck shell=bash
# helpers.bash: shared by the tests of the command. A test gets a fresh copy of the sample in $JOB.

bats_require_minimum_version 1.5.0

# Each test reads this file anew: the places are those of the first time.
if [ "${PLACES_OF:-}" != "$BATS_RUN_TMPDIR" ]; then
	ROOT=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
	BUILD=$(realpath -m "${BUILD:-$ROOT/build}")
	SHARED=$(realpath -m "$ROOT/../shared/data")
	PLACES_OF=$BATS_RUN_TMPDIR
fi
MSPROF=$BUILD/msprof
HELPERS=$ROOT/tests/cli/helpers
export ROOT BUILD MSPROF HELPERS SHARED PLACES_OF
export MSPROF_PAGER= # tests on a terminal press no key

# shellcheck source=tests/scratch.bash
. "$ROOT/tests/scratch.bash"
# also when bats was started by hand
scratch_home "$BATS_RUN_TMPDIR"

# bats notes the place of each command before the command, which takes ten times as long as most commands. The place of one that fails
# is enough: bash tells it to the trap of errors.
bats_debug_trap() {
	:
}

bats_error_trap() {
	bats_check_status_from_trap
	bats_capture_stack_trace
	# shellcheck disable=SC2034 # for bats
	BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
}

setup() {
	fresh_job
}

# A copy of the sample's raw data in $JOB, without outputs made in place.
fresh_job() {
	local sample
	for sample in "$ROOT"/tests/data/JOB*; do :; done
	umask 0027
	unset XDG_CONFIG_HOME
	JOB=${BATS_TEST_TMPDIR:-${BATS_FILE_TMPDIR:?}}/${sample##*/} # that of the file in setup_file
	discard "$JOB"
	mkdir "$JOB"
	cp -r --preserve=timestamps --no-preserve=mode "$sample/data" "$sample"/info.json.* "$JOB"
	DB=$JOB/sqlite/msprof.db
	export JOB DB
}

# skip_file WHY: setup_file says that no test of the file can run, and returns: not each version of bats lets setup_file skip. Returns 1.
skip_file() {
	echo "$1" >"$BATS_FILE_TMPDIR/skipped"
	return 1
}

# skip_skipped: setup skips where skip_file was called.
skip_skipped() {
	[ ! -e "$BATS_FILE_TMPDIR/skipped" ] || skip "$(<"$BATS_FILE_TMPDIR/skipped")"
}

fail() {
	printf '%s\n' "$*" >&2
	return 1
}

# expect STATUS ARGUMENT...: run msprof; its stdout is in $output, its stderr in $stderr. It is what `run --separate-stderr` does, with
# one process in place of four.
expect() {
	local want=$1 errors=$BATS_TEST_TMPDIR/separate-stderr-$BASHPID
	shift
	status=0
	output=$(exec "$MSPROF" "$@" 2>"$errors") || status=$?
	read -r -d '' stderr <"$errors" || : # to the end of the file
	[ "$status" -eq "$want" ] ||
		fail "msprof $* ended with $status, not $want" $'\nstdout: '"$output" $'\nstderr: '"${stderr:-}"
}

# has TEXT PART..., lacks TEXT PART...
has() {
	local text=$1 part
	shift
	for part; do
		[[ $text == *"$part"* ]] || fail "'$part' is not in: $text"
	done
}

lacks() {
	local text=$1 part
	shift
	for part; do
		[[ $text != *"$part"* ]] || fail "'$part' is in: $text"
	done
}

# until_true COMMAND...: waits at most five minutes: a slow machine fails no test. When COMMAND is a function, bash does not end
# it at the first line that fails: each line must return the failure itself.
until_true() {
	local n=6000
	until "$@" >/dev/null 2>&1; do
		n=$((n - 1))
		[ "$n" -gt 0 ] || {
			fail "did not come true: $*"
			return 1
		}
		sleep 0.05
	done
}

# no_process PGREP-OPTION...: but for zombies
no_process() {
	! pgrep -r D,R,S,T -a "$@"
}

# For tests that compile programs, or look into those of the build: `make check-cross` starts these under an emulator.
needs_this_processor() {
	[ -z "${MSPROF_EMULATED:-}" ] || skip "the programs are of another processor"
}

# The program of boards of 32 bits has no learn.
needs_learn() {
	[ -z "${MSPROF_EMULATED:-}" ] || "$MSPROF" help | grep -q '^  learn ' || skip "this msprof has no learn"
}

equal() {
	[ "$1" = "$2" ] || fail "'$1' is not '$2'"
}

# fresh_home: an empty home directory, like that of a new user
fresh_home() {
	HOME=$(mktemp -d "$BATS_TEST_TMPDIR/home_XXXXXX") && export HOME
}

# plain_dir NAME: a new directory whose path has letters, digits and '_' alone, as acl.json wants it, in $PLAIN_DIR
plain_dir() {
	[ -n "${MSPROF_SCRATCH:-}" ] || skip "needs a scratch directory with a plain path: run it by 'make check BATS=FILE'"
	PLAIN_DIR=$(mktemp -d "$MSPROF_SCRATCH/$1_XXXXXX") && chmod 0755 "$PLAIN_DIR"
}

# genjob DIR OPTION...: generate a job
genjob() {
	local out=$1
	shift
	"$BUILD/tests/genjob" --out "$out" "$@"
}

# titles REPORT: the titles of a report of schema/reports, as the first line of a CSV file; tests/data/titles.txt has them all
titles() {
	python3 "$HELPERS/schema_titles.py" "$1"
}

# generate OPTION...: generate the job under test
generate() {
	JOB=$BATS_TEST_TMPDIR/JOBGENERATED
	DB=$JOB/sqlite/msprof.db
	discard "$JOB"
	genjob "$JOB" "$@"
}

# query SQL [DATABASE]
query() {
	sqlite3 -batch -readonly "${2:-$DB}" "$1"
}

no_part_files() {
	local stray
	stray=$(find "$1" -name '*.part*' -o -name '*-journal' -o -name '*-wal' -o -name '*.tmp')
	[ -z "$stray" ] || fail "left behind: $stray"
}

# Sizes, times and content of everything below a directory.
snapshot() {
	find "$1" -printf '%P %y %m %s %T@ %i\n' | sort
	find "$1" -type f -exec sha256sum {} + | sort
}

# ordinary COMMAND...: with the rights of an ordinary user, even when root runs the tests.
ordinary() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
	else
		"$@"
	fi
}

needs_ordinary() {
	local locked=$BATS_TEST_TMPDIR/locked
	echo x >"$locked"
	chmod 000 "$locked"
	if ordinary cat "$locked" 2>/dev/null; then
		skip "rights cannot be dropped here"
	fi
}

# private_mounts COMMAND...: the command's mounts vanish with the command
private_mounts() {
	if [ "$(id -u)" = 0 ]; then
		unshare --mount "$@"
	else
		unshare --user --map-root-user --mount "$@"
	fi
}

needs_mounts() {
	private_mounts mount -t tmpfs -o size=64k none "$BATS_TEST_TMPDIR" 2>/dev/null ||
		skip "nothing can be mounted here"
}

needs_terminal() {
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip "no terminal can be made here: see /dev/pts"
}

needs_shared() {
	[ -d "$SHARED/$1" ] || [ -f "$SHARED/$1" ] || skip "../shared/data/$1 is not there"
}

# made KEY=VALUE...: a JOB directory of the 2022 generation, encoded by a script, is $JOB
made() {
	JOB=$BATS_TEST_TMPDIR/JOBMADE
	DB=$JOB/sqlite/msprof.db
	discard "$JOB"
	python3 "$HELPERS/ascend2022.py" "$JOB" "$@"
}
