#!/bin/bash
# collect.sh: the transfers of collect beside OpenSSH's clients, over a private sshd on loopback; see docs/PERFORMANCE.md.
# BIG_MIB, FILES and ROUNDS choose the size; BENCH_DIR the place: in memory (/dev/shm) the disk plays no part.
# DELAY_US is what the proxy adds to a round trip. Needs 5 times BIG_MIB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-build}
BIG_MIB=${BIG_MIB:-1024} FILES=${FILES:-10000} ROUNDS=${ROUNDS:-3} DELAY_US=${DELAY_US:-500}
# shellcheck source=tests/scratch.bash
. "$here/../scratch.bash"
TMPDIR=${BENCH_DIR:-${TMPDIR:-/tmp}} scratch_make
dir=$MSPROF_SCRATCH
bare=$BUILD/tests/bare sshd=$here/../board/sshd.sh
scratch_home "$dir"
export LC_ALL=C XFER_ACCEPT=1
unset SSH_AUTH_SOCK
user=bench
proxy_pid=

finish() {
	[ -z "$proxy_pid" ] || kill "$proxy_pid" 2>/dev/null || :
	"$sshd" stop "$dir/server"
	scratch_remove
}
trap finish EXIT
trap 'exit 130' INT TERM

# The shell of a plain user starts at once; what root's reads at its start would be measured as well.
"$sshd" user "$dir/users" "$user" "$(od -An -N12 -tx1 /dev/urandom | tr -d ' ')"
export BOARD_USERS=$dir/users
uid=$(cat "$dir/users/uid")

# ---------------------------------------------------------------- what is moved

mkdir "$dir/big" "$dir/many" "$dir/board" "$dir/out"
chmod 755 "$dir"
mkdir -p "$dir/board/JOBBIG/data" "$dir/board/JOBMANY/data" "$dir/many/data"
head -c "${BIG_MIB}M" /dev/urandom >"$dir/big/big.bin"
head -c "$((FILES * 10240))" "$dir/big/big.bin" | (cd "$dir/many/data" && split -a 5 -d -b 10240 - slice_)
ln "$dir/big/big.bin" "$dir/board/JOBBIG/data/big.bin"
cp -al "$dir/many/data" "$dir/board/JOBMANY/"
chmod -R a+rX "$dir/board" "$dir/big" "$dir/many"
big_bytes=$((BIG_MIB * 1048576)) many_bytes=$((FILES * 10240))

# sftp-server must know the user, as the server does
direct=$("$sshd" start openssh "$dir/server" \
	-o "SetEnv=LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD=$BOARD_USERS/passwd NSS_WRAPPER_GROUP=$BOARD_USERS/group")
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
	discard "$out" "$in"
	mkdir "$out" "$in"
	chown "$uid" "$in"
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

# WORK NAME NAME GOAL
compare() {
	printf '  %-10s %-9s / %-15s %5s (goal: at most %s)\n' "$1" "$2" "$3" \
		"$(awk "BEGIN {printf \"%.2f\", $(median "$dir/times/$1/$2")/$(median "$dir/times/$1/$3")}")" "$4"
}

# ---------------------------------------------------------------- the work

big=$dir/board/JOBBIG many=$dir/board/JOBMANY in=$dir/board/in out=$dir/out

"$BUILD/tests/board/proxy" --delay-us "$DELAY_US" --life 3600 "$direct" >"$dir/proxied" &
proxy_pid=$!
until [ -s "$dir/proxied" ]; do sleep 0.05; done
far=$(cat "$dir/proxied")
write_ini "$far"

# The references as a user would type them. $1: the port
options="-q -F none -i $dir/server/client_key -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=$dir/known"
ssh() { echo "ssh $options -p $1 $user@127.0.0.1"; }
sftp() { echo "sftp $options ${2-} -P $1 $user@127.0.0.1"; }
gcm='-c aes128-gcm@openssh.com' # the cipher that collect prefers
# $1: tar or sftp, $2: the port, then the verb and its arguments
xfer() { echo "exec $BUILD/tests/board/xfer -w $1 $dir/$2.ini ${*:3}"; }

