#!/bin/sh
# sshd.sh: a private SSH server on 127.0.0.1 for tests, without root's rights, in a directory of its own.
#
#   sshd.sh start openssh|dropbear DIR [OPTION...]   prints the port; OPTIONs go to the server as they are
#   sshd.sh stop DIR                                 ends it and its connections
#   sshd.sh rekey DIR                                a new host key, for the next start
#   sshd.sh user USERS NAME PASSWORD                 make a user whom only the servers started with BOARD_USERS=USERS know
#   sshd.sh sysuser NAME PASSWORD HOME               (root) make a user of this system
#   sshd.sh nosysuser NAME                           (root) remove this user
#
# DIR holds host_key, client_key (the key that may log in), authorized_keys, port, pid, log. A start keeps what
# it finds, also the port, so that a server can come back.
# USERS holds home, uid, and the user's lines for libnss_wrapper.so, which is loaded into the servers. The user has the number of
# whoever runs the tests; where that is root, a number that this system gives to nobody, and the server runs under that number.
# Dropbear reads keys in the home directory only: it may be logged into by password, or with client_key
# when a test has put authorized_keys there.
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

# as_board DIR COMMAND...: become COMMAND, which knows the user of BOARD_USERS and may read DIR
as_board() {
	dir=$1
	shift
	[ -n "${BOARD_USERS:-}" ] || exec "$@"
	set -- env LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD="$BOARD_USERS/passwd" NSS_WRAPPER_GROUP="$BOARD_USERS/group" \
		NSS_WRAPPER_SHADOW="$BOARD_USERS/shadow" "$@"
	[ "$(id -u)" = 0 ] || exec "$@"
	uid=$(cat "$BOARD_USERS/uid")
	chown -R "$uid:$uid" "$dir"
	exec setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
}

make_user() {
	uid=$(id -u)
	[ "$uid" != 0 ] || uid=$((61000 + $$ % 4000))
	mkdir -p "$1/home"
	echo "$uid" >"$1/uid"
	echo "$2:x:$uid:$uid::$1/home:/bin/sh" >"$1/passwd"
	echo "$2:x:$uid:" >"$1/group"
	printf '%s\n' "$3" | openssl passwd -6 -stdin | sed "s|.*|$2:&:19000:0:99999:7:::|" >"$1/shadow"
	[ "$(id -u)" != 0 ] || chown "$uid:$uid" "$1/home" "$1/shadow"
	chmod 755 "$1"
	chmod 644 "$1/passwd" "$1/group" "$1/uid"
	chmod 700 "$1/home"
	chmod 600 "$1/shadow"
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
	as_board "$dir" "$(command -v sshd || echo /usr/sbin/sshd)" -D -e -f "$dir/config" "$@" >"$dir/log" 2>&1 </dev/null &
	echo $! >"$dir/pid"
}

start_dropbear() {
	dir=$1
	shift
	[ -f "$dir/host_key" ] || dropbearkey -t ed25519 -f "$dir/host_key" >/dev/null 2>&1
	as_board "$dir" "$(command -v dropbear || echo /usr/sbin/dropbear)" -F -E -r "$dir/host_key" \
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
user) make_user "$2" "$3" "$4" ;;
sysuser)
	insist useradd --no-create-home --home-dir "$4" --shell /bin/sh "$2" || fail "cannot make the user '$2'"
	set_password() { printf '%s:%s\n' "$1" "$2" | chpasswd; }
	insist set_password "$2" "$3" || fail "cannot give the user '$2' a password"
	;;
nosysuser)
	remove_user() { ! id "$1" >/dev/null 2>&1 || userdel "$1" 2>/dev/null; }
	insist remove_user "$2"
	;;
*) fail "usage: start|stop|rekey|user|sysuser|nosysuser; see the head of this file" ;;
esac
