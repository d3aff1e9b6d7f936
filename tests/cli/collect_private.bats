#!/usr/bin/env bats
# collect_private.bats: files that collect never sends: keys, logins and inis; and projects that are sent only on request.
# shellcheck disable=SC2154 # $stderr is set by run
# shellcheck disable=SC2153 # nor is PLACE a misspelling

load helpers
load helpers/local

# An OpenSSH private key as ssh-keygen writes it, but for its content.
key() {
	printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----\n'
}

ini() {
	printf '# a board\n\n  [ssh_config]\nip = 127.0.0.1\nusername = x\npwd = geheim\n'
}

# The files on the board below the project, without the files of msprof.
sent() {
	(cd "$PLACE" && find . -type f ! -name '.msprof*' ! -path './out/*' | sort | tr '\n' ' ')
}

# A project with one of each kind.
fill() {
	mkdir -p "$APP/.ssh" "$APP/sub/.gnupg" "$APP/.aws" "$APP/.git" "$APP/conf"
	key >"$APP/.ssh/key"
	key >"$APP/conf/deploy"
	{ echo "some words"; cat <(echo '-----BEGIN CERTIFICATE-----') <(echo x) <(echo '-----BEGIN RSA PRIVATE KEY-----'); } >"$APP/conf/server.pem"
	echo 'PuTTY-User-Key-File-3: ssh-ed25519' >"$APP/conf/a.ppk"
	echo secret | tee "$APP/sub/.gnupg/x" "$APP/.aws/credentials" "$APP/.git/x" "$APP/.netrc" "$APP/.pgpass" "$APP/id_ed25519" \
		"$APP/.git-credentials" >/dev/null
	ini >"$APP/a.ini"
	printf '\xef\xbb\xbf[ssh_config]\r\nip = x\r\n' >"$APP/conf/b.txt"
	# these are nobody's secret
	echo '-----BEGIN CERTIFICATE-----' >"$APP/conf/ca.pem"
	echo 'ssh-ed25519 AAAA' >"$APP/id_ed25519.pub"
	echo 'key = "-----BEGIN RSA PRIVATE KEY-----"' >"$APP/conf/code.c"
	echo '[other]' >"$APP/id_map.ini"
}

@test "keys, logins and inis stay here, wherever they are and whatever they are called" {
	fill
	collect 0 "--job $JOB"
	equal "$(sent)" "./conf/ca.pem ./conf/code.c ./id_ed25519.pub ./id_map.ini ./model.om "
	equal "$(grep -c 'not sent' <<<"$stderr")" 1
	has "$stderr" "12 files not sent: private keys, logins or [ssh_config]" "pushed 6 files"
	run ! grep -rq -e geheim -e 'OPENSSH PRIVATE' "$PLACE"
	# the next time, too
	ini >"$APP/model.om"
	collect 0 "--job $JOB"
	has "$stderr" "13 files not sent" "pushed 0 files" "5 unchanged"
}

@test "--dry-run lists what stays here; what the user excludes is not told" {
	fill
	collect 0 "" --dry-run --exclude .aws/ --exclude '*.ppk'
	for path in .ssh sub/.gnupg .netrc .pgpass id_ed25519 .git-credentials conf/deploy conf/server.pem a.ini conf/b.txt; do
		has "$output" "leave out $path: "
		lacks "$output" "send $path ("
	done
	lacks "$output" .aws a.ppk
	has "$output" "send model.om"
}

@test "a home directory is sent only where --project names it" {
	mkdir "$HOME/w"
	cp "$APP/out/main" "$HOME/w/main"
	collect_from 2 "$HOME/w/main"
	has "$stderr" "the project '$HOME' is a home directory, or holds one" "--project DIR"
	mkdir "$HOME/../w"
	cp "$APP/out/main" "$HOME/../w/main"
	collect_from 2 "$HOME/../w/main"
	has "$stderr" "the project '$BATS_TEST_TMPDIR' is a home directory, or holds one"
	expect 2 collect --local --output "$OUT" -m "$HOME/w/main" --dry-run
	[ ! -e "$HOME/msprof" ]
	collect_from 0 "$HOME/w/main" --project "$HOME/w"
	collect_from 1 /main
	has "$stderr" "/main"
}

# collect_from STATUS PROGRAM OPTION...
collect_from() {
	local want=$1 program=$2
	shift 2
	expect "$want" collect --local --output "$OUT" -m "$program --job $JOB" "$@"
}

