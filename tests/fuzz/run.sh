#!/bin/sh
# run.sh: run a fuzz target from its seeds and its corpus on, and print in a line what it reached. An input that fails is kept in
# the current directory.
# Usage: run.sh TARGET OPTION...  where TARGET is a program of the fuzzer, and options are those of libFuzzer
set -eu
target=$1
shift
name=${target##*/}
seeds=$(cd "$(dirname "$0")" && pwd)/seeds/$name
mkdir -p "corpus/$name"
[ -d "$seeds" ] || seeds=
status=0
TMPDIR=$PWD "$target" -rss_limit_mb=1024 -print_final_stats=1 "$@" "corpus/$name" ${seeds:+"$seeds"} >"$name.log" 2>&1 || status=$?
[ "$status" = 0 ] || tail -n 60 "$name.log" >&2
# lines of the fuzzer: "#12 INITED cov: 55 ft: 99 corp: 3/274b ..." of the seeds and the corpus, "#900 DONE cov: ..." at the end
awk -v name="$name" '
	$2 == "INITED" || $2 == "DONE" { for (i = 3; i < NF; i++) if ($i == "cov:" || $i == "ft:" || $i == "corp:") value[$2, $i] = $(i + 1) }
	$1 == "stat::number_of_executed_units:" { runs = $2 }
	$1 == "stat::average_exec_per_sec:" { speed = $2 }
	END {
		printf "%s: %d executions, %d a second; edges %d (%d at first), features %d (%d), corpus %s\n", name, runs, speed,
			value["DONE", "cov:"], value["INITED", "cov:"], value["DONE", "ft:"], value["INITED", "ft:"], value["DONE", "corp:"]
	}' "$name.log"
exit "$status"
