# shellcheck shell=bash
# shellcheck disable=SC2034 # tests use PG_PID, CH_PIDS and the URLs
# servers.bash: PostgreSQL and ClickHouse of the tests: ordinary processes of an ordinary user, on free loopback ports, with all files
# in a scratch directory. They end by their process ids; the system's services are never touched.

# Root becomes nobody: a server refuses root.
AS_USER=()
[ "$(id -u)" != 0 ] || AS_USER=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)

# free_ports N: N ports that nobody listens on.
free_ports() {
	python3 - "$1" <<-'PY'
		import socket, sys
		held = [socket.socket() for _ in range(int(sys.argv[1]))]
		for s in held:
		    s.bind(("127.0.0.1", 0))
		print(*(s.getsockname()[1] for s in held))
	PY
}

# wait_until COMMAND...: at most half a minute.
wait_until() {
	local _
	for _ in {1..300}; do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "still not: $*" >&2
	return 1
}

postgresql_bin() {
	local bin
	for bin in /usr/lib/postgresql/*/bin; do
		[ ! -x "$bin/initdb" ] || { echo "$bin" && return; }
	done
	return 1
}

has_postgresql() { postgresql_bin >/dev/null && [ -x "$BUILD/msprof-publish" ]; }
has_clickhouse() { command -v clickhouse-server >/dev/null && [ -x "$BUILD/msprof-publish" ]; }

# postgresql_run DIR: start the server whose files lie in DIR, as PG_PID.
postgresql_run() {
	"${AS_USER[@]}" "$(postgresql_bin)/postgres" -D "$1/db" -p "$PG_PORT" -k '' -c listen_addresses=127.0.0.1 -c max_wal_size=4GB \
		>>"$1/log" 2>&1 </dev/null 3>&- &
	PG_PID=$!
	wait_until "$(postgresql_bin)/pg_isready" -h 127.0.0.1 -p "$PG_PORT"
}

# postgresql_start DIR: a new server with the database fleet and the user fleet; PG_URL, PG_PORT and PG_PID.
postgresql_start() {
	mkdir "$1" && { [ "$(id -u)" != 0 ] || chown nobody:nogroup "$1"; } || return
	printf 'not-shown' >"$1.password"
	chmod 0644 "$1.password"
	"${AS_USER[@]}" "$(postgresql_bin)/initdb" -D "$1/db" -U fleet --auth=scram-sha-256 --pwfile="$1.password" \
		-E UTF8 --no-locale --no-sync >"$1.init" 2>&1 || return
	PG_PORT=$(free_ports 1)
	export PGPASSWORD=not-shown
	postgresql_run "$1" || return
	PG_URL=postgresql://fleet@127.0.0.1:$PG_PORT/fleet
	"$(postgresql_bin)/createdb" -h 127.0.0.1 -p "$PG_PORT" -U fleet fleet
}

# pg SQL: unaligned rows.
pg() { psql -X -q -At -v ON_ERROR_STOP=1 -c 'SET search_path TO msprof' -c "$1" "$PG_URL"; }

clickhouse_config() { # DIR SHARD
	local shard=$2
	cat <<-XML
		<yandex>
		<logger><level>warning</level><log>$1/log</log><errorlog>$1/errors</errorlog><size>10M</size><count>1</count></logger>
		<listen_host>127.0.0.1</listen_host>
		<http_port>${CH_HTTP[shard]}</http_port><tcp_port>${CH_TCP[shard]}</tcp_port>
		<interserver_http_port>${CH_INTER[shard]}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
		<path>$1/data/</path><tmp_path>$1/tmp/</tmp_path><user_files_path>$1/files/</user_files_path>
		<format_schema_path>$1/formats/</format_schema_path>
		<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
		<mark_cache_size>67108864</mark_cache_size><max_concurrent_queries>100</max_concurrent_queries>
		<remote_servers><fleet>
		$(printf '<shard><replica><host>127.0.0.1</host><port>%s</port><user>fleet</user>%s</replica></shard>\n' \
			"${CH_TCP[0]}" '<password>not-shown</password>' ${CH_TCP[1]:+"${CH_TCP[1]}" '<password>not-shown</password>'})
		</fleet></remote_servers>
		</yandex>
	XML
}

clickhouse_users() {
	cat <<-XML
		<yandex>
		<profiles><default><max_memory_usage>${CH_MEMORY:-2000000000}</max_memory_usage>
		<max_rows_to_read>${CH_ROWS:-0}</max_rows_to_read></default></profiles>
		<users><fleet>
		<password>not-shown</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
		</fleet></users>
		<quotas><default></default></quotas>
		</yandex>
	XML
}

# clickhouse_run DIR SHARD: start the server of a shard, as CH_PIDS[SHARD].
clickhouse_run() {
	(cd "$1" && exec "${AS_USER[@]}" clickhouse-server --config-file="$1/config.xml" >>"$1/out" 2>&1 </dev/null 3>&-) &
	CH_PIDS[$2]=$!
	wait_until curl -sf "http://127.0.0.1:${CH_HTTP[$2]}/ping"
}

# clickhouse_start DIR SHARDS: new servers; CH_URL, CH_HTTP and CH_PIDS.
clickhouse_start() {
	local shard dir
	read -ra CH_HTTP < <(free_ports "$2")
	read -ra CH_TCP < <(free_ports "$2")
	read -ra CH_INTER < <(free_ports "$2")
	CH_PIDS=()
	export MSPROF_CLICKHOUSE_PASSWORD=not-shown
	for ((shard = 0; shard < $2; shard++)); do
		dir=$1.$shard
		mkdir "$dir" "$dir"/{data,tmp,files,formats} || return
		clickhouse_config "$dir" "$shard" >"$dir/config.xml"
		clickhouse_users >"$dir/users.xml"
		[ "$(id -u)" != 0 ] || chown -R nobody:nogroup "$dir"
		clickhouse_run "$dir" "$shard" || return
	done
	CH_URL=$(printf ',127.0.0.1:%s' "${CH_HTTP[@]}")
	CH_URL="clickhouse://fleet@${CH_URL:1}/fleet?cluster=fleet"
}

# servers_note: what a test needs to source, in a function, too.
servers_note() { declare -p CH_HTTP CH_TCP CH_INTER CH_PIDS CH_URL | sed 's/^declare --/declare -g/; s/^declare -a/declare -ga/'; }

# ch SQL [SHARD]: unaligned rows.
ch() {
	curl -sSf -H 'X-ClickHouse-User: fleet' -H 'X-ClickHouse-Key: not-shown' --data-binary "$1" \
		"http://127.0.0.1:${CH_HTTP[${2:-0}]}/?database=fleet${CH_SETTINGS:-}"
}

# servers_end PID...: end servers, and wait for them.
servers_end() {
	local pid
	for pid; do
		kill "$pid" 2>/dev/null || continue
		wait_until eval "! kill -0 $pid"
	done
}
