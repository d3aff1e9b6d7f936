#!/bin/sh
# fakemount.sh: mount and umount of a board, as which it is linked: notes its arguments in $FAKE_MOUNT_LOG, one call a
# line. mount binds the directory behind the first ':' of its source; umount really unmounts. While $FAKE_MOUNT_LOG.NAME
# is there the command called so fails; mount waits until $FAKE_MOUNT_LOG.slow is gone.
name=${0##*/}
{
	printf '%s' "$name"
	printf ' <%s>' "$@"
	echo
} >>"$FAKE_MOUNT_LOG"
if [ -e "$FAKE_MOUNT_LOG.$name" ]; then
	echo "$name.nfs: access denied by server" >&2
	exit 32
fi
case $name in
mount)
	while [ -e "$FAKE_MOUNT_LOG.slow" ]; do sleep 0.05; done
	shift 4
	/bin/mount --bind "${1#*:}" "$2"
	;;
umount) /bin/umount "$1" ;;
esac
