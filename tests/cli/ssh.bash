# shellcheck shell=bash disable=SC2034 # the tests use what is set here
# ssh.bash: shared by the tests of collect over SSH: an OpenSSH and a dropbear server of their own on loopback, and a
# user who logs in to both of them. Use with
#
#     load ssh
#     setup_file() { start_servers; }
#     teardown_file() { stop_servers; }
#     setup() { fresh_board; }
#
# A test goes through the servers with: for server in $SERVERS; do board "$server"; ...; done

load helpers
load helpers/board

PWD_OF_BOARD='s3cret;#" '\''$(x)=ü'

# Sets SERVERS to the installed servers, and WHY_NOT to the reason why none can run.
find_servers() {
	SERVERS=
	PATH=$PATH:/usr/sbin
	command -v sshd >/dev/null && SERVERS=openssh
	if command -v dropbear >/dev/null; then SERVERS="$SERVERS dropbear"; fi
	find_board_users
	[ -n "$SERVERS" ] || WHY_NOT="no SSH server is installed"
	[ -z "$WHY_NOT" ] || SERVERS=''
	export PATH SERVERS WHY_NOT
}

start_servers() {
	local server
	find_servers
	[ -z "$WHY_NOT" ] || return 0
	BOARD_USER=msprof$$
	make_board_user "$PWD_OF_BOARD"
	for server in $SERVERS; do
		start_server "$server"
	done
}

# Keys are looked up where dropbear looks, in the user's home; the tests' own files may be closed to him.
options_of() {
	OPTIONS=()
	[ "${1%%.*}" = dropbear ] || OPTIONS=(-o AuthorizedKeysFile=.ssh/authorized_keys)
}

# start_server NAME [OPTION...]: NAME is openssh or dropbear, with what makes it another one behind a dot
start_server() {
	local name=$1
	shift
	options_of "$name"
	"$SSHD" start "${name%%.*}" "$BATS_FILE_TMPDIR/$name" "${OPTIONS[@]}" "$@" >/dev/null 3>&-
}

# start_server_in MOUNTS NAME [OPTION...]: in a world of its own, where the shell commands MOUNTS were run first
start_server_in() {
	local mounts=$1 name=$2
	shift 2
	options_of "$name"
	private_mounts sh -c "$mounts; exec \"\$0\" \"\$@\"" "$SSHD" start "${name%%.*}" "$BATS_FILE_TMPDIR/$name" \
		"${OPTIONS[@]}" "$@" \
		>/dev/null 3>&-
}

stop_servers() {
	local dir
	[ -n "${BOARD_USER:-}" ] || return 0
	for dir in "$BATS_FILE_TMPDIR"/*/pid; do
		if [ -e "$dir" ]; then "$SSHD" stop "${dir%/pid}"; fi
	done
	kill_board
}

# A project in $APP, an empty board, results in $OUT, and a home without known hosts.
fresh_board() {
	fresh_job
	[ -z "$WHY_NOT" ] || skip "$WHY_NOT"
	HOME=$BATS_TEST_TMPDIR/home
	APP=$BATS_TEST_TMPDIR/app
	PLACE=$BOARD_HOME/msprof/app
	INI=$BATS_TEST_TMPDIR/board.ini
	export HOME
	unset SSH_AUTH_SOCK SSH_AGENT_PID
	mkdir -p "$HOME" "$APP/out"
	cp "$HELPERS/fakeboard.sh" "$APP/out/main"
	cp -rp "$JOB" "$APP/sample"
	echo weights >"$APP/model.om"
	JOB_THERE=../sample
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	[ -n "$WHY_NOT" ] || kill_board # a failed test must not disturb the next
}

# board SERVER [LINE...]: begin anew with this one; $INI is made, with LINEs for its password unless some are given
board() {
	SERVER=$1
	shift
	echo "# $SERVER"
	[ $# -gt 0 ] || set -- "pwd = $PWD_OF_BOARD"
	PORT=$(cat "$BATS_FILE_TMPDIR/$SERVER/port")
	OUT=$BATS_TEST_TMPDIR/results_$SERVER
	discard "$BOARD_HOME/msprof" "$OUT"
	trust
	ini "$INI" "$@"
}

# ini FILE LINE...: of the board
ini() {
	local file=$1
	shift
	printf '%s\n' '[ssh_config]' 'ip = 127.0.0.1' "username = $BOARD_USER" "port = $PORT" "$@" >"$file"
	chmod 600 "$file"
}

fingerprint() {
	if [ "${SERVER%%.*}" = openssh ]; then
		ssh-keygen -lf "$BATS_FILE_TMPDIR/$SERVER/host_key.pub" | cut -d' ' -f2
	else
		dropbearkey -y -f "$BATS_FILE_TMPDIR/$SERVER/host_key" | grep ^ssh- | ssh-keygen -lf - | cut -d' ' -f2
	fi
}

# The server's key into known_hosts.
trust() {
	mkdir -p "$HOME/.ssh"
	if [ "${SERVER%%.*}" = openssh ]; then
		cut -d' ' -f1,2 "$BATS_FILE_TMPDIR/$SERVER/host_key.pub"
	else
		dropbearkey -y -f "$BATS_FILE_TMPDIR/$SERVER/host_key" | grep ^ssh- | cut -d' ' -f1,2
	fi | sed "s/^/[127.0.0.1]:$PORT /" >"$HOME/.ssh/known_hosts"
}

# collect STATUS WORDS OPTION...
collect() {
	local want=$1 words=$2
	shift 2
	expect "$want" collect --config "$INI" --output "$OUT" -m "$APP/out/main $words" "$@"
}

the_job() {
	echo "$OUT"/JOB*
}

# Start a collection in the background, its pid in $collector: begin WORDS OPTION...
begin() {
	local words=$1
	shift
	rm -f "$BATS_TEST_TMPDIR/stdout" "$BATS_TEST_TMPDIR/stderr"
	"$MSPROF" collect --config "$INI" --output "$OUT" -m "$APP/out/main $words" "$@" >"$BATS_TEST_TMPDIR/stdout" \
		2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
	collector=$!
}

ends_with() {
	local status=0
	wait "$collector" || status=$?
	stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
	[ "$status" -eq "$1" ] || fail "ended with $status, not $1: $stderr"
}

# Until a program that hangs has written its job and its process group is known.
until_running() {
	until_true test -s "$PLACE/.msprof.group"
	until_true grep -q "all is written" "$BATS_TEST_TMPDIR/stdout"
}

# Checks the board and the results after a collection.
board_is_clean() {
	board_is_cleared && { [ ! -e "$OUT/.msprof.lock" ] || fail "the lock of the results is left"; }
}

# Checks the board alone, also after a collection that was killed.
board_is_cleared() {
	local left=''
	until_true nothing_runs || return
	[ ! -e "$PLACE" ] || left=$(find "$PLACE" -name '.msprof*' ! -name .msprof.source)
	[ -z "$left" ] || fail "left on the board: $left" || return
	if [ -e "$APP/out/acl.json" ]; then
		[ ! -e "$PLACE/out/acl.json" ] || cmp "$APP/out/acl.json" "$PLACE/out/acl.json"
	else
		[ ! -e "$PLACE/out/acl.json" ] || fail "acl.json is left"
	fi
}
