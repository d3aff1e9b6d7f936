#!/usr/bin/env bats
# options.bats: the code and the manual page know the same options, command by command.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/help

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

mapfile -t COMMANDS < <(commands)

# The manual's list of options, one a line: head, tab, text. The manual is read once in a file of tests.
manual_items() {
	local known=$BATS_FILE_TMPDIR/manual_items
	[ -s "$known" ] || read_items >"$known"
	cat "$known"
}

read_items() {
	mandoc -T ascii -O width=100 "$ROOT/msprof.1" | sed 's/.\x08//g' |
		awk '/^   Options$/ { on = 1; next } /^ ? ? ?[A-Z]/ { on = 0 } !on { next }
			/^     -/ && blank { printf "%s%s\t", (n++ ? "\n" : ""), $0; blank = 0; next }
			{ blank = !NF } n && /^         / { sub(/^ +/, ""); printf " %s", $0 } END { print "" }'
}

# Names and value of each option of the manual, as help_heads has them.
manual_heads() {
	manual_items | cut -f1 | sed 's/^ *//; s/  .*//' | grep -v -- --version
}

# The synopsis, one use a line: "msprof COMMAND ...".
synopsis() {
	local known=$BATS_FILE_TMPDIR/synopsis
	[ -s "$known" ] || read_synopsis >"$known"
	cat "$known"
}

read_synopsis() {
	mandoc -T ascii -O width=300 "$ROOT/msprof.1" | sed 's/.\x08//g' | sed -n '/^SYNOPSIS/,/^DESCRIPTION/s/^ *msprof /msprof /p'
}

# named TEXT: the commands in "For show, query and check." at the end of an item, or those that "For all commands but show." leaves
named() {
	local command words=${1##*For }
	while read -r command; do
		if [[ $1 != *For\ * || " ${words//[,.;]/ } " != *" $command "* ]]; then
			[[ $words != "all commands but "* ]] || echo "$command"
		else
			[[ $words == "all commands but "* ]] || echo "$command"
		fi
	done < <(commands)
}

@test "the manual page is sound" {
	[ -f "$ROOT/msprof.1" ]
	run mandoc -T lint -W warning "$ROOT/msprof.1"
	equal "$output" ""
	equal "$(mandoc -T ascii -O width=80 "$ROOT/msprof.1" | sed 's/.\x08//g' | grep -E '^.{81}')" ""
}

@test "the manual and the help know the same options" {
	all=$(for command in "${COMMANDS[@]}"; do help_heads "$command"; done | sort -u)
	equal "$(manual_heads | sort -u)" "$all"
	[ "$(wc -l <<<"$all")" -ge 12 ]
}

@test "the manual says which commands take an option that not all take" {
	seen=0
	# two options may share a name, with different values
	for command in "${COMMANDS[@]}"; do help_heads "$command" | sed "s/\$/\t$command/"; done >takers
	while IFS=$'\t' read -r head text; do
		option=$(spellings <<<"$head" | head -1)
		takers=$(awk -F '\t' -v head="$(sed 's/^ *//; s/  .*//' <<<"$head")" '$1 == head { print $2 }' takers)
		[ "$option" != --version ] && [ "$(wc -l <<<"$takers")" -lt ${#COMMANDS[@]} ] || continue
		seen=$((seen + 1))
		equal "$option: $(named "$head $text")" "$option: $takers"
	done < <(manual_items)
	[ "$seen" -ge 35 ]
}

@test "the manual has the defaults of the help" {
	for command in "${COMMANDS[@]}"; do help_defaults "$command"; done | sort -u >defaults
	[ "$(wc -l <defaults)" -ge 7 ]
	while IFS=$'\t' read -r option value; do
		text=$(manual_items | grep -E -- "^ *(-[a-z_-]+, )?${option}[ ,].*	")
		has "$option: $text" "default: $value"
	done <defaults
}

@test "the manual's synopsis and list of commands have every command, as the help has it, and only options that it takes" {
	equal "$(sed -n '/^The commands are:/,/^\.El/s/^\.It Cm //p' "$ROOT/msprof.1" | grep -v '^help')" "$(commands)"
	for command in "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $command --help | sed '/^$/,$d; s/^Usage: *//; s/^ *//; s/ \[OPTION\].*//' >usages
		equal "$command: $(synopsis | grep -c "^msprof $command ")" "$command: $(wc -l <usages)"
		while read -r usage; do
			line=$(synopsis | grep -F -- "$usage ") || fail "the synopsis has no '$usage'"
			while read -r option; do
				help_options "$command" | grep -qx -- "$option" || fail "$command has no $option"
			done < <(grep -oE -- ' -(-[a-z]+)+' <<<"$line" | tr -d ' ')
		done <usages
	done
}

@test "the manual has the formats and styles of the help" {
	while read -r command; do
		mapfile -t words < <(formats "$command")
		for format in "${words[@]}"; do
			has "$(manual_items | grep -- '--format')" "$format"
			[ "$format" = csv ] && [ "$command" != 'export summary' ] && continue
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -dir "$JOB" --format "$format"
		done
	done < <(job_commands)
	has "$(manual_items | grep -- '--style')" "guide|vendor"
	has "$(help_lines show | grep -- '--style')" "guide|vendor"
}

@test "every option of the help is accepted by its command, and by no other" {
	while read -r command; do
		for option in --format=json --style=vendor --top=1 "--sort=Total Time(us)" --frequency=700 --strict -q; do
			want=2
			if help_options "$command" | grep -qx -- "${option%%=*}"; then want=0; fi
			# shellcheck disable=SC2086 # words on purpose
			expect $want $command -dir "$JOB" "$option"
		done
	done < <(job_commands)
}
