#!/usr/bin/env bats
# install.bats: `make install` installs everything that applications and users need.

load helpers
load install

# Two installations that tests read: in a prefix, and below a DESTDIR.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	export USR=$PWD/usr STAGED=$PWD/root
	install_into "$USR"
	install_into /opt/msprof "$STAGED"
}

@test "C and C++ programs build with pkg-config alone, and record" {
	needs_plain_library
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
		$build -Wall -Wextra -Werror -o app $(libraries msprof_recorder) -Wl,-rpath,"$USR/lib"
		discard out/*
		./app
		import_job
		equal "$(calls "name = 'load'")" 1
	done
}

@test "so do programs of the vendor's calls, with the libraries of their names" {
	needs_plain_library
	printf '#include <acl/acl.h>\n#include <acl/acl_prof.h>\nint main() { return aclInit("acl.json") || aclFinalize(); }\n' >acl.c
	printf '#include <acl/svp_acl_prof.h>\nint main() { return svp_acl_init("acl.json") || svp_acl_finalize(); }\n' >svp.c
	for name in acl svp; do
		cp $name.c $name.cpp
		library=msprof_${name/#acl/aclprof}
		for build in "gcc $name.c" "g++ $name.cpp"; do
			# shellcheck disable=SC2046,SC2086 # words on purpose
			$build -Wall -Wextra -Werror -o app $(libraries "$library") -Wl,-rpath,"$USR/lib"
			discard out/*
			./app
			[[ $(ls out) =~ ^(JOB|PROF_) ]]
		done
	done
}

@test "the installed msprof finds its preload; a wrapped link and python find theirs" {
	needs_plain_library
	needs_plain_archives
	# shellcheck disable=SC2153 # helpers.bash sets BUILD
	run --separate-stderr env PATH="$USR/bin:$PATH" msprof --output=prof --application="$BUILD/tests/stub/app --executes 2"
	equal "$status" 0
	has "$(cat prof/PROF_*/mindstudio_profiler_output/api_statistic_*)" aclmdlExecute,
	PYTHONPATH=$USR/share/msprof/python python3 -B -c 'import msprof_acl as acl; assert acl.init("acl.json") == 0; acl.finalize()'
	ls -d out/PROF_*
	# shellcheck disable=SC2046 # words on purpose
	gcc "@$USR/lib/msprof_wrap.rsp" -o app "$ROOT/tests/recorder/stub_app.c" "$ROOT/tests/recorder/stub_acl.c" \
		"$USR"/lib/libmsprof_wrap.a $(libraries msprof_recorder) -lpthread -Wl,-rpath,"$USR/lib"
	discard out/*
	./app --config acl.json
	import_job
	equal "$(calls "name = 'aclmdlExecute'")" 3
}

@test "the manual pages of the calls have all texts of the headers, and no mistakes" {
	for header in "$ROOT"/lib/recorder/include/{msprof_recorder,acl/acl,acl/acl_prof,acl/acl_msprof,acl/svp_acl_prof,mstx/ms_tools_ext}.h; do
		page=${header#"$ROOT"/lib/recorder/include/}
		page=$BUILD/man3/${page%.h}.3
		equal "$(mandoc -T lint -W warning "$page")" ''
		mandoc -T utf8 -O width=1000 "$page" | col -b | tr -s ' \t\n' ' ' | tr -d '`' >rendered
		# the sentences of comments that begin a line
		mapfile -t sentences < <(sed -n 's/^ \* \([A-Z][^.`:]*\)\. .*/\1/p' "$header")
		[ ${#sentences[@]} -gt 0 ]
		for sentence in "${sentences[@]}"; do
			grep -qF "$sentence" rendered || fail "$page has no: $sentence"
		done
	done
}

@test "DESTDIR is where files go and nothing that they say; modes are those of a system's files" {
	for name in recorder aclprof svp; do
		equal "$(sed -n 's/^prefix=//p' "$STAGED/opt/msprof/lib/pkgconfig/msprof_$name.pc")" /opt/msprof
	done
	equal "$(sed -n 's/^Version: //p' "$STAGED"/opt/msprof/lib/pkgconfig/*.pc | sort -u)" "$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")"
	equal "$(grep -rlI --exclude='*.a' "$BATS_FILE_TMPDIR" "$STAGED")" ''
	equal "$(find "$STAGED" -type f ! -perm 0644 ! -path '*/bin/*' ! -path '*/libexec/*' ! -name '*.so*')" ''
	equal "$(find "$STAGED" -xtype l)" ''
	has "$(find "$STAGED" -name '*.h' | sort | xargs)" msprof_recorder.h acl/acl.h acl/acl_prof.h acl/svp_acl_prof.h
}

