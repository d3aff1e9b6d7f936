#!/usr/bin/env bats
# clients.bats: programs that use the vendor's calls as public clients do, compiled here, run and read.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

CLIENTS=$ROOT/tests/recorder/clients
INCLUDE=$ROOT/lib/recorder/include

# client NAME COMPILER...: compile the client, linked with libmsprof_aclprof alone, and run it for out/
client() {
	local name=$1
	shift
	"$@" -Wall -Wextra -Werror -I"$INCLUDE" -o client "$CLIENTS/$name" -L"$BUILD" -Wl,-rpath,"$BUILD" -Wl,-rpath-link,"$BUILD" \
		-lmsprof_aclprof
	run --separate-stderr ./client out
	[ "$status" -eq 0 ] || fail "$name ended with $status: $output; $stderr"
	equal "$output" ''
}

stamps() {
	query "SELECT message, event_type, info_type, category, count(*), count(DISTINCT mark_id) FROM msproftx GROUP BY 1, 2 ORDER BY 1" |
		tr '\n' ' '
}

@test "a training: steps, marks on a stream and ranges of operators are recorded" {
	needs_plain_library
	client train.c cc
	equal "$stderr" ''
	complete_prof out/PROF*
	import_job
	equal "$(stamps)" 'launched|3|1|0|3|3 layer1/MatMul|1|0|0|3|1 step 1|2|0|0|1|1 step 2|2|0|0|1|1 step 3|2|0|0|1|1 '
	# each mark lies in its range, and each range in its step
	equal "$(query "SELECT count(*) FROM msproftx s JOIN msproftx r ON r.start_ns >= s.start_ns AND r.start_ns + r.dur_ns <= s.start_ns + s.dur_ns
		JOIN msproftx m ON m.start_ns BETWEEN r.start_ns AND r.start_ns + r.dur_ns
		WHERE s.message LIKE 'step%' AND r.message LIKE 'layer%' AND m.event_type = 3")" 3
}

@test "a client of older releases, in C++: categories are recorded, marks are switched off and on" {
	needs_plain_library
	client older.cpp c++
	equal "$(grep -c . <<<"$stderr")" 1
	has "$stderr" '[WARNING] msprof: aclprofReportStamp: the layout of the data is unknown'
	import_job
	equal "$(stamps)" 'seen|0|0|7|1|1 '
}

@test "a client that looks up every call by name" {
	needs_plain_library
	cc -Wall -Wextra -Werror -o client "$CLIENTS/lookup.c" -ldl
	run --separate-stderr ./client "$BUILD/libmsprof_aclprof.so" out
	[ "$status" -eq 0 ] || fail "lookup ended with $status: $output; $stderr"
	import_job
	equal "$(stamps)" 'here|3|1|0|1|1 '
}

@test "a client in Python: lengths, texts without a size, steps and marks on a stream" {
	needs_plain_library
	export PYTHONPATH=$ROOT/lib/recorder/python MSPROF_LIBRARY_PATH=$BUILD
	run --separate-stderr python3 "$CLIENTS/train.py" out
	[ "$status" -eq 0 ] || fail "train.py ended with $status: $output; $stderr"
	equal "$output" "(12, 0) (6, 0)
('Convolution', 0) ('conv1', 0)
(None, 100000) (None, 100000)
0 0 0 100000"
	import_job
	equal "$(stamps)" 'on the stream|3|1|0|1|1 step 1|2|0|0|1|1 '
}

@test "our headers and the vendor's base header compile in one program, whichever is first" {
	local language ours first second uses
	while IFS=: read -r ours first second uses; do
		# shellcheck disable=SC2086 # words
		printf '#include "%s"\n' "$first" "$second" $ours "$uses" >mixed.c
		for language in 'c -std=c99' 'c -std=c11' 'c++ -std=c++11'; do
			# shellcheck disable=SC2086 # two words
			cc -x $language -Wall -Wextra -Werror -fsyntax-only -I"$INCLUDE" -I"$CLIENTS" mixed.c
		done
	done <<-'END'
		acl/acl.h acl/acl_prof.h:vendor/acl/acl_base.h:acl/acl_prof.h:mixed.h
		acl/acl.h acl/acl_prof.h:acl/acl_prof.h:vendor/acl/acl_base.h:mixed.h
		acl/acl.h acl/acl_prof.h:acl/acl.h:vendor/acl/acl_base.h:mixed.h
		acl/svp_acl_prof.h:vendor/acl/svp_acl_base.h:acl/svp_acl_prof.h:mixed_svp.h
		acl/svp_acl_prof.h:acl/svp_acl_prof.h:vendor/acl/svp_acl_base.h:mixed_svp.h
	END
}

