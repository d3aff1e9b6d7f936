#!/bin/sh
# claim.sh DIR ID look|claim|replace: whether DIR belongs to the project ID, and mark it as that project's.
#
# A directory without a mark belongs to whoever comes. A mark that cannot be read is another project's. look: only look;
# replace: only mark. A board that cannot keep the mark is used all the same. The answer is "ours", or exit status 79 when
# DIR belongs to another project, 100 without DIR.

umask 027
unset CDPATH
cd "$1" || exit 100
m=.msprof.source
if [ "$3" != replace ] && { [ -e $m ] || [ -L $m ]; }; then
	s=
	read -r s <$m
	[ "$s" = "$2" ] || exit 79
fi
[ "$3" = look ] || { echo "$2" >$m.new && mv -f $m.new $m; } 2>/dev/null || rm -f $m.new
echo ours
