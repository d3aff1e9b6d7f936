#!/usr/bin/env bats
# install.bats: what `make install` puts in place is all that applications and users need.

load helpers

# install_into PREFIX [DESTDIR]
install_into() {
	umask 0022
	# shellcheck disable=SC2153 # helpers.bash sets BUILD
	make -C "$ROOT" install BUILD="$BUILD" PREFIX="$1" DESTDIR="${2:-}" >make.log 2>&1 || fail "$(tail -5 make.log)"
	umask 0027
}

# libraries NAME: options for a program that uses one
libraries() {
	PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig pkg-config --cflags --libs "$1"
}

@test "C and C++ programs build with pkg-config alone, and record" {
	needs_plain_library
	install_into "$PWD/usr"
	cat >app.c <<-'END'
		#include <msprof_recorder.h>
		int main(void)
		{
			uint64_t begin;
			if (msprof_init("acl.json", MSPROF_SVP))
				return 1;
			begin = msprof_begin();
			msprof_model_loaded(1, "net");
			msprof_api_end(begin, MSPROF_MODEL, msprof_name("load"), 1);
			return msprof_finalize();
		}
	END
	cp app.c app.cpp
	# shellcheck disable=SC2046 # words on purpose
	for build in "gcc app.c" "g++ app.cpp" "gcc -static-libgcc app.c"; do
		$build -Wall -Wextra -Werror -o app $(libraries msprof_recorder) -Wl,-rpath,"$PWD/usr/lib"
		rm -rf out/*
		./app
		import_job
		equal "$(calls "name = 'load'")" 1
	done
}

@test "so do programs of the vendor's calls, with the libraries of their names" {
	needs_plain_library
	install_into "$PWD/usr"
	printf '#include <acl/acl.h>\n#include <acl/acl_prof.h>\nint main() { return aclInit("acl.json") || aclFinalize(); }\n' >acl.c
	printf '#include <acl/svp_acl_prof.h>\nint main() { return svp_acl_init("acl.json") || svp_acl_finalize(); }\n' >svp.c
	for name in acl svp; do
		cp $name.c $name.cpp
		library=msprof_${name/#acl/aclprof}
		for build in "gcc $name.c" "g++ $name.cpp"; do
			# shellcheck disable=SC2046,SC2086 # words on purpose
			$build -Wall -Wextra -Werror -o app $(libraries "$library") -Wl,-rpath,"$PWD/usr/lib"
			rm -rf out/*
			./app
			ls -d out/JOB*
		done
	done
}

@test "the installed msprof finds its preload; a wrapped link and python find theirs" {
	needs_plain_library
	install_into "$PWD/usr"
	run --separate-stderr env PATH="$PWD/usr/bin:$PATH" msprof --output=prof --application="$BUILD/tests/stub/app --executes 2"
	equal "$status" 0
	has "$(cat prof/PROF_*/mindstudio_profiler_output/api_statistic_*)" aclmdlExecute,
	PYTHONPATH=$PWD/usr/share/msprof/python python3 -c 'import msprof_acl as acl; assert acl.init("acl.json") == 0; acl.finalize()'
	ls -d out/JOB*
	# shellcheck disable=SC2046 # words on purpose
	gcc "@$PWD/usr/lib/msprof_wrap.rsp" -o app "$ROOT/tests/recorder/stub_app.c" "$ROOT/tests/recorder/stub_acl.c" \
		usr/lib/libmsprof_wrap.a $(libraries msprof_recorder) -lpthread -Wl,-rpath,"$PWD/usr/lib"
	rm -rf out/*
	./app --config acl.json
	import_job
	equal "$(calls "name = 'aclmdlExecute'")" 3
}

@test "DESTDIR is where files go and nothing that they say; modes are those of a system's files" {
	install_into /opt/msprof "$PWD/root"
	for name in recorder aclprof svp; do
		equal "$(sed -n 's/^prefix=//p' "root/opt/msprof/lib/pkgconfig/msprof_$name.pc")" /opt/msprof
	done
	equal "$(grep -rlI --exclude='*.a' "$PWD" root)" ''
	equal "$(find root -type f ! -perm 0644 ! -path '*/bin/*' ! -name '*.so*')" ''
	equal "$(find root -xtype l)" ''
	has "$(find root -name '*.h' | sort | xargs)" msprof_recorder.h acl/acl.h acl/acl_prof.h acl/svp_acl_prof.h
}
