#!/usr/bin/env bats
# collect_mount.bats: msprof collect --mount. The board's mount and umount are replacements that record their arguments and
# bind the directory in a name space of its own, so that the board really writes into it; NFS itself is not used.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	needs_mounts
	fresh_job
	# the board's home: the path of a mount in it must be one that acl.json takes
	plain_dir board
	HOME=$PLAIN_DIR
	APP=$BATS_TEST_TMPDIR/app
	OUT=$BATS_TEST_TMPDIR/results
	SERVED=$BATS_TEST_TMPDIR/served
	PLACE=$HOME/msprof/app
	FAKE_MOUNT_LOG=$BATS_TEST_TMPDIR/mounts
	export HOME APP OUT SERVED FAKE_MOUNT_LOG
	mkdir -p "$APP/out" "$SERVED" "$BATS_TEST_TMPDIR/bin"
	touch "$FAKE_MOUNT_LOG"
	cp "$HELPERS/fakeboard.sh" "$APP/out/main"
	ln -s "$HELPERS/fakemount.sh" "$BATS_TEST_TMPDIR/bin/mount"
	ln -s "$HELPERS/fakemount.sh" "$BATS_TEST_TMPDIR/bin/umount"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	if [ -s "${PLACE:-}/.msprof.group" ]; then kill -KILL "-$(cat "$PLACE/.msprof.group")" || true; fi
}

# collect STATUS WORDS OPTION...: $mounted is what is mounted in the end
collect() {
	local want=$1 words=$2
	shift 2
	run --separate-stderr private_mounts sh -c 'h=$1; shift; "$@"; s=$?; grep " $h/" /proc/mounts >left; exit $s' sh \
		"$HOME" "$MSPROF" collect --local --output "$OUT" -m "$APP/out/main $words" "$@"
	[ "$status" -eq "$want" ] || fail "ended with $status, not $want: $stderr"
}

# In the background; $collector is msprof itself, $waiter the process to wait for.
begin() {
	local words=$1
	shift
	rm -f pid stdout stderr
	private_mounts sh -c 'echo $$ >pid; exec "$@"' sh "$MSPROF" collect --local --output "$OUT" \
		-m "$APP/out/main $words" "$@" >stdout 2>stderr 3>&- &
	waiter=$!
	until_true test -s pid
	collector=$(cat pid)
}

ends_with() {
	local status=0
	wait "$waiter" || status=$?
	equal "$status" "$1"
}

# Waits until a program that hangs has written its job.
until_running() {
	until_true grep -q "all is written" stdout
}

# tried_to_unmount COUNT
tried_to_unmount() {
	[ "$(grep -c "^umount <$HOME/profiling>" "$FAKE_MOUNT_LOG")" -eq "$1" ]
}

ended() {
	[ -z "$(find "$PLACE" -name '.msprof*' ! -name .msprof.source)" ]
}

# The two calls, in full: the guide's command, and its end.
mounted_once() {
	equal "$(cat "$FAKE_MOUNT_LOG")" "mount <-t> <nfs> <-o> <nolock,tcp> <127.0.0.1:$1> <$HOME/profiling>
umount <$HOME/profiling>"
}

@test "the board writes into the mount, and is unmounted" {
	collect 0 "--job $JOB --name JOBM" --mount "$SERVED"
	has "$stderr" "mounted '$SERVED' at '$HOME/profiling'" "MiB are free on '$SERVED'" "fetched JOBM"
	equal "$(jq -r .profiler.output "$PLACE/out/seen.json")" "$HOME/profiling"
	diff -r "$SERVED/JOBM" "$JOB"
	diff -r "$OUT/JOBM" "$JOB"
	[ -z "$(ls -A "$HOME/profiling")" ] # all went into the mount
	mounted_once "$SERVED"
	equal "$(cat left)" ""
	ended
}

@test "a mount of the output directory itself: nothing is copied" {
	mkdir -m 750 "$OUT"
	collect 0 "--job $JOB --name JOBM" --mount "$OUT" --all
	has "$stderr" "JOBM came through the mount"
	lacks "$stderr" warning
	[ -s "$OUT/JOBM/sqlite/msprof.db" ]
}

