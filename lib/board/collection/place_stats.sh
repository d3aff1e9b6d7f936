#!/bin/sh
# place_stats.sh FILE [JOB]: put the samples of the board into a JOB that has none; without a JOB remove FILE.
#
# JOB/board_stats.txt appears when it is complete. It does not count as data of the JOB: records are in JOB/data alone.

umask 027
if [ $# = 1 ]; then
	rm -f "$1"
	exit
fi
[ -s "$1" ] && [ ! -e "$2/board_stats.txt" ] || exit 0
cp "$1" "$2/.board_stats.txt" && mv "$2/.board_stats.txt" "$2/board_stats.txt" && exit 0
rm -f "$2/.board_stats.txt"
exit 1
