#!/usr/bin/env bats
# defaults.bats: what msprof does without being told: the jobs of the current directory, variables, and the file of the user.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	fresh_job
	fresh_home
	mkdir -p "$HOME/.config/msprof"
	FILE=$HOME/.config/msprof/config
	cd "$BATS_TEST_TMPDIR" || return
}

# config LINE...: the file of the user
config() {
	printf '%s\n' '[defaults]' "$@" >"$FILE"
}

# vendor, guide: whose columns show has
vendor() {
	expect 0 show -q -dir "$JOB"
	has "$output" "AI Core Metrics"
}

guide() {
	expect 0 show -q -dir "$JOB"
	has "$output" "AA Core Metrics"
}

@test "msprof alone names the jobs of the directory and what can be done with them" {
	expect 2
	name=${JOB##*/}
	equal "$(head -1 <<<"$stderr")" "This directory has the job $name. Write 'msprof COMMAND $name' to"
	has "$stderr" "advise           tell where the time went"
	lacks "$stderr" "collect          run"
	expect 2 show
	equal "$(head -1 <<<"$stderr")" "msprof: error: the directory of the job is missing: 'msprof show -dir $name'"
	cp -r "$JOB" 'JOB it'"'"'s'
	expect 2
	has "$stderr" "This directory has 2 jobs. Write 'msprof COMMAND .'"
	expect 2 show
	has "$stderr" "'msprof show -dir .'"
	cd "$JOB"
	expect 2
	has "$stderr" "This directory is a job. Write 'msprof COMMAND .'"
	cd "$HOME"
	expect 2
	has "$stderr" "Usage: msprof COMMAND"
}

@test "a job whose name is hostile to a terminal or a shell is named safely" {
	mkdir only && mv "$JOB" only/$'JOB\e[31m x' && cd only
	expect 2
	lacks "$stderr" $'\e'
	has "$stderr" "COMMAND 'JOB"
	# a name that ends the quotes runs nothing of itself
	mv JOB* "JOB'; touch here; '"
	expect 2
	word=$(sed -n "1s/.* Write 'msprof COMMAND \(.*\)' to$/\1/p" <<<"$stderr")
	eval "set -- $word"
	equal "$1" "JOB'; touch here; '"
	[ ! -e here ]
}

@test "the file, a variable, an option: the later counts more" {
	guide
	config 'style = vendor'
	vendor
	MSPROF_STYLE=guide guide
	MSPROF_STYLE='' vendor
	expect 0 show -q -dir "$JOB" --style guide
	has "$output" "AA Core Metrics"
	MSPROF_CONFIG='' guide
	mkdir -p xdg/msprof && printf '[defaults]\nstyle = guide\n' >xdg/msprof/config
	XDG_CONFIG_HOME=$PWD/xdg guide
	MSPROF_CONFIG=$FILE XDG_CONFIG_HOME=$PWD/xdg vendor
}

@test "board and output are those of collect alone, and not where other options exclude them" {
	printf '[ssh_config]\nip = 127.0.0.1\nusername = nobody\nport = 1\n' >"$HOME/board.ini" && chmod 600 "$HOME/board.ini"
	mkdir -p app/out && printf '#!/bin/sh\n' >app/out/main && chmod 755 app/out/main && cd app
	config "board = ~/board.ini" "output = ~/results"
	expect 4 collect -m out/main
	has "$stderr" 127.0.0.1
	[ -d "$HOME/results" ]
	MSPROF_BOARD=$HOME/other.ini expect 1 collect -m out/main
	has "$stderr" other.ini
	run --separate-stderr "$MSPROF" collect --local -m out/main --dry-run
	lacks "$stderr" "cannot be combined"
	run --separate-stderr "$MSPROF" collect --resume "$HOME/results"
	lacks "$stderr" "cannot be combined"
	expect 0 export summary -q -dir "$JOB"
	[ -d "$JOB/summary" ]
}

@test "layouts: those of the file are used, and named where they are wrong" {
	mkdir "$HOME/layouts" && cp "$ROOT/schema/records/svp.rec" "$HOME/layouts"
	config 'layouts = ~/layouts'
	expect 0 check -q -dir "$JOB"
	echo nonsense >"$HOME/layouts/svp.rec"
	expect 1 check -q -dir "$JOB"
	has "$stderr" "svp.rec"
}

@test "errors name the file and the line, or the variable" {
	config 'style = loud'
	expect 2 show "$JOB"
	has "$stderr" "invalid style 'loud' (guide or vendor)" "'$FILE' line 2"
	MSPROF_STYLE=quiet expect 2 show "$JOB"
	has "$stderr" "invalid style 'quiet'" "the variable MSPROF_STYLE"
	expect 0 query "$JOB" # has no style
	config 'layouts = here'
	expect 2 show "$JOB"
	has "$stderr" "line 2: layouts: a path begins with '/' or '~/'"
	config 'layouts = ~/here'
	MSPROF_CONFIG=$FILE run --separate-stderr env -u HOME "$MSPROF" show "$JOB"
	equal "$status" 2
	has "$stderr" "line 2: layouts: '~' is the directory of the variable HOME, which is not set"
	config 'stlye = vendor'
	expect 0 show -q "$JOB"
	has "$stderr" "line 2: unknown key 'stlye'; did you mean 'style'?"
	for line in nonsense '[other]' '[defaults' $'style = v\001endor' 'style = vendor'; do
		config '# a comment' "$line" 'style = guide'
		expect 2 show "$JOB"
		has "$stderr" "'$FILE' line "
		[ "$line" != 'style = vendor' ] || has "$stderr" "line 4: style: given before, in line 3"
		lacks "$stderr" $'\001'
	done
}

@test "a file that cannot be read: silently missing, or said" {
	guide
	MSPROF_CONFIG=$PWD/nosuch expect 2 show "$JOB"
	has "$stderr" "cannot open '$PWD/nosuch'"
	mkfifo "$FILE"
	expect 2 show "$JOB"
	has "$stderr" "is not a regular file"
	rm "$FILE"
	head -c 70000 /dev/zero | tr '\0' '#' >"$FILE"
	expect 2 show "$JOB"
	has "$stderr" "larger than"
	printf '[defaults]\nstyle\0=vendor\n' >"$FILE"
	expect 2 show "$JOB"
	expect 2 show # the command line is judged first
	has "$stderr" "directory of the job is missing"
	HOME=relative guide
}

# marked COMMAND...: standard output of msprof begins with the mark
marked() {
	[ "$("$MSPROF" "$@" 2>/dev/null | head -c 3 | od -An -tx1)" = " ef bb bf" ]
}

@test "bom: CSV with a mark for Excel, by the option, the file or the variable" {
	plain=$("$MSPROF" show -q -dir "$JOB" --format csv --table overview)
	marked show -q -dir "$JOB" --format csv --table overview --bom
	equal "$("$MSPROF" show -q -dir "$JOB" --format csv --table overview --bom)" $'\xef\xbb\xbf'"$plain"
	equal "$("$MSPROF" show -q -dir "$JOB" --format json --bom | head -c 1)" "{"
	run ! marked show -q -dir "$JOB" --format csv --table overview
	MSPROF_BOM=yes marked show -q -dir "$JOB" --format csv --table overview
	config 'bom = yes'
	marked query -q -dir "$JOB" --format csv
	MSPROF_BOM=no run ! marked query -q -dir "$JOB" --format csv
	expect 0 export summary -q -dir "$JOB"
	for file in "$JOB"/summary/*.csv; do
		equal "$(head -c 3 "$file")" $'\xef\xbb\xbf'
	done
	config 'bom = 1'
	expect 2 query "$JOB"
	has "$stderr" "invalid bom '1' (yes or no)" "line 2"
}
