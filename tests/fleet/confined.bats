#!/usr/bin/env bats
# confined.bats: msprof-publish with real servers: what it may reach, TLS, password files, and silence within a load.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup_file() {
	load helpers
	has_postgresql || return 0
	chmod 0711 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	# shellcheck disable=SC2086 # a compiler may have words
	${CC:-gcc} -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/escape.so" "$ROOT/tests/fault/escape.c"
	postgresql_start "$BATS_FILE_TMPDIR/pg"
	certificates
	echo "$PG_PID" >"$BATS_FILE_TMPDIR/pid"
	export PG_PORT PG_URL
	"$MSPROF" publish --to "$PG_URL" --init
	top "$BATS_FILE_TMPDIR/run1" 2 40
}

# The server gets TLS, with a certificate for localhost that an authority of the tests signs.
certificates() {
	local dir=$BATS_FILE_TMPDIR/pg/db
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout "$BATS_FILE_TMPDIR/ca.key" -out "$BATS_FILE_TMPDIR/ca.crt"
	openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$dir/server.key" -out "$BATS_FILE_TMPDIR/request"
	openssl x509 -req -days 2 -in "$BATS_FILE_TMPDIR/request" -CA "$BATS_FILE_TMPDIR/ca.crt" -CAkey "$BATS_FILE_TMPDIR/ca.key" -CAcreateserial -out "$dir/server.crt"
	chmod 0600 "$dir/server.key"
	[ "$(id -u)" != 0 ] || chown nobody:nogroup "$dir"/server.*
	chmod 0644 "$BATS_FILE_TMPDIR/ca.crt"
	echo 'ssl = on' >>"$dir/postgresql.conf"
	kill -HUP "$PG_PID"
	wait_until psql -X -c '' "postgresql://fleet@localhost:$PG_PORT/fleet?sslmode=require"
}

teardown_file() {
	load helpers
	[ ! -e "$BATS_FILE_TMPDIR/pid" ] || servers_end "$(cat "$BATS_FILE_TMPDIR/pid")"
}

setup() {
	has_postgresql || skip 'PostgreSQL or msprof-publish is not there: make deps-fleet'
	fleet_test
	fresh_home
	PG_PID=$(cat "$BATS_FILE_TMPDIR/pid")
}

# confined ARGUMENT...: at each byte that comes from a server, a file here, programs and sockets of this machine are out of reach.
confined() {
	rm -f "$BATS_TEST_TMPDIR/attempts"
	echo secret >"$BATS_TEST_TMPDIR/file"
	ESCAPE_FILE=$BATS_TEST_TMPDIR/file ESCAPE_REPORT=$BATS_TEST_TMPDIR/attempts LD_PRELOAD=$BATS_FILE_TMPDIR/escape.so expect 0 publish "$@"
	equal "$*: $(sort -u "$BATS_TEST_TMPDIR/attempts")" "$*: ${CONFINED:-confined}"
}

needs_sandbox() {
	! nm -D "$MSPROF" | grep -qE '__[at]san_init' || skip "a build with a sanitizer has no sandbox"
	python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)' || skip "the kernel has no landlock"
}

@test "PostgreSQL is read within the sandbox, from the first byte on" {
	needs_sandbox
	for what in --init -dir=$TOP --ask=slowest_ranks; do
		confined --to "$PG_URL" "$what"
	done
	confined --to "postgresql://fleet@localhost:$PG_PORT/fleet?sslmode=require" --ask slowest_ranks
	MSPROF_SANDBOX=off CONFINED='escaped: opened another file' confined --to "$PG_URL" --ask slowest_ranks
}

@test "ClickHouse is read within the sandbox, from the first byte on" {
	needs_sandbox
	has_clickhouse || skip 'ClickHouse is not there: make deps-fleet'
	clickhouse_start "$BATS_TEST_TMPDIR/ch" 1
	for what in --init -dir=$TOP --ask=slowest_ranks; do
		confined --to "$CH_URL" "$what"
	done
	servers_end "${CH_PIDS[@]}"
}

@test "TLS, and what it reads, within the sandbox: password files, authorities, certificates of clients" {
	unset PGPASSWORD
	echo "*:*:fleet:fleet:not-shown" >"$HOME/.pgpass"
	chmod 0600 "$HOME/.pgpass"
	mkdir "$HOME/.postgresql"
	url=postgresql://fleet@localhost:$PG_PORT/fleet
	expect 1 publish --to "$url?sslmode=verify-full" --ask slowest_ranks
	has "$stderr" root.crt
	expect 0 publish --to "$url?sslmode=verify-full&sslrootcert=$BATS_FILE_TMPDIR/ca.crt" -dir "$TOP"
	cp "$BATS_FILE_TMPDIR/ca.crt" "$HOME/.postgresql/root.crt"
	expect 0 publish --to "$url?sslmode=verify-full" -dir "$TOP" --tasks
	expect 1 publish --to "${url/localhost/127.0.0.1}?sslmode=verify-full" --ask slowest_ranks
	has "$stderr" 'server certificate for "localhost" does not match host name'
	# another machine, as far as the name tells, has TLS: nothing needs to be said
	expect 0 publish --to "${url/localhost/127.1}" -dir "$TOP"
	mv "$HOME/.pgpass" "$BATS_TEST_TMPDIR/words"
	PGPASSFILE=$BATS_TEST_TMPDIR/words expect 0 publish --to "$url" --ask slowest_ranks
	equal "$(PGPASSWORD=not-shown pg "SELECT count(*) FROM job WHERE run = 'run1'")" 2
}

@test "HTTPS, within the sandbox: who the server is is looked up" {
	port=$(free_ports 1)
	openssl s_server -quiet -www -accept "127.0.0.1:$port" -cert "$BATS_FILE_TMPDIR/ca.crt" -key "$BATS_FILE_TMPDIR/ca.key" 3>&- &
	server=$!
	wait_until listens "$port"
	expect 1 publish --to "clickhouse://fleet@localhost:$port/fleet?secure=1" --ask slowest_ranks
	kill "$server"
	has "$stderr" 'SSL certificate problem: self'
}

listens() { (exec 9<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

@test "a server that stops in the middle of a load is given up, and nothing of the load is seen" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_LARGE" --tasks 600000 >/dev/null
	expect 0 publish --to "$PG_URL" -dir "$TOP"
	MSPROF_MAX_SILENCE=3 "$MSPROF" publish --to "$PG_URL" -dir "$BATS_TEST_TMPDIR/PROF_LARGE" --tasks 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	pid=$!
	wait_until copying
	stopped=$(pg 'SELECT pid FROM pg_stat_progress_copy')
	kill -STOP "$stopped"
	! wait "$pid" || fail 'the silence was not noticed'
	kill -CONT "$stopped"
	has "$(cat "$BATS_TEST_TMPDIR/err")" 'no answer, or next to none, for 3 s' 'nothing of the job is stored'
	wait_until gone
	equal "$(pg 'SELECT count(*), (SELECT count(*) FROM task) FROM job')" '2|0'
}

copying() { [ "$(pg "SELECT count(*) FROM pg_stat_progress_copy WHERE relid = 'task'::regclass AND tuples_processed > 1000")" -gt 0 ]; }
gone() { [ "$(pg "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'msprof'")" = 0 ]; }