duel pull-big "$big_bytes" "pull of one file of $BIG_MIB MiB; far: $DELAY_US us a round trip more" \
	tar "$(xfer tar "$direct" pull "$big" "$out")" sftp "$(xfer sftp "$direct" pull "$big" "$out")" \
	openssh-sftp "echo get $big/data/big.bin $out/ | $(sftp "$direct")" \
	openssh-sftp-gcm "echo get $big/data/big.bin $out/ | $(sftp "$direct" "$gcm")" \
	tar-far "$(xfer tar "$far" pull "$big" "$out")" sftp-far "$(xfer sftp "$far" pull "$big" "$out")" \
	openssh-sftp-far "echo get $big/data/big.bin $out/ | $(sftp "$far")"
duel push-big "$big_bytes" "push of the same" \
	tar "$(xfer tar "$direct" push "$dir/big" "$in")" sftp "$(xfer sftp "$direct" push "$dir/big" "$in")" \
	openssh-sftp "echo put $dir/big/big.bin $in/ | $(sftp "$direct")" \
	openssh-sftp-gcm "echo put $dir/big/big.bin $in/ | $(sftp "$direct" "$gcm")" \
	tar-far "$(xfer tar "$far" push "$dir/big" "$in")" sftp-far "$(xfer sftp "$far" push "$dir/big" "$in")" \
	openssh-sftp-far "echo put $dir/big/big.bin $in/ | $(sftp "$far")"
# sftp -r takes one file after the other: with a round trip more that would take ages
duel pull-many "$many_bytes" "pull of $FILES files of 10 KiB" \
	tar "$(xfer tar "$direct" pull "$many" "$out")" sftp "$(xfer sftp "$direct" pull "$many" "$out")" \
	ssh-tar "$(ssh "$direct") 'cd $many && tar cf - .' | tar xf - -C $out" \
	openssh-sftp-r "echo get -r $many $out/ | $(sftp "$direct")" \
	tar-far "$(xfer tar "$far" pull "$many" "$out")" sftp-far "$(xfer sftp "$far" pull "$many" "$out")" \
	ssh-tar-far "$(ssh "$far") 'cd $many && tar cf - .' | tar xf - -C $out"
duel push-many "$many_bytes" "push of the same" \
	tar "$(xfer tar "$direct" push "$dir/many" "$in")" sftp "$(xfer sftp "$direct" push "$dir/many" "$in")" \
	ssh-tar "tar cf - -C $dir/many . | $(ssh "$direct") 'cd $in && tar xf -'" \
	openssh-sftp-r "echo put -r $dir/many/data $in/ | $(sftp "$direct")" \
	tar-far "$(xfer tar "$far" push "$dir/many" "$in")" sftp-far "$(xfer sftp "$far" push "$dir/many" "$in")" \
	ssh-tar-far "tar cf - -C $dir/many . | $(ssh "$far") 'cd $in && tar xf -'"

echo "ratios of the medians"
for way in pull push; do
	for transport in tar sftp; do
		compare "$way-big" "$transport" openssh-sftp 1
		compare "$way-big" "$transport-far" openssh-sftp 1.3
		compare "$way-many" "$transport" openssh-sftp-r 1
		compare "$way-many" "$transport" ssh-tar 1
		compare "$way-many" "$transport-far" ssh-tar 1.3
	done
done

echo 'the second and the third push of an unchanged project must send no file'
discard "$in" && mkdir "$in" && chown "$uid" "$in"
for way in tar sftp tar; do
	"$BUILD/tests/board/xfer" -w "$way" "$dir/$direct.ini" push "$dir/many" "$in"
done | sed 's/^/  /'
awk '$2>m {m=$2} END {printf "the largest RSS of all transfers: %.1f MiB (goal: at most 64)\n", m/1024}' \
	"$dir"/times/*/tar* "$dir"/times/*/sftp*
