#!/bin/sh
# claim.sh DIR ID look|claim|replace: whether DIR belongs to the project ID, and mark it as that project's.
#
# A directory without a mark belongs to whoever comes. look: only look; replace: only mark. A board that cannot keep
# the mark is used all the same. Exit status: 79 DIR belongs to another project, 100 no DIR.

umask 027
unset CDPATH
cd "$1" || exit 100
m=.msprof.source
s=
if [ "$3" != replace ]; then
	[ ! -f $m ] || read -r s <$m
	case $s in "" | "$2") ;; *) exit 79 ;; esac
fi
[ "$3" = look ] || { echo "$2" >$m; } 2>/dev/null || :