@test "whichever directory is first: a program gets the vendor's header, with all that it has" {
	local language order
	mkdir -p theirs/acl
	cp "$CLIENTS/vendor/acl/acl_base.h" theirs/acl
	printf '#pragma once\n#include "acl_base.h"\n#ifdef __cplusplus\nextern "C" {\n#endif\naclError aclInit(const char *path);\naclError aclrtSetDevice(int id);\n#ifdef __cplusplus\n}\n#endif\n' >theirs/acl/acl.h
	printf '#pragma once\n#include "acl/acl_base.h"\n#define INC_EXTERNAL_ACL_PROF_H_\n#define ACL_PROF_THEIRS 1\ntypedef struct aclprofConfig aclprofConfig;\n' >theirs/acl/acl_prof.h
	printf '#pragma once\n#define SVP_ACL_PROF_H\n#define SVP_ACL_PROF_THEIRS 1\n' >theirs/acl/svp_acl_prof.h
	touch theirs/acl/acl_rt.h theirs/acl/svp_acl_rt.h # as each tree of the vendor has
	cat >both.c <<-'END'
		#include "acl/acl.h"
		#include "acl/acl_prof.h"
		#include "acl/svp_acl_prof.h"
		int use(aclDataBuffer *buffer);
		int use(aclDataBuffer *buffer)
		{
			return aclInit(0) + aclrtSetDevice(0) + ACL_PROF_THEIRS + SVP_ACL_PROF_THEIRS + (buffer == aclCreateDataBuffer(0, 0));
		}
	END
	for language in 'c -std=c99' 'c -std=c11' 'c++ -std=c++11'; do
		for order in "-I$INCLUDE -Itheirs" "-Itheirs -I$INCLUDE"; do
			# shellcheck disable=SC2086 # words
			cc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only $order both.c
		done
	done
	discard theirs/acl
	run ! cc -fsyntax-only -I"$INCLUDE" -Itheirs both.c
	has "$output" aclrtSetDevice # which is the vendor's alone
	# alone, also in the last of all directories
	printf '#include "acl/acl.h"\n#include "acl/acl_prof.h"\n#include "acl/svp_acl_prof.h"\n' >ours.c
	cc -fsyntax-only -Wall -Wextra -Werror -idirafter "$INCLUDE" ours.c
}

# beside FAMILY LIBRARY...: build the vendor's substitute, and a client that links these libraries in this order
beside() {
	local family=$1
	shift
	cc -D"${family^^}" -shared -fPIC -Wall -Wextra -Werror -o libvendor.so "$CLIENTS/vendor/library.c"
	cc -DFAMILY_"${family^^}" -Wall -Wextra -Werror -I"$INCLUDE" -o client "$CLIENTS/beside.c" -Wl,--no-as-needed -L. -L"$BUILD" "$@" \
		-Wl,-rpath,"$PWD" -Wl,-rpath,"$BUILD" -Wl,-rpath-link,"$BUILD"
}

@test "beside the vendor's library, in both orders: both begin and end once, and sessions are recorded" {
	local family ours order
	needs_plain_library
	for family in acl svp; do
		ours=$([ "$family" = svp ] && echo -lmsprof_svp || echo -lmsprof_aclprof)
		for order in "$ours -lvendor" "-lvendor $ours"; do
			discard out/*
			# shellcheck disable=SC2086 # two words
			beside "$family" $order
			run --separate-stderr ./client out
			equal "$output" $'vendor begins -\ninit 0, begin 0\nstart 0\nstop 0\nend 0\nvendor ends\nfinalize 0'
			equal "$stderr" ''
			equal "$(find out -mindepth 1 -maxdepth 1 -name '[JP]*' | wc -l)" 1
		done
	done
}

@test "beside the vendor's library its result of aclInit counts; alone, aclprofInit demands aclInit" {
	needs_plain_library
	beside acl -lmsprof_aclprof -lvendor
	run --separate-stderr ./client out '!wrong'
	has "$output" 'vendor begins !wrong' 'init 100003'
	lacks "$stderr" 'aclInit:'
	run --separate-stderr ./client out gone.json
	has "$output" 'init 0'
	has "$stderr" '[ERROR]' 'aclInit: ' gone.json
	run --separate-stderr "$BUILD/tests/acl/app" 'init(out)'
	has "$output" 'init(out) 100001'
}

@test "with the preload as well, each library begins once" {
	needs_plain_library
	beside acl -lmsprof_aclprof -lvendor
	run --separate-stderr env LD_PRELOAD="$BUILD/libmsprof_preload.so" ./client out
	equal "$(grep -c 'vendor begins' <<<"$output")$(grep -c 'vendor ends' <<<"$output")" 11
	has "$output" 'init 0, begin 0' 'finalize 0'
	beside acl -lmsprof_aclprof
	run --separate-stderr env LD_PRELOAD="$BUILD/libmsprof_preload.so" ./client out
	has "$output" 'init 0, begin 0' 'finalize 0'
}
