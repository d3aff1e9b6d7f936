#!/bin/sh
# sysroot.sh: static libraries of Debian for another processor, below a directory. Nothing is installed, and nobody need be root.
# Usage: CC=COMPILER OBJCOPY=PROGRAM sysroot.sh ARCHITECTURE DIR
set -eu

architecture=$1 dir=$2
packages='libsqlite3-dev zlib1g-dev libarchive-dev nettle-dev libssh-dev libssl-dev libcmocka-dev libcmocka0 libcjson-dev libcjson1'
# shellcheck source=cli/apt.sh
. "$(dirname "$0")/apt.sh"

mkdir -p "$dir"
cd "$dir"
for package in ./*.deb; do
	rm -f "$package" # of before
done
private_apt deb Debian
cat >>"$APT_CONFIG" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
END
# a mirror may lack a list for a while; what is missed then is said below
apt-get update -qq || :
# shellcheck disable=SC2086 # words
apt-get download -qq $packages
for package in ./*.deb; do
	dpkg-deb -x "$package" .
done

# what only debuggers and C++ need is a tenth of a program
mkdir -p static
for library in usr/lib/*/*.a "$("$CC" -print-file-name=libc.a)"; do
	"$OBJCOPY" -R .eh_frame -R .rela.eh_frame -R .rel.eh_frame "$library" "static/${library##*/}"
done