@test "several runs write into one mount; the JOB of a warm-up is gone from there" {
	load helpers/repeat
	several_runs "--job $JOB"
	mkdir -m 750 "$OUT"
	collect 0 "" --mount "$OUT" --repeat 2 --discard 1
	equal "$(runs_made) $(results)" "3 JOBRUN2 JOBRUN3"
	has "$stderr" "JOBRUN1 of the warm-up is removed from the board" "JOBRUN2 came through the mount" "JOBRUN3 came through the mount"
	diff -r "$OUT/JOBRUN2" "$JOB"
	mounted_once "$OUT"
	ended
}

@test "paths with quotes, blanks and dollars are names" {
	bad="$BATS_TEST_TMPDIR/a b'c\"d\$(touch x)\`touch x\`;touch x:e,f*"
	mkdir "$bad"
	collect 0 "--job $JOB --name JOBM" --mount "$bad"
	diff -r "$bad/JOBM" "$JOB"
	mounted_once "$bad"
	equal "$(find "$BATS_TEST_TMPDIR" "$HOME" -name x)" ""
	expect 2 collect --local -m "$APP/out/main" --mount "$(printf '/a\nb')"
	has "$stderr" "control characters"
	expect 2 collect --local -m "$APP/out/main" --mount srv
	has "$stderr" "absolute path"
}

@test "when the mount fails the reason is said, and the data fetched from the board" {
	touch "$FAKE_MOUNT_LOG.mount"
	collect 0 "--job $JOB --name JOBM" --mount "$SERVED"
	has "$stderr" "warning: " "cannot mount '127.0.0.1:$SERVED'" "access denied by server" "will be fetched from the board"
	diff -r "$OUT/JOBM" "$JOB"
	equal "$(jq -r .profiler.output "$PLACE/out/seen.json")" "$PLACE/out/profiling"
	equal "$(grep -c umount "$FAKE_MOUNT_LOG")" 0
	ended
}

@test "a mount that the board may not write to is given up" {
	mkdir "$SERVED/ro"
	printf '#!/bin/sh\n%s "$@" && /bin/mount -o remount,ro,bind "$6"\n' "$HELPERS/fakemount.sh" >bin/mount.new
	chmod +x bin/mount.new
	sed -i "s|$HELPERS/fakemount.sh|$BATS_TEST_TMPDIR/real/mount|" bin/mount.new
	mkdir real
	ln -s "$HELPERS/fakemount.sh" real/mount
	mv bin/mount.new bin/mount
	collect 0 "--job $JOB --name JOBM" --mount "$SERVED"
	has "$stderr" "may not write there" "will be fetched from the board"
	diff -r "$OUT/JOBM" "$JOB"
	mounted_once "$SERVED"
	equal "$(cat left)" ""
}

@test "the program fails, or makes no JOB: unmounted all the same" {
	collect 5 "--job $JOB --name JOBM --exit 3" --mount "$SERVED"
	mounted_once "$SERVED"
	: >"$FAKE_MOUNT_LOG"
	collect 1 "" --mount "$SERVED"
	has "$stderr" "the output directory '$HOME/profiling'"
	mounted_once "$SERVED"
}

@test "an umount that fails is said" {
	touch "$FAKE_MOUNT_LOG.umount"
	collect 1 "--job $JOB --name JOBM" --mount "$SERVED"
	has "$stderr" "fetched JOBM" "cannot unmount '$HOME/profiling'" "access denied"
	ended
}

@test "Ctrl-C: stopped, fetched, unmounted" {
	begin "--job $JOB --name JOBM --hang --child" --mount "$SERVED"
	until_running
	kill -INT "$collector"
	ends_with 130
	diff -r "$OUT/JOBM" "$JOB"
	mounted_once "$SERVED"
	ended
}

@test "a cut: the board unmounts by itself, and --resume mounts again" {
	begin "--job $JOB --name JOBM --hang" --mount "$SERVED"
	until_running
	kill -KILL "$collector"
	ends_with 137
	until_true ended
	mounted_once "$SERVED"
	: >"$FAKE_MOUNT_LOG"
	run --separate-stderr private_mounts "$MSPROF" collect --local --resume "$OUT"
	equal "$status" 0
	has "$stderr" "fetched JOBM"
	diff -r "$OUT/JOBM" "$JOB"
	mounted_once "$SERVED"
	equal "$(ls -A "$OUT")" JOBM
}