@test "a person at a terminal may say yes, or anything else" {
	needs_terminal
	mkdir "$HOME/w"
	cp "$APP/out/main" "$HOME/w/main"
	for answer in no y yes; do
		run python3 "$HELPERS/pty_answer.py" "(yes/no)" "$answer" -- "$MSPROF" collect --local --output "$OUT" \
			-m "$HOME/w/main --job $JOB"
		if [ "$answer" = yes ]; then equal "$status" 0; else equal "$status" 2; fi
		has "$output" "is a home directory, or holds one. Continue anyway? (yes/no)"
	done
	[ -x "$HOME/msprof/${HOME##*/}/w/main" ]
}

@test "more than 10000 files or 1 GiB is hardly meant" {
	truncate -s 1025M "$APP/large"
	collect 2 ""
	has "$stderr" "the project '$APP' has 3 files and 1025 MiB" "--project DIR" "--exclude"
	collect 0 "--job $JOB" --exclude large
	(cd "$APP" && mkdir many && cd many && seq 10001 | xargs touch)
	collect 2 "" --exclude large
	has "$stderr" "has 10003 files and 0 MiB"
	collect 0 "" --exclude large --dry-run --project "$APP"
	has "$output" "send many/10001"
}

@test "a program that is named without a directory does not take along what is beside its directory" {
	mkdir "$BATS_TEST_TMPDIR/beside"
	cd "$APP/out"
	for name in main ./main; do
		expect 0 collect --local --output "$OUT" -m "$name --job $JOB"
		has "$stderr" "sending '$APP/out' to '$HOME/msprof/out'"
	done
	[ -x "$HOME/msprof/out/main" ] && [ ! -e "$HOME/msprof/out/model.om" ] && [ ! -e "$PLACE" ]
	cd "$APP"
	expect 0 collect --local --output "$OUT" -m "out/main --job $JOB"
	[ -e "$PLACE/model.om" ]
}

@test "remote_dir may have dots and dashes" {
	# the connection is refused, which comes after the check of the place
	# shellcheck disable=SC2088 # the board expands it
	for place in '~/my-project.v2' '/opt/a.b/c-d'; do
		printf '[ssh_config]\nip = 127.0.0.1\nusername = x\nport = 1\nremote_dir = %s\n' "$place" >b.conf
		chmod 600 b.conf
		expect 4 collect --config b.conf -m "$APP/out/main" --output "$OUT"
		has "$stderr" "127.0.0.1"
	done
	# shellcheck disable=SC2088
	for place in '/a b' '~x' '/a;b' '/ä'; do
		printf '[ssh_config]\nip = 127.0.0.1\nusername = x\nport = 1\nremote_dir = %s\n' "$place" >b.conf
		expect 1 collect --config b.conf -m "$APP/out/main" --output "$OUT"
		has "$stderr" "remote_dir '$place'"
	done
}

@test "two projects of one name: the second is refused, unless --project takes the place over" {
	collect 0 "--job $JOB"
	mkdir -p "$BATS_TEST_TMPDIR/b"
	cp -r "$APP" "$BATS_TEST_TMPDIR/b/app"
	echo other >"$BATS_TEST_TMPDIR/b/app/model.om"
	collect_from 1 "$BATS_TEST_TMPDIR/b/app/out/main"
	has "$stderr" "'$PLACE' on the board holds another project" remote_dir --project
	lacks "$stderr" sending
	equal "$(cat "$PLACE/model.om")" weights
	collect_from 0 "$BATS_TEST_TMPDIR/b/app/out/main" --dry-run
	has "$stderr" "warning: '$PLACE' on the board holds another project"
	collect_from 0 "$BATS_TEST_TMPDIR/b/app/out/main" --project "$BATS_TEST_TMPDIR/b/app"
	has "$stderr" "warning: '$PLACE' on the board holds another project"
	equal "$(cat "$PLACE/model.om")" other
	collect_from 0 "$BATS_TEST_TMPDIR/b/app/out/main"
	lacks "$stderr" "another project"
	nothing_left
	# a place of an earlier version has no marker
	rm "$PLACE/.msprof.source"
	collect 0 "--job $JOB"
	collect_from 1 "$BATS_TEST_TMPDIR/b/app/out/main"
}
