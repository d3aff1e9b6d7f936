#!/bin/sh
# fakeboard.sh: the program on a board: reads its acl.json and writes a job, slice by slice, each with its marker last.
# fakeboard.sh OPTION...: --job DIR what to write (none: no job), --name NAME, --exit N,
# --hang (never ends), --wait FILE (ends when it is there), --ignore-term, --child (leaves a process behind, its number in `child`),
# --say TEXT, --acl FILE (default: acl.json). One that hangs or waits says "all is written" before.
set -eu
job='' name=JOBFAKE$$ code=0 hang='' child='' acl=acl.json
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
	*) echo "argument: $1" ;;
	esac
	shift
done
echo "umask $(umask) in $(pwd)"
cp "$acl" seen.json
output=$(sed -n 's/.*"output": *"\([^"]*\)".*/\1/p' "$acl")
if [ -n "$child" ]; then
	sleep 600 >/dev/null 2>&1 &
	echo $! >child
fi
if [ -n "$job" ] && [ -d "$output" ]; then
	mkdir -p "$output/$name/data"
	cp -p "$job"/info.json.* "$output/$name/"
	for f in "$job"/data/*; do
		case $f in *.done) continue ;; esac
		cp -p "$f" "$output/$name/data/"
		[ ! -e "$f.done" ] || cp -p "$f.done" "$output/$name/data/"
	done
fi
[ -z "$hang" ] || echo all is written
while [ -n "$hang" ] && [ ! -e "$hang" ]; do sleep 0.2; done
exit "$code"
