#!/usr/bin/env bats
# install.bats: installations that packages and small systems make, which tests/recorder/install.bats does not have.

load ../recorder/helpers
load ../recorder/install

@test "LIBDIR: libraries and pkg-config files are there, and programs find them" {
	needs_plain_library
	for libdir in "$PWD/usr/lib/cpu-linux-gnu" "$PWD/lib64"; do
		make_target install PREFIX="$PWD/usr" LIBDIR="$libdir"
		equal "$(find usr/lib -maxdepth 1 ! -type d)" ''
		has "$(libraries msprof_recorder "$libdir")" "-L$libdir"
		run --separate-stderr env PATH="$PWD/usr/bin:$PATH" msprof --output=prof --application="$BUILD/tests/stub/app --executes 2"
		equal "$status" 0
		has "$(cat prof/PROF_*/mindstudio_profiler_output/api_statistic_*)" aclmdlExecute,
		PYTHONPATH=$PWD/usr/share/msprof/python python3 -B -c 'import msprof_acl as acl; assert acl.init("acl.json") == 0; acl.finalize()'
		make_target uninstall PREFIX="$PWD/usr" LIBDIR="$libdir"
		equal "$(find usr lib64 ! -type d 2>/dev/null)" ''
	done
	# the directory moves with the prefix where it is in it
	make_target install PREFIX=/opt/msprof LIBDIR=/opt/msprof/lib64 DESTDIR="$PWD/root"
	equal "$(sed -n 's/^libdir=//p' root/opt/msprof/lib64/pkgconfig/msprof_svp.pc)" "\${prefix}/lib64"
}

@test "install-strip: programs and libraries without symbols that nothing needs" {
	needs_plain_library
	needs_plain_archives
	make_target install-strip PREFIX="$PWD/usr"
	for file in usr/bin/msprof usr/lib/*.so; do
		equal "$file: $(readelf -SW "$file" | grep -oE '\.(symtab|debug_info)')" "$file: "
	done
	for file in usr/lib/*.a; do
		equal "$file: $(readelf -SW "$file" | grep -oE '\.debug_info')" "$file: "
	done
	usr/bin/msprof --version
	# shellcheck disable=SC2046 # words on purpose
	gcc "@$PWD/usr/lib/msprof_wrap.rsp" -o app "$ROOT/tests/recorder/stub_app.c" "$ROOT/tests/recorder/stub_acl.c" \
		usr/lib/libmsprof_wrap.a usr/lib/libmsprof_recorder.a $(PKG_CONFIG_PATH=usr/lib/pkgconfig pkg-config --static --libs msprof_recorder |
			sed 's/-lmsprof_recorder//') -lpthread
	./app --config acl.json
	import_job
	equal "$(calls "name = 'aclmdlExecute'")" 3
}
