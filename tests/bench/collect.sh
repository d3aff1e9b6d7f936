#!/bin/bash
# collect.sh: the transfers of collect beside OpenSSH's clients, over a private sshd on loopback; see docs/PERFORMANCE.md.
# BIG_MIB, FILES and ROUNDS choose the size; BENCH_DIR the place: in memory (/dev/shm) the disk plays no part.
# DELAY_US is what the proxy adds to a round trip. Needs 5 times BIG_MIB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-build}
BIG_MIB=${BIG_MIB:-1024} FILES=${FILES:-10000} ROUNDS=${ROUNDS:-3} DELAY_US=${DELAY_US:-500}
dir=$(mktemp -d "${BENCH_DIR:-${TMPDIR:-/tmp}}/msprof-bench-XXXXXX")
bare=$BUILD/tests/bare sshd=$here/../board/sshd.sh
export LC_ALL=C HOME=$dir/home XFER_ACCEPT=1
unset SSH_AUTH_SOCK
user=$(id -un)
proxy_pid=

finish() {
	[ -z "$proxy_pid" ] || kill "$proxy_pid" 2>/dev/null || :
	"$sshd" stop "$dir/server"
	[ "$user" = "$(id -un)" ] || userdel "$user"
	rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The shell of a plain user starts at once; what root's reads at its start would be measured as well.
if [ "$(id -u)" = 0 ]; then
	user=msprof$$
	useradd --password '*' --no-create-home --home-dir / --shell /bin/sh "$user"
fi

# ---------------------------------------------------------------- what is moved

mkdir "$dir/home" "$dir/big" "$dir/many" "$dir/board" "$dir/out"
chmod 755 "$dir"
mkdir -p "$dir/board/JOBBIG/data" "$dir/board/JOBMANY/data" "$dir/many/data"
head -c "${BIG_MIB}M" /dev/urandom >"$dir/big/big.bin"
head -c "$((FILES * 10240))" "$dir/big/big.bin" | (cd "$dir/many/data" && split -a 5 -d -b 10240 - slice_)
ln "$dir/big/big.bin" "$dir/board/JOBBIG/data/big.bin"
cp -al "$dir/many/data" "$dir/board/JOBMANY/"
chmod -R a+rX "$dir/board" "$dir/big" "$dir/many"
big_bytes=$((BIG_MIB * 1048576)) many_bytes=$((FILES * 10240))

direct=$("$sshd" start openssh "$dir/server")
chmod 644 "$dir/server/authorized_keys"

# The same board by either port: $1
write_ini() {
	printf '[ssh_config]\nip=127.0.0.1\nport=%s\nusername=%s\nkey=%s\n' "$1" "$user" "$dir/server/client_key" >"$dir/$1.ini"
	chmod 600 "$dir/$1.ini"
}
write_ini "$direct"

# ---------------------------------------------------------------- measuring

# How busy everything else is, in percent of the machine, over a second.
others() {
	awk '/^cpu / {idle=$5+$6; all=0; for (i=2; i<=9; i++) all+=$i; print idle, all}' /proc/stat >"$dir/stat"
	sleep 1
	awk '/^cpu / {idle=$5+$6; all=0; for (i=2; i<=9; i++) all+=$i; print idle, all}' /proc/stat >>"$dir/stat"
	awk 'NR==1 {i=$1; a=$2} NR==2 {printf "%.0f", 100*(1-($1-i)/($2-a))}' "$dir/stat"
}

# One run of the shell command $2, from a clean target; its time goes to the file $1.
once() {
	rm -rf "$out" "$in"
	mkdir "$out" "$in"
	chown "$user" "$in"
	"$bare" time bash -c "exec >>'$dir/log' 2>&1; $2" >>"$1" || {
		echo "failed: $2" >&2
		tail -n 5 "$dir/log" >&2
		exit 1
	}
}

median() { sort -n "$1" | awk '{w[NR]=$1} END {print w[int((NR+1)/2)]}'; }

# WORK BYTES TITLE NAME COMMAND...: all in turn, ROUNDS times, then a row for each; the times stay in times/WORK/NAME.
duel() {
	local times=$dir/times/$1 bytes=$2 title=$3 names=() commands=() i
	shift 3
	while [ $# -gt 0 ]; do
		names+=("$1") commands+=("$2")
		shift 2
	done
	mkdir -p "$times"
	printf '%s (before it, others used %s %% of the machine)\n' "$title" "$(others)"
	for ((i = 0; i < ROUNDS * ${#names[@]}; i++)); do
		once "$times/${names[i % ${#names[@]}]}" "${commands[i % ${#names[@]}]}"
	done
	for i in "${names[@]}"; do
		sort -n "$times/$i" | awk -v name="$i" -v bytes="$bytes" '{w[NR]=$1} $2>m {m=$2}
			END {t=w[int((NR+1)/2)]; printf "  %-22s %7.2f s  (%.2f to %.2f) %7.0f MB/s %6.1f MiB\n",
				name, t, w[1], w[NR], bytes/t/1e6, m/1024}'
	done
}

# WORK/NAME WORK/NAME GOAL
compare() {
	printf '    %-26s / %-22s %5s (goal: at most %s)\n' "$1" "$2" \
		"$(awk "BEGIN {printf \"%.2f\", $(median "$dir/times/$1")/$(median "$dir/times/$2")}")" "$3"
}

# ---------------------------------------------------------------- the work

big=$dir/board/JOBBIG many=$dir/board/JOBMANY in=$dir/board/in out=$dir/out

# By the port $1; $2 is added to the names of the work, $3 to the titles.
transfers() {
	local xfer="exec $BUILD/tests/board/xfer" ini=$dir/$1.ini
	local options="-q -F none -i $dir/server/client_key -o BatchMode=yes -o StrictHostKeyChecking=no"
	options+=" -o UserKnownHostsFile=$dir/known"
	local ssh="ssh $options -p $1 $user@127.0.0.1" sftp="sftp $options -P $1"

	duel "pull-big$2" "$big_bytes" "pull of one file of $BIG_MIB MiB$3" \
		tar "$xfer -w tar $ini pull $big $out" sftp "$xfer -w sftp $ini pull $big $out" \
		openssh-sftp "echo get $big/data/big.bin $out/ | $sftp $user@127.0.0.1" \
		openssh-sftp-gcm "echo get $big/data/big.bin $out/ | $sftp -c aes128-gcm@openssh.com $user@127.0.0.1"
	duel "push-big$2" "$big_bytes" "push of one file of $BIG_MIB MiB$3" \
		tar "$xfer -w tar $ini push $dir/big $in" sftp "$xfer -w sftp $ini push $dir/big $in" \
		openssh-sftp "echo put $dir/big/big.bin $in/ | $sftp $user@127.0.0.1" \
		openssh-sftp-gcm "echo put $dir/big/big.bin $in/ | $sftp -c aes128-gcm@openssh.com $user@127.0.0.1"
	duel "pull-many$2" "$many_bytes" "pull of $FILES files of 10 KiB$3" \
		tar "$xfer -w tar $ini pull $many $out" sftp "$xfer -w sftp $ini pull $many $out" \
		ssh-tar "$ssh 'cd $many && tar cf - .' | tar xf - -C $out"
	duel "push-many$2" "$many_bytes" "push of $FILES files of 10 KiB$3" \
		tar "$xfer -w tar $ini push $dir/many $in" sftp "$xfer -w sftp $ini push $dir/many $in" \
		ssh-tar "tar cf - -C $dir/many . | $ssh 'cd $in && tar xf -'"
	[ -n "$2" ] || for way in pull push; do # one file after the other: with a round trip more, that takes ages
		local verb="get -r $many $out/"
		[ "$way" = pull ] || verb="put -r $dir/many/data $in/"
		duel "$way-many" "$many_bytes" "$way of the same with OpenSSH's sftp -r" \
			openssh-sftp "echo $verb | $sftp $user@127.0.0.1"
	done
}

transfers "$direct" "" ""
"$BUILD/tests/board/proxy" --delay-us "$DELAY_US" --life 3600 "$direct" >"$dir/proxied" &
proxy_pid=$!
until [ -s "$dir/proxied" ]; do sleep 0.05; done
proxied=$(cat "$dir/proxied")
write_ini "$proxied"
transfers "$proxied" "-far" ", $DELAY_US us a round trip more"

echo "ratios of the medians"
for way in pull push; do
	for transport in tar sftp; do
		compare "$way-big/$transport" "$way-big/openssh-sftp" 1
		compare "$way-big-far/$transport" "$way-big/openssh-sftp" 1.3
		compare "$way-many/$transport" "$way-many/openssh-sftp" 1
		compare "$way-many/$transport" "$way-many/ssh-tar" 1
		compare "$way-many-far/$transport" "$way-many/ssh-tar" 1.3
	done
done

echo 'the second and the third push of an unchanged project must send no file'
rm -rf "$in" && mkdir "$in" && chown "$user" "$in"
for way in tar sftp tar; do
	"$BUILD/tests/board/xfer" -w "$way" "$dir/$direct.ini" push "$dir/many" "$in"
done | sed 's/^/  /'
awk '$2>m {m=$2} END {printf "the largest RSS of all transfers: %.1f MiB (goal: at most 64)\n", m/1024}' \
	"$dir"/times/*/tar "$dir"/times/*/sftp
