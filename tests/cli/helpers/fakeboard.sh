#!/bin/sh
# fakeboard.sh: the program on a board: reads its acl.json and writes a job, slice by slice, each with its marker last.
# fakeboard.sh OPTION...: --job DIR what to write (none: no job), --name NAME, --exit N,
# --hang (never ends), --wait FILE (ends when it is there), --ignore-term, --child (leaves a process behind, its number in `child`),
# --say TEXT, --acl FILE (default: acl.json). One that hangs or waits says "all is written" before.
# --obey: of the job only what acl.json turns on, as the boards' library does. --halves FILE: the first inference of each model, and
# the others when FILE is there.
set -eu
job='' name=JOBFAKE$$ code=0 hang='' child='' acl=acl.json obey='' halves=''
while [ $# -gt 0 ]; do
	case $1 in
	--job) job=$2; shift ;;
	--name) name=$2; shift ;;
	--exit) code=$2; shift ;;
	--say) echo "$2"; echo "error: $2" >&2; shift ;;
	--acl) acl=$2; shift ;;
	--hang) hang=/nothing/ever ;;
	--wait) hang=$2; shift ;;
	--child) child=1 ;;
	--ignore-term) trap '' TERM ;;
	--obey) obey=1 ;;
	--halves) halves=$2; shift ;;
	*) echo "argument: $1" ;;
	esac
	shift
done
echo "umask $(umask) in $(pwd)"
cp "$acl" seen.json

# setting KEY: its text in acl.json; what is not a text is not read
setting() {
	sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p' "$acl"
}

# is_on FILE: whether acl.json asks for the file
is_on() {
	case $1 in
	aicore.*) [ "$(setting aic_metrics)" = ArithmeticUtilization ] ;;
	aicpu.*) [ "$(setting aicpu)" = on ] ;;
	acl_api.*) [ "$(setting acl_api)" = on ] ;;
	*) true ;;
	esac
}

# put FILE: a file of the job, and its marker
put() {
	cp -p "$job/data/$1" "$data/"
	[ ! -e "$job/data/$1.done" ] || cp -p "$job/data/$1.done" "$data/"
}

# put_shared FILE first|all: several inferences lie in the file in order of time, each with a marker of its own
put_shared() {
	at=0
	: >"$data/$1"
	grep -H '^start_time:' "$job"/data/aicore.*.done | sort -t : -k 3n | cut -d : -f 1 | while read -r marker; do
		len=$(sed -n 's/^file_len://p' "$marker")
		case $2/$marker in
		all/* | *.0.done)
			tail -c "+$((at + 1))" "$job/data/$1" | head -c "$len" >>"$data/$1"
			cp -p "$marker" "$data/"
			;;
		esac
		at=$((at + len))
	done
}

# write_job first|all: of each model the first inference, or all of them
write_job() {
	data=$output/$name/data
	mkdir -p "$data"
	cp -p "$job"/info.json.* "$output/$name/"
	for f in "$job"/data/*; do
		f=${f##*/}
		[ -z "$obey" ] || is_on "$f" || continue
		case $1/$f in
		*.done) ;;
		*/aicore.*.*.*.*) if [ "$1" = all ] || [ "${f##*.}" = 0 ]; then put "$f"; fi ;;
		*/aicore.*) put_shared "$f" "$1" ;;
		first/aicpu.*) if [ "${f##*.}" = 0 ]; then put "$f"; fi ;;
		*) put "$f" ;;
		esac
	done
}

output=$(setting output)
what=all
if [ -n "$obey" ]; then
	[ "$(setting interval)" != 0 ] || what=first
	[ -d "$output" ] || output=.
	[ "$(setting switch)" = on ] || job=''
fi
if [ -n "$child" ]; then
	sleep 600 >/dev/null 2>&1 &
	echo $! >child
fi
if [ -n "$job" ] && [ -d "$output" ]; then
	if [ -n "$halves" ]; then
		write_job first
		while [ ! -e "$halves" ]; do sleep 0.1; done
	fi
	write_job "$what"
fi
[ -z "$hang" ] || echo all is written
while [ -n "$hang" ] && [ ! -e "$hang" ]; do sleep 0.2; done
exit "$code"
