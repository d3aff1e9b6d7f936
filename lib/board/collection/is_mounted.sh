#!/bin/sh
# is_mounted.sh POINT: whether something is mounted at POINT. Exit status 0 or 1.

while read -r _ m _; do
	[ "$m" = "$1" ] && exit 0
done </proc/mounts
exit 1
