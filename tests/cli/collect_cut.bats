#!/usr/bin/env bats
# collect_cut.bats: connections that break, stall or trickle, at every stage of a collection.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/cuts

setup() {
	umask 0027
	SEED=${SEED:-$((RANDOM * 32768 + RANDOM))}
}

teardown() {
	stop_server
}

# Run a collection in the background until COMMAND is true, cut it or stall it, and wait for its end: its messages
# are in $stderr: harm_when USR1|USR2 WORDS COMMAND... The file `harmed` is there from then on.
harm_when() {
	local signal=$1 words=$2 pid
	shift 2
	rm -f "$BATS_TEST_TMPDIR/stdout" "$BATS_TEST_TMPDIR/stderr"
	timeout 600 "$MSPROF" collect --config "$INI" -m "$HERE/app/out/main $words" --output "$OUT" \
		>"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
	pid=$!
	until_true "$@"
	kill "-$signal" "$proxy"
	touch "$BATS_TEST_TMPDIR/harmed"
	status=0
	wait "$pid" || status=$?
	stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
	[ "$status" -eq 4 ] || fail "ended with $status: $stderr"
	[ "$(grep -c error: <<<"$stderr")" -eq 1 ] || fail "not one error: $stderr"
}

acl_is_ours() {
	[ -e "$BOARD_HOME/msprof/app/out/acl.json" ] && ! cmp -s "$HERE/app/out/acl.json" "$BOARD_HOME/msprof/app/out/acl.json"
}

@test "cut at random places: OpenSSH, tar" {
	random_cuts openssh tar 3 "$SEED"
}

@test "cut at random places: OpenSSH, sftp" {
	random_cuts openssh sftp 3 "$SEED"
}

@test "cut at random places: dropbear, tar" {
	random_cuts dropbear tar 3 "$SEED"
}

@test "cut at random places: dropbear, sftp" {
	random_cuts dropbear sftp 3 "$SEED"
}

@test "cut while connecting, exchanging keys and logging in: one error, and nothing is left" {
	start_server openssh tar
	for where in '--cut-up 0' '--cut-down 10' '--cut-down 30' '--cut-up 700' '--cut-down 1200' '--cut-up 1900 --reset' \
		'--cut-down 2200'; do
		# shellcheck disable=SC2086 # two words
		through $where
		collect -m "$HERE/app/out/main" --output "$OUT"
		[ "$status" -eq 4 ] || fail "$where: ended with $status: $stderr"
		[ "$(grep -c error: <<<"$stderr")" -eq 1 ] || fail "$where: not one error: $stderr"
		has "$stderr" "board '$BOARD_USER@127.0.0.1:"
		[ ! -e "$BOARD_HOME/msprof" ]
		[ -z "$(ls -A "$OUT")" ] || fail "$where: left: $(ls -A "$OUT")"
	done
}

@test "cut while the program runs: the board ends it, restores acl.json, and the rest is fetched" {
	start_server openssh tar
	through
	harm_when USR1 "--job $HERE/JOBMADE --name JOBX --hang" grep -q "all is written" "$BATS_TEST_TMPDIR/stdout"
	has "$stderr" "the connection broke" "--resume"
	board_is_clean
	resume
	diff -r "$OUT/JOBX" "$HERE/JOBMADE"
	equal "$(ls -A "$OUT")" JOBX
}

@test "cut between acl.json and the program: the project's own is restored" {
	start_server openssh tar
	# a find that waits holds the collection where it looks for earlier JOBs
	cat >"$BATS_TEST_TMPDIR/bin/find" <<-END
		#!/bin/sh
		case "\$*" in *JOB*) while [ -e "$BOARD_HOME/msprof/app/.msprof.acl.name" ] && [ ! -e "$BATS_TEST_TMPDIR/harmed" ]; do
			sleep 0.1; done ;;
		esac
		exec /usr/bin/find "\$@"
	END
	chmod 755 "$BATS_TEST_TMPDIR/bin/find"
	through
	harm_when USR1 "--job $HERE/JOBMADE" acl_is_ours
	board_is_clean
	[ -e "$BOARD_HOME/msprof/app/out/acl.json" ]
}

@test "cut while a large file is fetched: the resume moves its rest only" {
	for way in tar sftp; do
		start_server openssh "$way"
		through --first 1 --cut-down 600000
		seeded 900000 7 >"$HERE/JOBMADE/data/large"
		rm -f "$HERE"/JOBMADE/data/small.*
		collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
		equal "$status" 4
		[ -s "$OUT/.JOBX.part/data/.large.part" ]
		cmp "$OUT/.JOBX.part/data/.large.part" <(head -c "$(stat -c %s "$OUT/.JOBX.part/data/.large.part")" "$HERE/JOBMADE/data/large")
		resume
		diff -r "$OUT/JOBX" "$HERE/JOBMADE"
		[ "$(moved down 2)" -lt 400000 ] || fail "$way: $(moved down 2) bytes moved again"
		stop_server
		forget_board
		discard "$SERVER"
	done
}

@test "cut while files are sent: what arrived is not sent again" {
	start_server openssh tar
	for n in 1 2 3 4; do seeded 2000000 "$n" >"$HERE/app/file.$n"; done
	through --first 1 --cut-up 7500000
	collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
	equal "$status" 4
	has "$stderr" "the connection broke"
	board_is_clean
	collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
	equal "$status" 0
	lacks "$stderr" "; 0 unchanged"
	[ "$(moved up 2)" -lt 6500000 ] || fail "$(moved up 2) bytes moved"
	for n in 1 2 3 4; do cmp "$HERE/app/file.$n" "$BOARD_HOME/msprof/app/file.$n"; done
}

@test "a connection that stalls is given up after the ini's timeout, and can be resumed" {
	export INI_MORE=$'timeout = 2\n'
	start_server openssh tar
	for where in '--stall-down 8000' '--stall-up 300000' '--stall-down 300000'; do
		# shellcheck disable=SC2086 # two words
		through --first 1 $where
		collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
		[ "$status" -eq 4 ] || fail "$where: ended with $status: $stderr"
		[ "$(grep -c error: <<<"$stderr")" -eq 1 ] || fail "$where: not one error: $stderr"
		has "$stderr" "no answer for 2 s"
		kill -USR1 "$proxy" # as if the board's TCP gave up now
		if [ "$where" = '--stall-down 300000' ]; then
			sed -i '/^timeout/d' "$INI" # this one is no matter of time
			resume
			diff -r "$OUT/JOBX" "$HERE/JOBMADE"
		fi
		board_is_clean
		forget_board
	done
}

@test "a stall during the login is given up, too" {
	export INI_MORE=$'timeout = 2\n'
	start_server openssh tar
	through --stall-down 1700
	collect -m "$HERE/app/out/main" --output "$OUT"
	equal "$status" 4
	has "$stderr" "no answer"
}

@test "a connection that trickles is only slow" {
	start_server openssh tar
	make_project "$HERE" 60000
	through --trickle 200
	collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
	[ "$status" -eq 0 ] || fail "ended with $status: $stderr"
	diff -r "$OUT/JOBX" "$HERE/JOBMADE"
	cmp "$BOARD_HOME/msprof/app/model.om" "$HERE/app/model.om"
	board_is_clean
}
