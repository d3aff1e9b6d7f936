#!/usr/bin/env bats
# usage.bats: the command line: help, spellings of options, exit statuses, the form of messages.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/help

mapfile -t COMMANDS < <(job_commands)

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

# is_error STATUS ARGUMENT...: one line "msprof: error: ..." first on stderr, nothing on stdout
is_error() {
	expect "$@"
	equal "$output" ""
	[[ $stderr == "msprof: error: "* ]] || fail "not an error message: $stderr"
}

@test "help goes to stdout, on every level, with exit 0" {
	for words in -h --help help "help -h" "help help" "help import" "help export" "help export summary" "export -h" "export --help"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $words
		[[ $output == "Usage: msprof "* ]] || fail "$words: $output"
		equal "$stderr" ""
	done
	for command in "${COMMANDS[@]}"; do
		for option in -h --help -help; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command $option
			[[ $output == "Usage: msprof $command [-dir] JOB"* ]] || fail "$output"
			has "$output" "-dir" "--help"
			equal "$stderr" ""
		done
	done
}

@test "no line of any help is wider than 80 columns" {
	while read -r words; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 help $words
		equal "$words: $(grep -E '^.{81}' <<<"$output")" "$words: "
	done < <(commands && printf 'help\noptions\n')
}

@test "help wins over other options, and needs no job" {
	expect 0 import -dir /nosuch --help
	expect 0 show --format csv -h
}

@test "the overview names every command and exit status" {
	needs_learn
	expect 0 --help
	[ "${#COMMANDS[@]}" -ge 6 ]
	for file in "$ROOT"/cli/cmd_*.c; do
		while read -r command; do has "$output" "  $command "; done < <(sed -n 's/^    \.name = "\(.*\)",/\1/p' "$file")
	done
	has "$output" "Exit status: 0 ok, 1 failed, 2 usage, 3"
}

@test "without a command the overview is an error" {
	mkdir "$BATS_TEST_TMPDIR/empty" && cd "$BATS_TEST_TMPDIR/empty"
	run --separate-stderr "$MSPROF"
	equal "$status" 2
	equal "$output" ""
	has "$stderr" "Usage: msprof COMMAND"
}

