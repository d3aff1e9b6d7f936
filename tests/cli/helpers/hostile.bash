# shellcheck shell=bash
# hostile.bash: boards that lie, for collect_hostile.bats and the long tests; over cuts.bash.
# shellcheck disable=SC2154 # $stderr is set by run

LIMIT='ulimit -v 600000;'
[ -z "${MSPROF_EMULATED:-}" ] || LIMIT= # an emulator needs more
[ -z "${ASAN_OPTIONS-}" ] || LIMIT=

hostile_setup() {
	umask 0027
	ESCAPE=$BATS_TEST_TMPDIR/escape
	export ESCAPE
	mkdir "$ESCAPE"
}

hostile_teardown() {
	stop_server
}

# A board whose sftp server, or whose tar, is a hostile one that reads its MODE from a file.
start_hostile() {
	local way=$1 python
	python=$(PATH=/usr/bin:/bin command -v python3) || skip "python3 is not installed"
	cp "$HELPERS"/hostile_*.py "$BATS_TEST_TMPDIR"
	: >"$BATS_TEST_TMPDIR/mode"
	chmod o+r "$BATS_TEST_TMPDIR"/hostile_*.py "$BATS_TEST_TMPDIR/mode"
	start_server openssh "$way"
	"$SSHD" stop "$SERVER"
	if [ "$way" = sftp ]; then
		rm "$BATS_TEST_TMPDIR/bin/stat"
		path=$BATS_TEST_TMPDIR/bin
	else
		printf '#!/bin/sh\nexec %s %s "$(cat %s)" "$@"\n' "$python" "$BATS_TEST_TMPDIR/hostile_tar.py" \
			"$BATS_TEST_TMPDIR/mode" >"$BATS_TEST_TMPDIR/bin/tar"
		chmod 755 "$BATS_TEST_TMPDIR/bin/tar"
		path=$BATS_TEST_TMPDIR/bin:/usr/bin:/bin
	fi
	cat >"$BATS_TEST_TMPDIR/front" <<-END
		#!/bin/sh
		case "\$SSH_ORIGINAL_COMMAND" in
		*"umask 027; exec "*sftp-server*) exec $python $BATS_TEST_TMPDIR/hostile_sftp.py "\$(/bin/cat $BATS_TEST_TMPDIR/mode)" ;;
		esac
		exec /bin/sh -c "\$SSH_ORIGINAL_COMMAND"
	END
	chmod 755 "$BATS_TEST_TMPDIR/front"
	"$SSHD" start openssh "$SERVER" -o "SetEnv=PATH=$path ESCAPE=$ESCAPE $(board_environment)" \
		-o "ForceCommand=$BATS_TEST_TMPDIR/front" 3>&-
	# what is sent to the hostile sftp server is lost: the program is there already
	mkdir -p "$BOARD_HOME/msprof"
	cp -rp "$HERE/app" "$BOARD_HOME/msprof/app"
	give_board "$BOARD_HOME/msprof" "$ESCAPE"
	through
}

# deal MODE STATUS PART...: a collection from such a board, within 600 MB of address space and 120 s
deal() {
	local mode=$1 want=$2
	shift 2
	echo "$mode" >"$BATS_TEST_TMPDIR/mode"
	discard "$OUT" "$BOARD_HOME/msprof/app/out/profiling"
	: >"$BATS_TEST_TMPDIR/stamp"
	run --separate-stderr bash -c "$LIMIT"' exec timeout 600 "$@"' sh "$MSPROF" collect --config "$INI" \
		-m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
	[ "$status" -eq "$want" ] || fail "$mode: ended with $status, not $want: ${stderr:0:2000}"
	has "$stderr" "$@"
	lacks "$stderr" $'\e'
	[ "$(wc -l <<<"$stderr")" -lt 150 ] || fail "$mode: $(wc -l <<<"$stderr") lines of messages"
	if [ "$want" = 1 ] || [ "$want" = 4 ]; then
		[ "$(grep -c error: <<<"$stderr")" -eq 1 ] || fail "$mode: not one error: $stderr"
		[ ! -e "$OUT/JOBX" ] || fail "$mode: JOBX counts as whole"
	fi
	[ ! -e "$ESCAPE-absolute" ] || fail "$mode: escaped"
	[ -z "$(ls -A "$ESCAPE")" ] || fail "$mode: escaped"
	equal "$(find "$BATS_TEST_TMPDIR" -name '*escape*' ! -path "$ESCAPE")" ""
	[ -z "$(find "$OUT" ! -type f ! -type d)" ] || fail "$mode: made $(find "$OUT" ! -type f ! -type d)"
	[ -z "$(find "$BATS_TEST_TMPDIR/here" -newer "$BATS_TEST_TMPDIR/stamp")" ] || fail "$mode: wrote elsewhere"
}
