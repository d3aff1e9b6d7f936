#!/bin/sh
# sysroot.sh: static libraries of Debian for another processor, below a directory. Nothing is installed, and nobody need be root.
# Usage: CC=COMPILER OBJCOPY=PROGRAM sysroot.sh ARCHITECTURE DIR
#
# apt-get finds, checks and fetches the packages as it would for a machine of this architecture.
set -eu

architecture=$1 dir=$2
packages='libsqlite3-dev zlib1g-dev libarchive-dev nettle-dev libssh-dev libssl-dev libcmocka-dev libcmocka0 libcjson-dev libcjson1'
keys=/usr/share/keyrings/debian-archive-keyring.gpg

mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial"
cd "$dir"
for package in ./*.deb; do
	rm -f "$package" # of before
done
: >apt/status
# the mirrors of this machine, which apt-get knows from its lists: a machine may have none yet
mirrors() {
	apt-get indextargets --format "deb [signed-by=$keys] \$(REPO_URI) \$(CODENAME) \$(COMPONENT)" 'Created-By: Packages' 'Origin: Debian' |
		sort -u >apt/sources.list
	[ -s apt/sources.list ]
}
mirrors || { [ "$(id -u)" = 0 ] && apt-get update -qq && mirrors; } || {
	echo "sysroot.sh: apt-get of this machine knows no mirror of Debian: run apt-get update" >&2
	exit 1
}
cat >apt/apt.conf <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::State "$PWD/apt";
Dir::State::status "$PWD/apt/status";
Dir::Cache "$PWD/apt";
Dir::Etc::sourcelist "$PWD/apt/sources.list";
Dir::Etc::sourceparts "-";
END
export APT_CONFIG="$PWD/apt/apt.conf"
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
