#!/usr/bin/env bats
# complete.bats: after "msprof", bash, zsh and fish offer the commands, options and values of the help.

load helpers
load helpers/help

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
	export PATH=$BUILD:$PATH HOME=$PWD
	mkdir -p some/JOBHERE functions
	touch some/board.ini some/other.conf some/main
	"$MSPROF" import -q -dir "$JOB"
	mv "$JOB" JOBSEEN
	cp "$ROOT/cli/msprof.zsh" functions/_msprof
}

# Each function prints the words that its shell offers for the last word of LINE, without 'some/': NAME_offers LINE
bash_offers() {
	# as bash cuts lines into words: '=' is one of its own
	bash --norc -c '. "$1"
		read -ra COMP_WORDS <<<"${2//=/ = }"
		[[ $2 != *[\ =] ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		"$(complete -p msprof | sed "s/.*-F \([^ ]*\).*/\1/")"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$ROOT/cli/msprof.bash" "$1" | sed 's,^some/,,' | sort -u
}

zsh_offers() {
	# the editor of zsh loses keys now and then that come before the editor reads any
	for _ in 1 2 3; do
		zsh -f "$HELPERS/complete.zsh" "$PWD/functions" "$1" offered
		! grep -q . offered || break
	done
	grep . offered | sort -u
}

fish_offers() {
	# it repeats the option before '='
	# shellcheck disable=SC2016 # for fish
	fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$ROOT/cli/msprof.fish" "$1" |
		sed 's/\t.*//; s,/$,,; s/^-[^=]*=//; s,^some/,,' | sort -u
}

# same SHELL LINE WORD...: the shell offers these words, in any order. The terminal of zsh loses lines on a busy machine, so zsh is
# asked up to three times.
same() {
	local more=2
	[ "$1" = zsh ] || more=0
	while [ $((more--)) -gt 0 ]; do
		[ "$("$1_offers" "$2")" != "$(printf '%s\n' "${@:3}" | sort -u)" ] || return 0
	done
	equal "$2: $("$1_offers" "$2")" "$2: $(printf '%s\n' "${@:3}" | sort -u)"
}

# Runs all completion tests in one shell.
completes() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
	local command options
	mapfile -t firsts < <(commands | cut -d' ' -f1 | sort -u)
	mapfile -t seconds < <(commands | sed -n 's/^export //p')
	[ "${#firsts[@]}" -ge 7 ] && [ "${#seconds[@]}" -ge 3 ]
	same "$1" 'msprof ' "${firsts[@]}" help version
	same "$1" 'msprof help ' "${firsts[@]}" options
	same "$1" 'msprof help export ' "${seconds[@]}"
	same "$1" 'msprof export ' "${seconds[@]}" --help
	while read -r command; do
		mapfile -t options < <(help_options "$command")
		[ "${#options[@]}" -ge 4 ]
		same "$1" "msprof $command -" "${options[@]}"
	done < <(commands)
	while read -r command; do
		mapfile -t options < <(formats "$command")
		[ "${#options[@]}" -ge 2 ] || continue
		same "$1" "msprof $command --format " "${options[@]}"
		same "$1" "msprof $command --format=" "${options[@]}"
	done < <(commands)
	same "$1" 'msprof show -q --style ' guide vendor
	same "$1" 'msprof show --style=guide --sort ' time
	same "$1" 'msprof acljson --make ' profiler dump
	same "$1" 'msprof acljson --profile=' svp ascend
	same "$1" 'msprof collect --aicpu ' on off
	same "$1" 'msprof collect --aac_metrics ' ArithmeticUtilization
	same "$1" 'msprof show --top ' ''
	same "$1" 'msprof nosuch ' ''
	same "$1" 'msprof show some/J' JOBHERE
	same "$1" 'msprof import -dir some/' JOBHERE
	same "$1" 'msprof import -dir=some/' JOBHERE
	same "$1" 'msprof collect --config some/b' board.ini
	# the names of tables and rules, and files with the endings of an ini
	mapfile -t options < <(grep -rh '^-- @title' "$ROOT/schema/reports/check" | sed 's/^-- @title *//' | tr 'A-Z ' 'a-z_' | sort -u)
	[ "${#options[@]}" -ge 2 ]
	same "$1" 'msprof check --table ' "${options[@]}"
	mapfile -t options < <("$MSPROF" advise --list --format json | jq -r '.tables[].rows[].Rule' | sort -u)
	[ "${#options[@]}" -ge 20 ]
	same "$1" 'msprof advise --rule ' "${options[@]}"
	same "$1" 'msprof collect --config some/' JOBHERE board.ini other.conf
	# numbers of the job that the line names
	same "$1" 'msprof show JOBSEEN --picture ' 0 10
	same "$1" 'msprof show -dir=JOBSEEN -q --model-id=' 46
	same "$1" 'msprof show some --picture ' ''
	same "$1" 'msprof diff JOBSEEN JOBSEEN --fail-if tot' "${TOTAL:-total > 5%}"
	# the form of Ascend servers
	same "$1" 'msprof --export=on --type=' text db
	same "$1" 'msprof --export=on --output=some/' JOBHERE
	same "$1" 'msprof --aic-mode ' task-based sample-based
}

@test "bash offers the commands, options, values and directories of the help" {
	TOTAL='total\ \>\ 5%'
	completes bash
}

@test "zsh offers the commands, options, values and directories of the help" {
	needs_terminal
	completes zsh
}

@test "fish offers the commands, options, values and directories of the help" {
	completes fish
}

# bash_word WORD: what bash offers for the last word of a line, as the user typed that word
bash_word() {
	# shellcheck disable=SC2016 # for bash
	bash --norc -c '. "$1"
		COMP_WORDS=(msprof diff JOBSEEN JOBSEEN --fail-if "$2")
		COMP_CWORD=5
		_msprof
		printf "%s\n" "${COMPREPLY[@]}"' bash "$ROOT/cli/msprof.bash" "$1"
}

@test "layers of the job are offered for conditions, in quotes and without" {
	equal "$(bash_word "'op conv2,")" "op conv2,relu2,pool3,res4,relu4 > 5%"
	equal "$(bash_word '"op conv2,')" "op conv2,relu2,pool3,res4,relu4 > 5%"
	# shellcheck disable=SC1003
	equal "$(bash_word 'op\ conv2,')" 'op\ conv2\,relu2\,pool3\,res4\,relu4\ \>\ 5%'
	equal "$(bash_word "'op 卷积层_c")" "op 卷积层_conv1,relu1 > 5%"
	# what the shell or the terminal would take for something else is left out
	sqlite3 JOBSEEN/sqlite/msprof.db "DROP VIEW tasks; CREATE VIEW tasks AS SELECT column1 AS name FROM
		(VALUES ('plain'), ('a'||char(27)||'[2J'), ('\$(touch here)'), ('it''s'), ('back\\slash'), ('c'||char(10)||'d'), ('x:y'))"
	equal "$(bash_word "'op ")" $'op plain > 5%\nop x:y > 5%'
	command -v fish >/dev/null || return 0
	has "$(fish_offers "msprof diff JOBSEEN JOBSEEN --fail-if 'op x")" "op x:y > 5%"
}

@test "the form of Ascend servers: every option of its help is offered" {
	equal "$(bash_offers 'msprof --' | grep -vxE -- '--help|--version')" \
		"$("$MSPROF" help options | sed -n 's/^  \(--[a-z0-9-]*\) .*/\1/p' | sort -u)"
}

@test "without msprof nothing is offered, and nothing is said" {
	PATH=${PATH#"$BUILD":}
	! command -v msprof >/dev/null || skip "another msprof is installed"
	for shell in bash fish; do
		command -v $shell >/dev/null || continue
		run "${shell}_offers" 'msprof show -'
		equal "$shell: $output" "$shell: "
	done
}
