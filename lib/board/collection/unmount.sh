#!/bin/sh
# unmount.sh POINT MARKER: undo mount_nfs.sh after an error: a mount may have been left behind, or be under way.

[ ! -f "$2" ] || {
	rm -f "$2"
	umount "$1"
}
