#!/usr/bin/env bats
# options.bats: the code and the manual page know the same options, command by command.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/help

COMMANDS=(import "export timeline" "export summary" show check)

# The manual's list of options, one a line: head, tab, text.
manual_items() {
	mandoc -T ascii -O width=100 "$ROOT/msprof.1" | sed 's/.\x08//g' |
		awk '/^   Options$/ { on = 1; next } /^ ? ? ?[A-Z]/ { on = 0 } !on { next }
			/^     -/ { printf "%s%s\t", (n++ ? "\n" : ""), $0; next }
			n && /^         / { sub(/^ +/, ""); printf " %s", $0 } END { print "" }'
}

manual_options() {
	cut -f1 < <(manual_items) | spellings
}

@test "the manual page is sound" {
	[ -f "$ROOT/msprof.1" ]
	run mandoc -T lint -W warning "$ROOT/msprof.1"
	equal "$output" ""
	equal "$(mandoc -T ascii -O width=80 "$ROOT/msprof.1" | sed 's/.\x08//g' | grep -E '^.{81}')" ""
}

@test "the manual and the help know the same options" {
	all=$(for command in "${COMMANDS[@]}" acljson collect; do help_options "$command"; done | sort -u)
	equal "$(manual_options | grep -vx -- --version)" "$all"
	[ "$(wc -l <<<"$all")" -ge 12 ]
}

@test "the manual says which commands take an option that not all take" {
	seen=0
	while IFS=$'\t' read -r head text; do
		option=$(spellings <<<"$head" | head -1)
		takers=$(for c in "${COMMANDS[@]}"; do if help_options "$c" | grep -qx -- "$option"; then echo "$c"; fi; done)
		[ "$option" != --version ] && [ "$(wc -l <<<"$takers")" -lt ${#COMMANDS[@]} ] || continue
		seen=$((seen + 1))
		named=$(for c in "${COMMANDS[@]}"; do if grep -qw -- "$c" <<<"$text"; then echo "$c"; fi; done)
		equal "$option: $named" "$option: $takers"
	done < <(manual_items)
	[ "$seen" -ge 4 ]
}

@test "the manual's synopsis has every command, and only options that it takes" {
	synopsis=$(mandoc -T ascii -O width=200 "$ROOT/msprof.1" | sed 's/.\x08//g' | sed -n '/^SYNOPSIS/,/^DESCRIPTION/p')
	for command in "${COMMANDS[@]}"; do
		line=$(grep "^ *msprof $command " <<<"$synopsis")
		has "$line" "[-dir] JOB"
		while read -r option; do
			help_options "$command" | grep -qx -- "$option" || fail "$command has no $option"
		done < <(grep -oE -- '-(-[a-z]+)+' <<<"$line")
	done
}

@test "the manual has the formats and styles of the help" {
	for command in "export summary" show check; do
		formats=$(help_lines "$command" | sed -n 's/^ *--format.*: //p')
		# shellcheck disable=SC2086 # words on purpose
		for format in $formats; do has "$(manual_items | grep -- '--format')" "$format"; done
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB" --format "${formats%% *}"
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB" --format "${formats##* }"
	done
	has "$(manual_items | grep -- '--style')" "guide|vendor"
	has "$(help_lines show | grep -- '--style')" "guide|vendor"
}

@test "every option of the help is accepted by its command, and by no other" {
	for command in "${COMMANDS[@]}"; do
		for option in --format=json --style=vendor --top=1 "--sort=Total Time(us)" --frequency=700 --strict -q; do
			want=2
			if help_options "$command" | grep -qx -- "${option%%=*}"; then want=0; fi
			# shellcheck disable=SC2086 # words on purpose
			expect $want $command -dir "$JOB" "$option"
		done
	done
}
