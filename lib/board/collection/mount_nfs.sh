#!/bin/sh
# mount_nfs.sh POINT MARKER MARK SERVER:PATH: mount a directory of an NFS server at POINT.
#
# The file MARKER exists before the mount does: whoever removes MARKER and unmounts ends a mount that is still under way,
# too. If MARKER is gone after the mount, the guard has cleared up meanwhile, and the mount came too late. Without MARK,
# the guard has looked for MARKER before (guard.sh), and nothing is mounted.

p=$1
m=$2
(: >"$m") || exit
[ -e "$3" ] || {
	rm -f "$m"
	exit 1
}
mount -t nfs -o nolock,tcp "$4" "$p" || {
	s=$?
	rm -f "$m"
	exit $s
}
[ -f "$m" ] || {
	umount "$p"
	exit 1
}
# The board's user may be nobody for the server: better said before the program finds out.
t=$p/.msprof.$$
(: >"$t") 2>/dev/null && rm -f "$t" && exit
rm -f "$m"
umount "$p"
echo "the user of the board may not write there; does the export squash root?" >&2
exit 1