@test "a cut while the mount is on its way leaves no mount" {
	touch "$FAKE_MOUNT_LOG.slow"
	begin "--job $JOB" --mount "$SERVED"
	until_true grep -q nolock "$FAKE_MOUNT_LOG"
	kill -KILL "$collector"
	ends_with 137
	until_true tried_to_unmount 2 # by the guard, in vain
	ended
	rm "$FAKE_MOUNT_LOG.slow"
	until_true tried_to_unmount 3 # by itself
}

@test "Ctrl-C while the mount is on its way" {
	touch "$FAKE_MOUNT_LOG.slow"
	begin "--job $JOB" --mount "$SERVED"
	until_true grep -q nolock "$FAKE_MOUNT_LOG"
	kill -INT "$collector"
	ends_with 130
	has "$(cat stderr)" interrupted
	lacks "$(cat stdout)" umask # the program did not run
	until_true ended
	rm "$FAKE_MOUNT_LOG.slow"
}

@test "a mount that the user made is used and left alone" {
	mkdir "$HOME/profiling"
	run --separate-stderr private_mounts sh -c '/bin/mount --bind "$1" "$2" && shift 2 && "$@" &&
		grep -c "$HOME/profiling" /proc/mounts' sh "$SERVED" "$HOME/profiling" \
		"$MSPROF" collect --local --output "$OUT" --mount /elsewhere -m "$APP/out/main --job $JOB --name JOBM"
	equal "$status" 0
	has "$stderr" "'$HOME/profiling' is already mounted: the mount is used, and stays" "fetched JOBM"
	equal "${lines[-1]}" 1
	diff -r "$SERVED/JOBM" "$JOB"
	equal "$(cat "$FAKE_MOUNT_LOG")" ""
}

@test "too little space on the mount is said before the program runs" {
	printf '#!/bin/sh\necho Filesystem\necho "x 9 9 7168 10%% /mnt"\n' >bin/df
	chmod +x bin/df
	collect 0 "--job $JOB --name JOBM" --mount "$SERVED"
	has "$stderr" "warning: only 7 MiB are free on '$SERVED'"
}

@test "a home that acl.json does not take: no mount" {
	mkdir "$HOME-x"
	HOME=$HOME-x
	PLACE=$HOME/msprof/app
	collect 0 "--job $JOB --name JOBM" --mount "$SERVED"
	has "$stderr" "'$HOME/profiling' cannot be the output of acl.json" "will be fetched from the board"
	equal "$(cat "$FAKE_MOUNT_LOG")" ""
}

@test "--dry-run says the command" {
	collect 0 "" --mount "$SERVED" --dry-run
	has "$output" "mount -t nfs -o nolock,tcp '127.0.0.1:$SERVED' '$HOME/profiling'" "\"output\": \"$HOME/profiling\""
	equal "$(cat "$FAKE_MOUNT_LOG")" ""
}

@test "over SSH the server is this end of the connection" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	[ -x /usr/sbin/sshd ] || skip "no sshd"
	mkdir -p "$HOME/.ssh"
	printf '[ssh_config]\nip = 127.0.0.1\nusername = root\nkey = %s\nport = ' "$PWD/server/client_key" >b.ini
	chmod 600 b.ini
	cat >script <<-'END'
		"$ROOT/tests/board/sshd.sh" start openssh server -o "SetEnv=PATH=$PATH HOME=$HOME FAKE_MOUNT_LOG=$FAKE_MOUNT_LOG" >>b.ini
		"$MSPROF" collect --accept-new --config b.ini --output "$OUT" -m "$APP/out/main --job $JOB --name JOBM" --mount "$SERVED"
		status=$?
		"$ROOT/tests/board/sshd.sh" stop server
		exit $status
	END
	# root's server wants /run/sshd: one that vanishes with the mounts
	run --separate-stderr private_mounts sh -c '/bin/mount -t tmpfs none /run && mkdir /run/sshd && SSH_AUTH_SOCK= exec sh script' </dev/null
	equal "$status" 0
	has "$stderr" "mounted '$SERVED' at '$HOME/profiling'" "fetched JOBM"
	diff -r "$SERVED/JOBM" "$JOB"
	diff -r "$OUT/JOBM" "$JOB"
	mounted_once "$SERVED"
}
