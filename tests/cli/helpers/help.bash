# shellcheck shell=bash
# help.bash: the commands of `msprof help`, and the options that their help lists.

# All commands, one a line.
commands() {
	"$MSPROF" help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z ]*[a-z]\)  .*/\1/p' | grep -v '^help'
}

# Commands that work on any job, one a line; learn needs tables of the board's own tool. Asked once in a file of tests.
job_commands() {
	local known=$BATS_FILE_TMPDIR/job_commands command
	[ -s "$known" ] || while read -r command; do
		[ "$command" != learn ] || continue
		# shellcheck disable=SC2086 # words on purpose
		! "$MSPROF" $command --help | grep -qF "Usage: msprof $command [-dir] JOB" || echo "$command"
	done < <(commands) >"$known"
	cat "$known"
}

# The formats of a command, the default first, one a line.
formats() {
	# shellcheck disable=SC2086 # words on purpose
	"$MSPROF" $1 --help | tr -s ' \n' ' ' | grep -oP 'output format: \K[a-z., ]+' | sed 's/, \| or /\n/g; s/ *$//'
}

# The lines of a command's help that describe options.
help_lines() {
	# shellcheck disable=SC2086 # words on purpose
	"$MSPROF" $1 --help | sed -n '/^Options:/,$p' | grep '^  -'
}

# The spellings at the head of a line such as "-q, --quiet  only ..." or "--format FORMAT".
spellings() {
	sed 's/^ *//; s/  .*//' | grep -oE -- '(^|[ ,])--?[a-z][a-z_-]*' | tr -d ' ,' | sort -u
}

# Each command is asked once in a file of tests.
help_options() {
	local known=$BATS_FILE_TMPDIR/options_of_${1// /_}
	[ -s "$known" ] || help_lines "$1" | spellings >"$known"
	cat "$known"
}
