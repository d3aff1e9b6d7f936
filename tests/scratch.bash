# shellcheck shell=bash
# scratch.bash: scratch directories of tests, and the one place that removes trees. Whatever is not below a scratch directory of
# the tests, or not in a build directory that `make` made, is refused.

scratch_refuse() {
	printf 'refused to remove %q: %s\n' "$1" "$2" >&2
	return 1
}

# plain_environment: what the caller's shell says to msprof, to the recorder and to the tests' tools is forgotten, but for what is meant
# for the tests.
plain_environment() {
	local name
	umask 022
	for name in $(compgen -e); do
		case $name in
		MSPROF_SCRATCH | MSPROF_TEST_SYSTEM | MSPROF_EMULATED | MSPROF_PLAIN | MSPROF_SEED | MSPROF_SEEDS | MSPROF_PAIRS | \
			MSPROF_HOSTILE | MSPROF_NODE | MSPROF_FLEET_JOBS | *SAN_OPTIONS) ;;
		MSPROF_* | PROFILER_* | ASCEND_* | XDG_* | SSH_* | KRB5* | PG[A-Z]* | PYTHON* | SQLITE_TMPDIR | LANG | LANGUAGE | LC_* | TZ | \
			COLUMNS | LINES | NO_COLOR | PAGER | LESS* | POSIXLY_CORRECT | BASH_ENV | ENV | CDPATH | GREP_* | *_OPTIONS | GZIP)
			unset "$name"
			;;
		esac
	done
}

# scratch_make: make a scratch directory for this run and export its path as MSPROF_SCRATCH. Its name has letters, digits and '_'
# alone, and another user may pass it.
scratch_make() {
	local base
	base=$(realpath -e -- "${TMPDIR:-/tmp}") || return
	if [[ $base == *[!A-Za-z0-9_./-]* ]]; then
		echo "note: the tests use /tmp: the path of TMPDIR, '$base', is not plain"
		base=/tmp
	fi
	MSPROF_SCRATCH=$(mktemp -d "$base/msprof_scratch_XXXXXX") || return
	chmod 0711 "$MSPROF_SCRATCH" && : >"$MSPROF_SCRATCH/.msprof-scratch" && export MSPROF_SCRATCH
}

# scratch_home DIR: HOME, XDG_* and TMPDIR lie below DIR from now on.
scratch_home() {
	export HOME=$1/home TMPDIR=$1/tmp
	export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_DATA_HOME=$HOME/.local/share XDG_STATE_HOME=$HOME/.local/state
	export XDG_RUNTIME_DIR=$1/run
	[ -d "$XDG_RUNTIME_DIR" ] || { mkdir -p "$HOME" "$TMPDIR" "$XDG_RUNTIME_DIR" && chmod 0700 "$XDG_RUNTIME_DIR"; }
}

# scratch_remove: remove the scratch directory of this run.
scratch_remove() {
	[ -e "${MSPROF_SCRATCH:-}/.msprof-scratch" ] && [ ! -L "$MSPROF_SCRATCH" ] && [[ $MSPROF_SCRATCH == /*/msprof_scratch_* ]] ||
		scratch_refuse "${MSPROF_SCRATCH:-}" "not a scratch directory" || return
	chmod -R u+rwX -- "$MSPROF_SCRATCH" 2>/dev/null
	rm -rf --one-file-system -- "$MSPROF_SCRATCH"
}

# scratch_holds PATH: PATH, resolved, lies below a scratch directory of this test, or of this run and not in another test's.
scratch_holds() {
	local root
	for root in "${BATS_TEST_TMPDIR:-}" "${BATS_FILE_TMPDIR:-}"; do
		[ -z "$root" ] || [[ $1 != "$(realpath -m -- "$root")"/?* ]] || return 0
	done
	[ -e "${MSPROF_SCRATCH:-}/.msprof-scratch" ] || return
	root=$(realpath -e -- "$MSPROF_SCRATCH") && [[ $1 == "$root"/?* && $1 != "$root"/of_* ]]
}

# discard PATH...: remove files and trees below a scratch directory. A PATH that does not exist is not an error; a link, the home
# directory and everything below or above the home directory are.
discard() {
	local path real home
	for path; do
		[ -n "$path" ] || scratch_refuse "$path" "the path is empty" || return
		[ ! -L "$path" ] || scratch_refuse "$path" "it is a link" || return
		[ -e "$path" ] || continue
		home=$(realpath -m -- "${HOME:-/}") && real=$(realpath -e -- "$path") || return
		scratch_holds "$real" || scratch_refuse "$path" "it is not below the test's scratch directory" || return
		[[ $real/ != "$home"/* && $home/ != "$real"/* ]] || scratch_refuse "$path" "it is, holds or lies below the home directory" ||
			return
		rm -rf --one-file-system -- "$real" || return
	done
}

# discard_build DIR [NAME]: remove the build directory DIR, or NAME in it. DIR must have the mark of a directory that `make` made.
discard_build() {
	local real path=$1${2:+/$2}
	[ -e "$path" ] || return 0
	[ ! -L "$path" ] || scratch_refuse "$path" "it is a link" || return
	real=$(realpath -e -- "$1") && [ -f "$real/.msprof-build" ] ||
		scratch_refuse "$path" "'make' did not make the directory $1, or it held other files before" || return
	[ ! -e "$real/Makefile" ] && [ ! -e "$real/.git" ] || scratch_refuse "$path" "it holds sources" || return
	rm -rf --one-file-system -- "${real:?}${2:+/$2}"
}
