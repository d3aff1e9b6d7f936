#!/bin/sh
# deb.sh: Debian packages of a release tarball. `debian` lies in .packaging, and is put in place in a copy; cJSON's source is a second tarball.
# Usage: deb.sh VERSION TARBALL CJSON DIRECTORY: CJSON is the directory cjson with its source
set -eu
version=$1 tarball=$2 cjson=$3 out=$4
packaging=$(cd "$(dirname "$0")" && pwd)
command -v dh >/dev/null || { echo "deb: no debhelper: make deps-packages" >&2; exit 1; }
mkdir -p "$out"
cp "$tarball" "$out/msprof_$version.orig.tar.gz"
tar xzf "$tarball" -C "$out"
tar czf "$out/msprof_$version.orig-cjson.tar.gz" -C "${cjson%/*}" cjson
cp -r "$cjson" "$out/msprof-$version/cjson"
cd "$out/msprof-$version"
cp -r "$packaging/debian" debian
[ "$(dpkg-parsechangelog -S Version | sed 's/-[^-]*$//')" = "$version" ] ||
	{ echo "deb: .packaging/debian/changelog is not of version $version" >&2; exit 1; }
for library in recorder/recorder recorder/faces/aclprof recorder/faces/svp; do
	awk -v package=libmsprof-recorder0 -v library="libmsprof_${library##*/}.so.0" -f "$packaging/symbols.awk" "lib/$library.map"
done >debian/libmsprof-recorder0.symbols
# the vendor's name has no versions
{
	echo "libms_tools_ext.so libmsprof-recorder0 #MINVER#"
	{
		echo InitInjectionMstx
		for header in lib/recorder/include/mstx/*.h; do
			awk -v names=1 -f lib/recorder/man3.awk "$header"
		done
	} | sed 's/.*/ &@Base 0.9.0/'
} >>debian/libmsprof-recorder0.symbols
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD CFLAGS CPPFLAGS LDFLAGS
DEB_BUILD_OPTIONS="parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -us -uc
cd ..
ls ./*.deb