@test "LICENSE, manual, documents, headers and completions are installed" {
	for file in LICENSE README.md board.ini docs/COMPAT.md docs/SECURITY.md schema/README.md; do
		[ -s "$STAGED/opt/msprof/share/doc/msprof/$file" ]
	done
	equal "$(cd "$STAGED/opt/msprof/share/doc/msprof/docs" && ls)" "$(cd "$ROOT/docs" && ls -I man)"
	cmp "$STAGED"/opt/msprof/share/man/man1/msprof.1 "$ROOT/msprof.1"
	cmp "$STAGED"/opt/msprof/share/man/zh_CN/man1/msprof.1 "$ROOT/docs/man/zh_CN/msprof.1"
	equal "$(cd "$STAGED/opt/msprof/share/man" && find man1 man5 -type f | sort)" \
		"$({ echo man1/msprof.1 && cd "$BUILD" && find man1 man5 -type f; } | sort)"
	for library in recorder aclprof svp; do
		for name in $(nm -D --defined-only "$BUILD/libmsprof_$library.so" | sed -n 's/.* T \(.*\)@@MSPROF_[0-9.]*$/\1/p'); do
			grep -q "^\.Fn $name\b" "$STAGED/opt/msprof/share/man/man3/$name.3" || fail "no manual of $name"
		done
	done
	equal "$(readlink "$STAGED/opt/msprof/share/man/man3/mstxMarkA.3")" ms_tools_ext.3
	cmp "$STAGED"/opt/msprof/share/bash-completion/completions/msprof "$ROOT/cli/msprof.bash"
	cmp "$STAGED"/opt/msprof/share/zsh/site-functions/_msprof "$ROOT/cli/msprof.zsh"
	cmp "$STAGED"/opt/msprof/share/fish/vendor_completions.d/msprof.fish "$ROOT/cli/msprof.fish"
	equal "$(cd "$STAGED/opt/msprof/include" && find . -name '*.h' | sort)" "$(cd "$ROOT/lib/recorder/include" && find . -name '*.h' | sort)"
}

@test "uninstall removes what install wrote, and no other file" {
	install_into /usr/local "$PWD/root"
	[ -e root/usr/local/bin/msprof ]
	make_target uninstall PREFIX=/usr/local DESTDIR="$PWD/root"
	equal "$(find root -mindepth 1)" ''
	mkdir -p root/usr/local/{bin,include/acl,share/doc/msprof,share/msprof/python}
	foreign=$(printf '%s\n' root/usr/local/{bin/other,include/acl/acl_rt.h,share/doc/msprof/notes,share/msprof/python/mine.py} | sort)
	# shellcheck disable=SC2086 # words on purpose
	touch $foreign
	install_into /usr/local "$PWD/root"
	make_target uninstall PREFIX=/usr/local DESTDIR="$PWD/root"
	equal "$(find root ! -type d | sort)" "$foreign"
	# once more: nothing is there, nothing fails
	make_target uninstall PREFIX=/usr/local DESTDIR="$PWD/root"
	equal "$(find root ! -type d | sort)" "$foreign"
}

@test "uninstall of the system itself leaves directories that are not msprof's alone" {
	mkdir -p usr/include usr/share/man/man1
	install_into "$PWD/usr"
	make_target uninstall PREFIX="$PWD/usr"
	equal "$(find usr ! -type d)" ''
	equal "$(find usr -name '*msprof*' -o -name acl -o -name mstx)" ''
	[ -d usr/include ] && [ -d usr/share/man/man1 ] && [ -d usr/bin ]
}

@test "the recorder's libraries need the C library alone, hold of the schema the layouts alone, and cJSON for themselves" {
	needs_plain_library
	for file in "$BUILD"/*.so; do
		needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-linux.*)\.so\.[0-9]$' || true)
		[[ -z $needed || $needed == libmsprof_recorder.so.0 ]] || fail "$file: $needed"
	done
	for file in "$BUILD"/libmsprof_recorder.{so,a}; do
		has "$(strings "$file")" records/prof_host.rec pipe/op_desc.rec
		equal "$(strings "$file" | grep -E '^(sql|reports|learn|insight|page)/.')" ''
		# cJSON is within, and nobody else sees it
		has "$(nm "$file")" ' t cJSON_Delete'
		lacks "$(nm -g "$file")" cJSON
	done
}

@test "the version of the Makefile is that of the manual, the Python project, the Debian packages and a release of the changelog" {
	version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
	equal "$(sed -n 's/^\.Os msprof //p' "$ROOT/msprof.1")" "$version"
	equal "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$ROOT/lib/recorder/python/pyproject.toml")" "$version"
	equal "$(sed -n '1s/^msprof (\(.*\)-[0-9]*) .*/\1/p' "$ROOT/.packaging/debian/changelog")" "$version"
	grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" "$ROOT/docs/CHANGELOG.md"
}
