#!/bin/bash
# fresh.sh: README's two commands on machines that have nothing but `make`: a minimal Debian and a minimal Ubuntu, which debootstrap
# makes below a scratch directory. They are entered by chroot: there nothing can be mounted, no name space can be made, and there is
# no terminal, no /dev/pts and no LANG.
# Usage: fresh.sh [debian] [ubuntu]
# BATS=FILE... chooses tests of commands, as with `make check`. UBUNTU_KEYRING=FILE has the keys of Ubuntu's archive.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/scratch.bash
. "$root/tests/scratch.bash"
UBUNTU_KEYRING=${UBUNTU_KEYRING:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}
status=0 child='' machine='' log=''

# shellcheck disable=SC2317 # called at the end
finish() {
	# the first process of the name space: all others end with it
	[ -z "$child" ] || { xargs kill -KILL <"/proc/$child/task/$child/children" && wait "$child"; } 2>/dev/null
	if grep -qF "$MSPROF_SCRATCH" /proc/self/mounts; then
		echo "not removed, because something is mounted there: $MSPROF_SCRATCH" >&2
	else
		scratch_remove
	fi
}

# inside USER COMMAND: run a shell command in the machine, its output in $log. Its processes end with it. With PROC=1 it has /proc:
# this mount, too, is in a name space that ends with the command.
inside() {
	local home=/root drop=(setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin) result
	[ "$1" = root ] ||
		home=/home/$1 drop=(setpriv --reuid "$1" --regid "$1" --clear-groups --bounding-set=-all --inh-caps=-all)
	# shellcheck disable=SC2016 # for the inner shell
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" BATS="${BATS:-tests/cli tests/recorder}" \
		${http_proxy:+http_proxy="$http_proxy"} setsid --wait unshare --mount --pid --fork --kill-child sh -c \
		'[ -z "$1" ] || mount -t proc proc "$0/proc" || exit; shift; exec chroot "$0" "$@"' "$machine" "${PROC:-}" \
		"${drop[@]}" sh -c "$2"$'\nexit' >"$log" 2>&1 </dev/null &
	child=$!
	wait "$child"
	result=$?
	child=''
	return "$result"
}

# Everything in the machine but build directories; no times of directories, because files come and go in them.
listing() {
	find "$machine" -xdev \( -path "$machine/proc" -o -path "$machine/src/msprof/build" -o -path "$machine/build" \) -prune -o \
		\( -type f -printf '%P %m %U:%G %s %T@\n' -o -printf '%P %y %m %U:%G %l\n' \) | sort
}

# attempt WHAT USER COMMAND: the command passes, and the machine is the same afterwards
attempt() {
	local result=0
	echo "== $1: $3"
	listing >"$MSPROF_SCRATCH/before"
	inside "$2" "cd /src/msprof && $3" || result=$?
	listing >"$MSPROF_SCRATCH/after"
	grep -E '^(not ok|# |skipped|\[  (ERROR|LINE|FAILED|SKIPPED) ).*|^[0-9]+ passed, ' "$log"
	sed -n 's/^ok .* # skip/skipped:/p' "$log" | sort | uniq -c
	if [ "$result" != 0 ]; then
		tail -n 5 "$log"
		echo "not ok - $1: $3 ended with $result"
		status=1
	fi
	if ! diff "$MSPROF_SCRATCH/before" "$MSPROF_SCRATCH/after" >"$log"; then
		grep '^[<>]' "$log"
		echo "not ok - $1: $3 changed what is not its own (< before, > after)"
		status=1
	fi
}

# needed WORDS: the step before failed, which is no fault of the project
needed() {
	tail -n 5 "$log"
	echo "skipped: a machine needs $1"
	return 1
}

# prepare SUITE [OPTION...] -- [MIRROR]: the machine with `make` and a clone of HEAD, and nothing more
prepare() {
	local suite=$1 options=() user=someone
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	machine=$MSPROF_SCRATCH/$suite log=$MSPROF_SCRATCH/log
	debootstrap --variant=minbase --force-check-gpg "${options[@]}" "$suite" "$machine" "$@" >"$log" 2>&1 </dev/null ||
		needed "the packages of $suite" || return
	inside root "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends make &&
		useradd --create-home $user && touch /root/precious /home/$user/precious && install -d -o $user /build" ||
		needed "a mirror that its apt-get can reach" || return
	git clone -q --no-hardlinks "$root" "$machine/src/msprof" && chmod -R a+rX "$machine/src"
}

# README's two commands, by whom and where they may be given
both_commands() {
	local what=$1
	inside root 'cd /src/msprof && make demo && make deps-test' || needed "packages for make deps-test" || return
	attempt "$what, root, no /proc" root 'make demo && make check'
	PROC=1 attempt "$what, root" root 'make demo && make check'
	chmod -R a-w "$machine/src"
	PROC=1 attempt "$what, a user, read-only sources" someone 'make demo BUILD=/build && make check BUILD=/build'
}

# The mirror of ORIGIN's SUITE among the sources of this machine
mirror_of() {
	# shellcheck disable=SC2016 # apt's own words
	apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(REPO_URI)' 'Identifier: Packages' | sed -n "s/^$1 $2 //p" | head -1
}

debian() {
	local suite=bookworm mirror
	mirror=$(mirror_of Debian "$suite")
	[ -n "$mirror" ] || { echo "skipped: a Debian needs a mirror of $suite among the sources of apt-get"; return; }
	prepare "$suite" -- "$mirror" && both_commands Debian
}

ubuntu() {
	local suite=noble mirror script
	[ -f "$UBUNTU_KEYRING" ] || { echo "skipped: an Ubuntu needs the keys of its archive, UBUNTU_KEYRING=$UBUNTU_KEYRING"; return; }
	mirror=$(mirror_of Ubuntu "$suite")
	script=/usr/share/debootstrap/scripts/$suite
	# an older debootstrap does not know the suite, but its other names of Ubuntu are one script, which knows the mirror
	[ -e "$script" ] || script=/usr/share/debootstrap/scripts/gutsy
	prepare "$suite" --components=main,universe --keyring="$UBUNTU_KEYRING" -- "$mirror" "$script" && both_commands Ubuntu
}

[ $# -gt 0 ] || set -- debian ubuntu
for tool in debootstrap git unshare setpriv; do
	command -v "$tool" >/dev/null || { echo "skipped: fresh machines need $tool: make deps"; exit 0; }
done
if [ "$(id -u)" != 0 ] || ! unshare --mount --pid --fork true 2>/dev/null; then
	echo "skipped: fresh machines need root, and its right to make name spaces"
	exit 0
fi
scratch_make || exit
trap finish EXIT
trap 'exit 130' INT TERM
for name; do
	case $name in
	debian) debian ;;
	ubuntu) ubuntu ;;
	*) echo "usage: fresh.sh [debian] [ubuntu]" >&2; exit 2 ;;
	esac
done
exit $status
