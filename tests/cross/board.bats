#!/usr/bin/env bats
# board.bats: the static program where there is nothing but busybox: a root that cannot be written, no /tmp, no locale, no home,
# a clock in 1970, little memory.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load machine

setup() {
	LOCAL=$BUILD/static-local/msprof
	[ -x "$LOCAL" ] || skip "needs make static WITH_SSH=0"
	board
	collect=$(main_job /mnt/card)
}

@test "a collection with exports and tables: read-only root, no /tmp, no locale, 64 MiB of memory, 24 of them resident" {
	on_board "$LOCAL" "touch /x 2>/dev/null; $collect"
	[ "$status" = 0 ] || fail "ended with $status: $stderr"
	has "$output" "AA Core Metrics" "Op statistic"
	[ "$(query "SELECT total(records) >= 10000 FROM source" "$CARD"/results/JOB*/sqlite/msprof.db)" = 1 ]
	[ -n "$(ls "$CARD"/results/JOB*/timeline/*.json)" ] && [ -n "$(ls "$CARD"/results/JOB*/summary/*.csv)" ]
	[ ! -e "$BOARD/x" ] && [ ! -e "$BOARD/tmp" ] && [ ! -e "$BOARD/root" ]
	[ "$(peak)" -le $((24 * 1024)) ] || fail "$(peak) KiB were resident"
}

@test "a clock in 1970: the same exports" {
	on_board "$BUILD/static-local/msprof-1970" "$collect && find /mnt/card/data -exec touch -d '1970-01-01 00:10' {} +"
	[ "$status" = 0 ] || fail "ended with $status: $stderr"
	grep -q ' 1970 ' "$CARD"/results/JOB*/log/collection.log
	mv "$CARD/results" "$CARD/of_1970"
	on_board "$BUILD/static-local/msprof-1970" "$collect"
	[ "$status" = 0 ] || fail "data of 1970: ended with $status: $stderr"
	mv "$CARD/results" "$CARD/old_data"
	on_board "$LOCAL" "$collect"
	diff -r "$CARD"/of_1970/JOB*/summary "$CARD"/results/JOB*/summary
	diff -r "$CARD"/old_data/JOB*/summary "$CARD"/results/JOB*/summary
	diff -r "$CARD"/of_1970/JOB*/timeline "$CARD"/results/JOB*/timeline
}

@test "what this program leaves out is said to be left out" {
	for words in advise diff mcp learn 'help advise' '-- ls' --output=/x; do
		# shellcheck disable=SC2086 # words on purpose
		run "$LOCAL" $words
		equal "$words: $status" "$words: 2"
		has "$output" "is not in this build"
	done
}

@test "the help names the commands of this program, and no other" {
	run "$LOCAL" help
	lacks "$output" advise publish 'help options'
	mapfile -t named < <(grep -o 'msprof [a-z][a-z]*' <<<"$output" | sort -u)
	[ "${#named[@]}" -ge 2 ]
	for words in "${named[@]}"; do
		"$LOCAL" "${words#* }" --help >/dev/null || fail "no command: $words"
	done
}

@test "without SSH: an ini is refused, with the way out" {
	printf '[ssh_config]\nip = 127.0.0.1\nusername = root\n' >"$CARD/board.ini"
	on_board "$LOCAL" "cd /mnt/card/app && chmod 600 ../board.ini && ../msprof collect -m ./main --config ../board.ini"
	equal "$status" 4
	has "$stderr" "built without SSH" "--local"
}
