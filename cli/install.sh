#!/bin/sh
# install.sh: installs, strips or uninstalls the files that standard input lists, one a line: KIND FROM TO.
# Usage: DESTDIR= PREFIX= LIBDIR= VERSION= STRIP= install.sh install|strip|uninstall
#
# KIND: elf (a program or shared library), archive, file, link (FROM is its text), or pc (for pkg-config or CMake: FROM is filled in).
set -eu

# put KIND FROM TO: TO is the place on this machine
put() {
	install -d "${3%/*}"
	echo "$3"
	case $1 in
	elf) install -m 0755 "$2" "$3" ;;
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
		*) [ -n "$DESTDIR" ] || return 0 ;;
		esac
		if [ -d "$DESTDIR$dir" ] && [ ! -h "$DESTDIR$dir" ] && [ -z "$(ls -A "$DESTDIR$dir")" ]; then
			rmdir "$DESTDIR$dir"
		fi
		dir=${dir%/*}
	done
}

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
