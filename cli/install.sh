#!/bin/sh
# install.sh: installs, strips or uninstalls the files that standard input lists, one a line: KIND FROM TO.
# Usage: DESTDIR= PREFIX= LIBDIR= VERSION= STRIP= install.sh install|strip|uninstall|refuse
#
# KIND: elf (a program or shared library), program (a script), archive, file, link (FROM is its text), or pc (for pkg-config or CMake:
# FROM is filled in). `refuse` changes nothing: it fails where a tree in place of CANN's must not lie.
set -eu

# put KIND FROM TO: TO is the place on this machine
put() {
	install -d "${3%/*}"
	echo "$3"
	case $1 in
	elf | program) install -m 0755 "$2" "$3" ;;
	link) ln -sfn "$2" "$3" ;;
	pc)
		# the library's directory moves with the prefix, where it is in it
		case $LIBDIR in
		"$PREFIX"/*) at="\${prefix}/${LIBDIR#"$PREFIX"/}" ;;
		*) at=$LIBDIR ;;
		esac
		sed -e "s|@PREFIX@|$PREFIX|" -e "s|@LIBDIR@|$at|" -e "s|@VERSION@|$VERSION|" "$2" >"$3"
		chmod 0644 "$3"
		;;
	*) install -m 0644 "$2" "$3" ;;
	esac
}

# strip_symbols KIND TO
strip_symbols() {
	case $1 in
	elf) "$STRIP" --strip-unneeded "$2" ;;
	archive) "$STRIP" --strip-debug "$2" ;;
	esac
}

# remove_empty DIRECTORY: where it is empty, and those above; of the system's those of msprof alone, below a DESTDIR all
remove_empty() {
	dir=$1
	while [ -n "$dir" ]; do
		case $DESTDIR${dir#"$PREFIX"} in
		/include/acl | /include/mstx | /libexec/msprof | /share/msprof | /share/msprof/* | /share/doc/msprof | /share/doc/msprof/*) ;;
		/lib/msprof | */cmake/msprof) ;;
		/tools | /tools/profiler | /tools/profiler/*) ;;
		*) [ -n "$DESTDIR" ] || return 0 ;;
		esac
		if [ -d "$DESTDIR$dir" ] && [ ! -h "$DESTDIR$dir" ] && [ -z "$(ls -A "$DESTDIR$dir")" ]; then
			rmdir "$DESTDIR$dir"
		fi
		dir=${dir%/*}
	done
}

# Fail unless PREFIX is empty of CANN and of other programs of that name, or has a tree of ours.
refuse_cann() {
	root=$DESTDIR$PREFIX
	case $PREFIX in *tools*)
		echo "install: PREFIX '$PREFIX' contains 'tools', where front ends cut the path: choose another" >&2
		exit 1
		;;
	esac
	! grep -qs '^# msprof: a front end of msprof' "$root/tools/profiler/profiler_tool/analysis/msprof/msprof.py" || exit 0
	for other in tools/profiler bin/msprof version.cfg compiler runtime opp; do
		[ -e "$root/$other" ] || [ -h "$root/$other" ] || continue
		echo "install: '$root/$other' is there, of CANN or another program: choose an empty PREFIX for the tree" >&2
		exit 1
	done
	exit 0
}
[ "$1" != refuse ] || refuse_cann

emptied='' # the directories of the removed files, the same one once where its files follow each other
while read -r kind from to; do
	[ -n "$to" ] || continue
	case $1 in
	install) put "$kind" "$from" "$DESTDIR$to" ;;
	strip) strip_symbols "$kind" "$DESTDIR$to" ;;
	uninstall)
		rm -f "$DESTDIR$to"
		[ "${to%/*}" = "${last:-}" ] || emptied="$emptied${to%/*}
"
		last=${to%/*}
		;;
	esac
done
printf '%s' "$emptied" | while read -r place; do
	remove_empty "$place"
done
