#!/bin/sh
# sshd.sh: a private SSH server on 127.0.0.1 for tests, of the current user, in a directory of its own.
#
#   sshd.sh start openssh|dropbear DIR [OPTION...]   prints the port; OPTIONs go to the server as they are
#   sshd.sh stop DIR                                 ends it and its connections
#   sshd.sh rekey DIR                                a new host key, for the next start
#   sshd.sh user NAME PASSWORD                       (root) make a user for password logins; needs /etc/shadow
#   sshd.sh nouser NAME                              (root) remove it
#
# DIR holds host_key, client_key (the key that may log in), authorized_keys, port, pid, log. A start keeps what
# it finds, also the port, so that a server can come back. Password logins need root, for any server.
# Dropbear reads keys in the home directory only: it may be logged into by password, or with client_key
# when a test has put authorized_keys there (HOME of that user).
set -eu

fail() {
	echo "sshd.sh: $*" >&2
	exit 1
}

free_port() {
	# /proc/net/tcp has the ports in use
	while :; do
		port=$(awk -v seed="$$$(date +%N)" 'BEGIN { srand(seed % 2147483647); print 20000 + int(rand() * 12000) }')
		grep -qi "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$port") " /proc/net/tcp || break
	done
	echo "$port"
}

# answers PORT PID: it is this process that listens there; somebody else may have taken the port meanwhile
answers() {
	inode=$(awk -v port=":$(printf %04X "$1")\$" '$2 ~ port && $4 == "0A" { print $10 }' /proc/net/tcp)
	[ -n "$inode" ] && find "/proc/$2/fd" -lname "socket:\\[$inode\\]" 2>/dev/null | grep -q .
}

start_openssh() {
	dir=$1
	shift
	[ -f "$dir/host_key" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key"
	cat >"$dir/config" <<EOF
ListenAddress 127.0.0.1
Port $(cat "$dir/port")
HostKey $dir/host_key
PidFile none
AuthorizedKeysFile $dir/authorized_keys
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication yes
KbdInteractiveAuthentication no
Subsystem sftp internal-sftp
MaxStartups 100
LogLevel VERBOSE
EOF
	if [ "$(id -u)" = 0 ]; then
		mkdir -p /run/sshd
	fi
	"$(command -v sshd || echo /usr/sbin/sshd)" -D -e -f "$dir/config" "$@" >"$dir/log" 2>&1 </dev/null &
	echo $! >"$dir/pid"
}

start_dropbear() {
	dir=$1
	shift
	[ -f "$dir/host_key" ] || dropbearkey -t ed25519 -f "$dir/host_key" >/dev/null 2>&1
	"$(command -v dropbear || echo /usr/sbin/dropbear)" -F -E -r "$dir/host_key" \
		-p "127.0.0.1:$(cat "$dir/port")" -P "$dir/dropbear.pid" "$@" >"$dir/log" 2>&1 </dev/null &
	echo $! >"$dir/pid"
}

start() {
	kind=$1
	mkdir -p "$2"
	dir=$(cd "$2" && pwd)
	shift 2
	[ -f "$dir/client_key" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/client_key"
	cp "$dir/client_key.pub" "$dir/authorized_keys"
	case $kind in openssh | dropbear) ;; *) fail "unknown server '$kind'" ;; esac
	kept=
	[ ! -s "$dir/port" ] || kept=1
	for _ in 1 2 3; do
		[ -n "$kept" ] || free_port >"$dir/port"
		"start_$kind" "$dir" "$@"
		if listens "$dir"; then
			cat "$dir/port"
			return
		fi
		[ -z "$kept" ] || break
	done
	fail "$kind did not start: $(cat "$dir/log")"
}

# Wait until a server listens, or has ended, for a minute at most.
listens() {
	for _ in $(seq 1200); do
		! answers "$(cat "$1/port")" "$(cat "$1/pid")" || return 0
		lives "$(cat "$1/pid")" || return 1
		sleep 0.05
	done
	return 1
}

# A server's connections are its descendants, though not in its process group.
descendants() {
	# shellcheck disable=SC2013
	for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		echo "$child" # first: the variable is shared with the call
		descendants "$child"
	done
}

# One that nobody has waited for is dead all the same.
lives() {
	[ -d "/proc/$1" ] && ! grep -qs '^State:.*Z' "/proc/$1/status"
}

stop() {
	[ -f "$1/pid" ] || return 0
	pid=$(cat "$1/pid")
	all=$(descendants "$pid")
	# shellcheck disable=SC2086
	kill "$pid" $all 2>/dev/null || :
	for process in $pid $all; do
		for _ in $(seq 60); do
			lives "$process" || break
			sleep 0.05
		done
		kill -9 "$process" 2>/dev/null || :
	done
	rm -f "$1/pid"
}

# insist COMMAND...: somebody else may be at the list of users as well; and a user is one as long as a process of his ends
insist() {
	for _ in $(seq 100); do
		! "$@" || return 0
		sleep 0.2
	done
	return 1
}

case ${1-} in
start)
	[ $# -ge 3 ] || fail "start openssh|dropbear DIR [OPTION...]"
	shift
	start "$@"
	;;
stop) stop "$2" ;;
rekey) rm -f "$2/host_key" "$2/host_key.pub" ;;
user)
	insist useradd --create-home --shell /bin/sh "$2" || fail "cannot make the user '$2'"
	set_password() { printf '%s:%s\n' "$1" "$2" | chpasswd; }
	insist set_password "$2" "$3" || fail "cannot give the user '$2' a password"
	;;
nouser)
	remove_user() { ! id "$1" >/dev/null 2>&1 || userdel --remove "$1" 2>/dev/null; }
	insist remove_user "$2"
	;;
*) fail "usage: start|stop|rekey|user|nouser; see the head of this file" ;;
esac
