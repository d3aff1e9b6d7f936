# shellcheck shell=bash
# help.bash: the options of commands, as their help lists them.

# The lines of a command's help that describe options.
help_lines() {
	# shellcheck disable=SC2086 # words on purpose
	"$MSPROF" $1 --help | sed -n '/^Options:/,$p' | grep '^  -'
}

# The spellings at the head of a line such as "-q, --quiet  only ..." or "--format FORMAT".
spellings() {
	sed 's/^ *//; s/  .*//' | grep -oE -- '(^|[ ,])--?[a-z][a-z_-]*' | tr -d ' ,' | sort -u
}

help_options() {
	help_lines "$1" | spellings
}