@test "--version tells name and version, in every spelling" {
	for word in -version -V version; do
		expect 0 $word
		equal "$output" "$("$MSPROF" --version)"
	done
	expect 0 --version
	[[ $output =~ ^msprof\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "$output"
	equal "$output" "msprof $(sed -n 's/^VERSION := //p' "$ROOT/Makefile")"
}

@test "the directory in every spelling" {
	for words in "-dir $JOB" "-dir=$JOB" "--dir $JOB" "--dir=$JOB" "--collection-dir $JOB" "--collection-dir=$JOB" \
		"-collection-dir $JOB" "-dir $JOB/" "-q -dir $JOB" "-dir $JOB -q" "$JOB" "-q $JOB" "$JOB -q" "-q -- $JOB"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 show $words
	done
	for command in "${COMMANDS[@]}"; do
		for words in "--collection-dir=$JOB" "-q $JOB"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command $words
		done
	done
}

@test "a relative directory, '.', and one with spaces and other letters" {
	cd "$BATS_TEST_TMPDIR"
	expect 0 import -dir "${JOB##*/}"
	cd "$JOB"
	expect 0 show -dir .
	mv "$JOB" "$BATS_TEST_TMPDIR/ä job; \$(no) 'quote'"
	expect 0 import -dir "$BATS_TEST_TMPDIR/ä job; \$(no) 'quote'"
}

@test "an unknown command is a usage error" {
	for word in nosuch Import imp -x --nosuch exporttimeline ""; do
		is_error 2 "$word" -dir "$JOB"
		has "$stderr" "'$word'"
	done
	is_error 2 help nosuch
	is_error 2 export
	is_error 2 export nosuch -dir "$JOB"
	has "$stderr" "'nosuch'" timeline summary
}

@test "an unknown option is a usage error that names it" {
	for command in "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words on purpose
		is_error 2 $command -dir "$JOB" --bogus
		has "$stderr" "'--bogus'" "Try 'msprof $command --help'."
		# shellcheck disable=SC2086 # words on purpose
		is_error 2 $command -dir "$JOB" -Z
		has "$stderr" "'-Z'"
	done
	is_error 2 diff a b --fali-if 'total > 5%'
	has "$stderr" "unknown option '--fali-if'; did you mean '--fail-if'?"
	is_error 2 show "$JOB" --pictrue=1
	has "$stderr" "unknown option '--pictrue=1'; did you mean '--picture'?"
}

@test "a full-width or long dash is told as such, unless a file has the name" {
	local dash
	for dash in $'\xef\xbc\x8d:full-width' $'\xe2\x80\x94:long' $'\xe2\x80\x93:long' $'\xe2\x88\x92:long'; do
		is_error 2 show "${dash%%:*}dir" "$JOB"
		has "$stderr" "'${dash%%:*}dir' begins with a ${dash#*:} dash: write -dir"
		lacks "$stderr" "two directories"
		is_error 2 show -dir "$JOB" "${dash%%:*}${dash%%:*}format=csv"
		has "$stderr" "begins with a ${dash#*:} dash: write --format"
		is_error 2 collect "${dash%%:*}m" out/main
		has "$stderr" "begins with a ${dash#*:} dash: write -m"
		is_error 2 "${dash%%:*}-help"
		has "$stderr" "begins with a ${dash#*:} dash: write --help"
		is_error 2 show -dir "$JOB" "-${dash%%:*}top" 3
		has "$stderr" "begins with a ${dash#*:} dash: write --top"
	done
	cd "$BATS_TEST_TMPDIR"
	cp -a "$JOB" $'\xe2\x80\x94JOB'
	"$MSPROF" import -q $'\xe2\x80\x94JOB'
	is_error 2 show -dir "$JOB" $'a\xe2\x80\x94dir' # not at the beginning
	has "$stderr" "two directories"
	expect 1 show -- $'\xef\xbc\x8dmissing'
}

@test "a command that is nearly one is named" {
	for pair in shwo:show imp:import Export:export exprot:export colect:collect queyr:query chekc:check SHOW:show hepl:help verison:version; do
		is_error 2 "${pair%:*}" -dir "$JOB"
		has "$stderr" "unknown command '${pair%:*}'; did you mean '${pair#*:}'?"
	done
	for word in $(printf '%s\n' "${COMMANDS[@]}" | sed -n 's/^export //p'); do
		is_error 2 "$word" -dir "$JOB"
		has "$stderr" "unknown command '$word'; did you mean 'export $word'?"
	done
	is_error 2 record ./app
	has "$stderr" "'msprof -- PROGRAM' records a program"
	for word in nosuch "" x importimportimportimport; do
		is_error 2 "$word" -dir "$JOB"
		lacks "$stderr" "did you mean"
	done
}

@test "an option that is refused: ambiguous, of another command, a flag with a value" {
	is_error 2 show -dir "$JOB" --f csv
	has "$stderr" "ambiguous option '--f': '--format', '--frequency'"
	is_error 2 show -dir "$JOB" --clear
	has "$stderr" "show does not accept --clear; only export timeline, export summary, " " and analyze do"
	is_error 2 import -dir "$JOB" --resume=x
	has "$stderr" "import does not accept --resume; only collect does"
	is_error 2 import -dir "$JOB" --strict=yes
	has "$stderr" "option '--strict' takes no value: '--strict=yes'"
	is_error 2 import -dir "$JOB" --nosuch
	has "$stderr" "unknown option '--nosuch'"
}

@test "an option of another command is a usage error" {
	is_error 2 import -dir "$JOB" --format csv
	is_error 2 export timeline -dir "$JOB" --top 3
	is_error 2 check -dir "$JOB" --sort time
	is_error 2 check -dir "$JOB" --style vendor
	is_error 2 export summary -dir "$JOB" --sort 'Time(us)'
}

@test "an option without its value, and a flag with one, are usage errors" {
	is_error 2 import -dir
	has "$stderr" "'-dir'"
	is_error 2 show -dir "$JOB" --top
	has "$stderr" "'--top'"
	is_error 2 import -dir "$JOB" --strict=yes
	has "$stderr" "--strict"
}

@test "an option given twice is a usage error" {
	is_error 2 show -dir "$JOB" --top 1 --top 2
	has "$stderr" "option '--top' is given twice" "Try 'msprof show --help'."
	is_error 2 import -dir "$JOB" -dir "$JOB"
	is_error 2 import -dir "$JOB" --collection-dir "$JOB"
	is_error 2 show -dir "$JOB" --sort time --sort=time
	expect 0 import -q -q -dir "$JOB" # a flag stays set
}

@test "-dir missing or empty is a usage error" {
	for command in "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words on purpose
		is_error 2 $command
		has "$stderr" "-dir"
		# shellcheck disable=SC2086 # words on purpose
		is_error 2 $command -dir ""
	done
}

@test "words that belong to nothing are a usage error" {
	for words in "-dir $JOB more" "$JOB more" "$JOB -- more"; do
		# shellcheck disable=SC2086 # words on purpose
		is_error 2 import $words
		has "$stderr" "two directories are given: '$JOB' and 'more'; one directory may hold several jobs"
	done
	is_error 2 import "$JOB" -dir "$JOB"
	has "$stderr" "two directories are given: '$JOB' and '$JOB'"
	is_error 2 acljson acl.json
	has "$stderr" "unexpected argument 'acl.json': write --check before the file"
	is_error 2 collect out/main --config x
	has "$stderr" "unexpected argument 'out/main': write -m before the program"
	is_error 2 collect --config x --resume y z
	has "$stderr" "unexpected argument 'z'"
}

@test "arguments of the program of -m that are not quoted are shown in quotes" {
	is_error 2 collect -m out/main 2 x --config board.ini
	has "$stderr" "quote program and arguments: -m 'out/main 2 x'"
	is_error 2 collect --config board.ini -m out/main --images 10
	has "$stderr" "quote program and arguments: -m 'out/main --images 10'"
}

@test "a directory in the place of a command, and options before it" {
	for dir in "${JOB##*/}" .; do
		cd "${JOB%/*}"
		is_error 2 "$dir"
		has "$stderr" "did you mean 'msprof show -dir $dir'?"
	done
	is_error 2 -q show -dir "$JOB"
	has "$stderr" "unknown option '-q'; options of a command follow it"
}

@test "formats and styles that do not exist are usage errors that list those that do" {
	is_error 2 export summary -dir "$JOB" --format table
	has "$stderr" "invalid format 'table' (csv or json)"
	is_error 2 show -dir "$JOB" --format html
	has "$stderr" "invalid format 'html' (table, csv or json)"
	is_error 2 show -dir "$JOB" --format CSV
	has "$stderr" table csv json
	is_error 2 check -dir "$JOB" --format ''
	is_error 2 show -dir "$JOB" --style default
	has "$stderr" "invalid style 'default' (guide or vendor)"
}

@test "invalid numbers are usage errors that tell the range" {
	for value in x -1 +1 1.5 '' '1 ' ' 1' 99999999999999999999 0x10; do
		is_error 2 show -dir "$JOB" --top "$value"
		has "$stderr" "invalid top '$value' (a whole number, 0 or more)"
	done
	for value in x 0 -1 1.5 1000001 99999999999999999999; do
		is_error 2 import -dir "$JOB" --frequency "$value"
		has "$stderr" "invalid frequency '$value' (a whole number, 1 to 1000000 MHz)"
	done
	[ ! -e "$JOB/sqlite" ]
}

@test "exit 0, 1, 2 and 3 mean what the help says" {
	expect 0 import -dir "$JOB"
	expect 1 import -dir "$JOB/nosuch"
	expect 2 import
	printf x >>"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	for command in "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 3 $command -dir "$JOB"
		has "$stderr" "msprof: warning:" "1 damaged byte"
		[ "${command%% *}" = check ] || has "$stderr" "msprof check"
		# shellcheck disable=SC2086 # words on purpose
		expect 1 $command -dir "$JOB" --strict
		has "$stderr" "msprof: error:" "1 damaged byte"
	done
}

@test "--strict is content with a sound job" {
	for command in "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB" --strict
	done
}

@test "-q leaves warnings and errors only" {
	for option in -q --quiet; do
		for command in import "export timeline" "export summary"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -dir "$JOB" $option
			equal "$output$stderr" ""
		done
	done
	printf x >>"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	expect 3 import -dir "$JOB" -q
	has "$stderr" "msprof: warning:"
	expect 1 import -dir "$JOB/nosuch" -q
	has "$stderr" "msprof: error:"
}

@test "every message begins with msprof:, errors are lower case, without a full stop" {
	printf x >>"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	umask 0022
	expect 3 import -dir "$JOB"
	run grep -vE '^msprof: (warning: |error: |assumed: )?[^A-Z ].*[^.]$' <<<"$stderr"
	equal "$output" ""
	for words in "import -dir /nosuch" "import -dir $JOB/data" "nosuch" "show -dir $JOB --sort nosuch"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr "$MSPROF" $words
		run grep -E '^msprof: error: [^A-Z].*[^.]$' <<<"$stderr"
		equal "$status" 0
	done
}

@test "control characters of the command line are never printed raw" {
	evil=$'a\e[31mb\x07\x7f\xc2\x9bc\xe2\x80\xaed'
	for words in "$evil" "import -dir $evil" "import $evil -dir x" "show -dir $JOB --sort $evil" "show -dir $JOB --format $evil" \
		"show -dir $JOB --top $evil" "export $evil" "help $evil" "import -dir $JOB --layouts $evil" "import --$evil"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr "$MSPROF" $words
		[ "$status" -eq 1 ] || [ "$status" -eq 2 ] || fail "status $status of $words"
		lacks "$output$stderr" $'\e' $'\x07' $'\x7f' $'\xc2\x9b' $'\xe2\x80\xae'
		has "$stderr" '\x1b'
	done
}

@test "nothing is written where the command line is wrong" {
	before=$(snapshot "$JOB")
	for words in "import -dir $JOB --bogus" "show -dir $JOB --top x" "export summary -dir $JOB --format x" "import -dir $JOB x"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 2 $words
	done
	equal "$(snapshot "$JOB")" "$before"
}
