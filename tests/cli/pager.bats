#!/usr/bin/env bats
# pager.bats: tables on a terminal pass through a pager; nothing else does.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# paged WIDTH ARGUMENT...: msprof on a terminal of that width
paged() {
	local width=$1
	shift
	run python3 "$HELPERS/pty_run.py" "$width" "$MSPROF" "$@"
}

setup() {
	needs_terminal
	fresh_job
	unset LESS
	export TERM=xterm KEPT=$BATS_TEST_TMPDIR/kept
	export KEEPS='cat >"$KEPT" && echo "paged with $LESS"'
	"$MSPROF" import -q -dir "$JOB"
}

@test "the pager gets what the terminal would get: width, colours and first screen" {
	for arguments in "show" "show --each --top 0" "query" "check"; do
		# shellcheck disable=SC2086 # words on purpose
		paged 90 $arguments -q -dir "$JOB"
		plain=$output
		# shellcheck disable=SC2086
		MSPROF_PAGER=$KEEPS paged 90 $arguments -q -dir "$JOB"
		equal "$status" 0
		equal "$output" "paged with FRX"
		equal "$(cat "$KEPT")" "$plain"
	done
	has "$plain" $'\e['
}

@test "MSPROF_PAGER counts more than PAGER, LESS of the user stays, and an empty one or cat is no pager" {
	export LESS=M PAGER=$KEEPS
	unset MSPROF_PAGER
	paged 90 query -q -dir "$JOB"
	equal "$output" "paged with M"
	for none in "" cat; do
		MSPROF_PAGER=$none paged 90 query -q -dir "$JOB"
		has "$output" "Jobs :"
	done
	MSPROF_PAGER='echo another' paged 90 query -q -dir "$JOB"
	equal "$output" another
}

@test "less takes tables for UTF-8 wherever they are, and a choice of the user stays" {
	local keeps='cat >"$KEPT" && echo "charset $LESSCHARSET"' locale
	unset LC_ALL LC_CTYPE LANG LESSCHARSET
	export PYTHONCOERCECLOCALE=0 # else Python sets LC_CTYPE
	for locale in "" zh_CN.UTF-8 not_INSTALLED.utf8; do
		LANG=$locale MSPROF_PAGER=$keeps paged 90 query -q -dir "$JOB"
		equal "$output" "charset utf-8"
		grep -q ╒ "$KEPT"
	done
	LANG=zh_CN.GBK MSPROF_PAGER=$keeps paged 90 query -q -dir "$JOB"
	equal "$output" "charset "
	LESSCHARSET=latin1 MSPROF_PAGER=$keeps paged 90 query -q -dir "$JOB"
	equal "$output" "charset latin1"
	command -v less >/dev/null || skip "less is not installed"
	PAGER=less paged 90 query -q -dir "$JOB"
	has "$output" ╒
	lacks "$output" "<E2>"
}

@test "without variables less shows tables; what fits is printed, and less asks for no key" {
	command -v less >/dev/null || skip "less is not installed"
	unset MSPROF_PAGER PAGER
	paged 200 query -dir "$JOB"
	equal "$status" 0
	has "$output" "Jobs :"
	run python3 "$HELPERS/pty_answer.py" $':\e[K' q -- "$MSPROF" show --each --top 0 -dir "$JOB"
	lacks "$output" "Broken pipe"
	TERM=dumb paged 90 show --each --top 0 -dir "$JOB"
	equal "$status" 0
	lacks "$output" "WARNING"
}

@test "no pager for CSV, JSON, a pipe, help, other commands, or where nothing is printed" {
	export MSPROF_PAGER=$KEEPS
	paged 90 show -dir "$JOB" --format json
	has "$output" '"schema"'
	paged 90 query -q -dir "$JOB" --format csv
	paged 90 help show
	paged 90 export summary -q -dir "$JOB"
	expect 0 show -dir "$JOB"
	paged 90 show -dir "$JOB-missing"
	equal "$status" 1
	has "$output" "No such file"
	[ ! -e "$KEPT" ]
}

@test "the status of the command is kept" {
	printf x >>"$(echo "$JOB"/data/*aicore*.0)"
	expect 1 show -dir "$JOB" --strict
	MSPROF_PAGER=$KEEPS paged 90 show -dir "$JOB" --strict
	equal "$status" 1
	has "$output" "damaged byte"
	[ -s "$KEPT" ]
}

@test "a pager that cannot be run is an error that names it" {
	MSPROF_PAGER=no-such-pager paged 90 query -q -dir "$JOB"
	equal "$status" 1
	has "$output" "error: cannot run the pager 'no-such-pager'; with MSPROF_PAGER= tables are printed without one"
}

@test "Ctrl-C belongs to the pager: msprof ends after it" {
	# shellcheck disable=SC2016 # for the pager's shell
	# a signal just before `read` waits would be noticed after the key alone
	local key='trap "caught=1; echo caught" INT; echo ready; until [ "$caught" ]; do sleep 0.1; done; read -r key </dev/tty' all='cat >/dev/null'
	# all is written
	run env MSPROF_PAGER="$all; $key; echo 'the pager ends'" \
		python3 "$HELPERS/pty_answer.py" ready ^C caught key -- "$MSPROF" query -dir "$JOB"
	equal "$status" 0
	has "$output" "the pager ends"
	# more than a pipe holds: msprof is writing
	genjob "$BATS_TEST_TMPDIR/JOBLONG" --tasks 300 --pictures 20
	run env MSPROF_PAGER="$key; $all; echo 'the pager ends'" \
		python3 "$HELPERS/pty_answer.py" ready ^C caught key -- "$MSPROF" show -q --each --top 0 -dir "$BATS_TEST_TMPDIR/JOBLONG"
	[ "$status" -ne 0 ]
	has "$output" "the pager ends"
}
