#!/bin/sh
# is_mounted.sh POINT: print "mounted" when something is mounted at POINT, else "free". Other answers are no answer.

[ -r /proc/mounts ] || exit 1
while read -r _ m _; do
	[ "$m" != "$1" ] || {
		echo mounted
		exit 0
	}
done </proc/mounts
echo free
