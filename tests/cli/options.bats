#!/usr/bin/env bats
# options.bats: the manual pages are made of the help, and commands take the options of their help.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/help

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

mapfile -t COMMANDS < <(commands)

# page COMMAND: its manual page, made of its help
page() {
	echo "$BUILD/man1/msprof-${1// /-}.1"
}

# entries COMMAND: the options of its help, one a line: head, tab, text
entries() {
	# shellcheck disable=SC2086 # words on purpose
	"$MSPROF" help $1 | sed '1,/^Options:/d' |
		awk '/^  -/ { if (n++) print line; line = substr($0, 3); if (!sub(/   */, "\t", line)) line = line "\t"; next }
			/^  / { sub(/^ +/, ""); line = line (line ~ /\t$/ ? "" : " ") $0 } END { print line }'
}

# rendered FILE: the text of a page, in small letters and with single blanks
rendered() {
	mandoc -T ascii "$1" | sed 's/.\x08//g' | tr -s ' \n' ' ' | tr '[:upper:]' '[:lower:]'
}

@test "the manual pages are sound" {
	run mandoc -T lint -W warning "$ROOT/msprof.1" "$ROOT/docs/man/zh_CN/msprof.1" "$BUILD"/man1/*.1 "$BUILD"/man5/*.5
	equal "$output" ""
	equal "$(mandoc -T ascii -O width=80 "$ROOT/msprof.1" | sed 's/.\x08//g' | grep -E '^.{81}')" ""
}

@test "each command has a manual page, with each option as the help has it, and no other" {
	needs_learn
	equal "$(cd "$BUILD/man1" && ls)" "$({ for command in "${COMMANDS[@]}" options; do basename "$(page "$command")"; done; } | sort)"
	seen=0
	for command in "${COMMANDS[@]}" options; do
		text=$(rendered "$(page "$command")")
		entries "$command" >entries.txt
		equal "$command: $(grep -c '^\.It Fl' "$(page "$command")")" "$command: $(wc -l <entries.txt)"
		while IFS=$'\t' read -r head help; do
			seen=$((seen + 1))
			[[ $text = *" ${head,,} ${help,,}."* ]] || fail "$(page "$command") lacks: $head $help"
		done <entries.txt
	done
	[ "$seen" -ge 200 ]
}

# strangers FILE...: options that pages name below their own options, and do not have
strangers() {
	awk '/^\.Sh/ { inside = /OPTIONS/ }
		inside && /^\.It/ { for (i = 1; i < NF; i++) if ($i == "Fl") has[FILENAME $(i + 1)] = 1 }
		inside && !/^\.It/ { for (i = 1; i < NF; i++) if ($i ~ /^\.?Fl$/) named[FILENAME "\t" $(i + 1)] = FILENAME $(i + 1) }
		END { for (name in named) if (!(named[name] in has)) print name }' "$@"
}

@test "below its options a page names those that the command has" {
	equal "$(strangers "$BUILD"/man1/*.1)" ''
	printf '.Sh OPTIONS\n.It Fl -a\nAs\n.Fl -a\nand\n.Fl -b ,\n.Sh FILES\n.Fl -c\n' >made_up
	equal "$(strangers made_up)" $'made_up\t-b'
}

@test "what the pages add to the help is about commands and options that there are" {
	for command in "${COMMANDS[@]}" options; do entries "$command" | sed "s/\t.*/\t$command/"; done | sort -u >takers
	cut -f1 takers | sort -u >heads
	# "--top N  show, collect", "--top N  not show": a line of each command, or of none
	awk -F '  ' '/^-/ { sub(/^not /, "", $2); n = split($2, of, ", "); for (i = 1; i <= n; i++) print $1 "\t" of[i]; if (!n) print $1 >"alone" }' \
		"$ROOT/docs/man/details.mdoc" | sort -u >named
	[ "$(cat named alone | wc -l)" -ge 30 ]
	equal "$(comm -23 named takers)" ''
	equal "$(sort -u alone | comm -23 - heads)" ''
	for file in "$ROOT"/docs/man/*.mdoc; do
		name=$(basename "$file" .mdoc)
		[ "$name" = details ] || [ -f "$BUILD/man1/msprof-$name.1" ] || fail "no command has the page of $file"
	done
}

@test "msprof(1) lists every command, as the help does" {
	needs_learn
	"$MSPROF" help | sed -n '/^Commands:/,/^  help/p' | sed -En 's/^  ([a-z]+( [a-z]+)?)  +/\1: /p' | sed 's/\.*$//' >help.txt
	sed -n '/^The commands are:/,/^\.It Cm help/s/^\.It Cm //p' "$ROOT/msprof.1" >names.txt
	sed -n '/^The commands are:/,/^\.It Cm help/p' "$ROOT/msprof.1" | grep '^[A-Z]' | sed '1d; s/^./\l&/; s/\.*$//' >texts.txt
	paste -d '#' names.txt texts.txt | sed 's/#/: /' | grep -v '^help ' >page.txt
	diff help.txt page.txt
	[ "$(wc -l <page.txt)" = ${#COMMANDS[@]} ]
}

@test "a command prints each format that its help names" {
	while read -r command; do
		mapfile -t words < <(formats "$command")
		for format in "${words[@]}"; do
			[ "$format" = csv ] && [ "$command" != 'export summary' ] && continue
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -dir "$JOB" --format "$format"
		done
	done < <(job_commands)
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

@test "every option that a command offers changes something: what is asked and not there is refused, or the result differs" {
	genjob JOBONE --pictures 2 --tasks 4
	mkdir top
	"$BUILD/tests/genprof" --out top/PROF_1 --tasks 20
	run --separate-stderr python3 "$HELPERS/option_effects.py" "$MSPROF" "$PWD/JOBONE" "$PWD/top/PROF_1" "$PWD/top" "${COMMANDS[@]}"
	equal "$status $output$stderr" "0 "
}
