#!/usr/bin/env bats
# sysroot.bats: where static libraries and cJSON's source come from: the mirrors that apt-get of the machine knows.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers

# An apt-get whose lists are there after an update, and that fetches nothing.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir bin
	cat >bin/apt-get <<-'END'
		#!/bin/sh
		echo "$1" >>calls
		case $1 in
		update) [ "${APT_CONFIG:-}" ] || touch ../lists ;;
		indextargets) [ ! -e ../lists ] || printf 'deb mirror b\ndeb mirror a\ndeb mirror a\n' ;;
		download) touch one.deb ;;
		source) [ ! -e ../lists ] || { mkdir cjson-1 && touch cjson-1/cJSON.c cjson-1/cJSON.h cjson-1/LICENSE; } ;;
		esac
	END
	printf '#!/bin/sh\nmkdir -p usr/lib/x && touch usr/lib/x/one.a\n' >bin/dpkg-deb
	printf '#!/bin/sh\necho %s/libc.a\n' "$PWD" >bin/cc
	printf '#!/bin/sh\ntouch "$8"\n' >bin/objcopy
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
}

sysroot() {
	run --separate-stderr env CC=cc OBJCOPY=objcopy "$ROOT/cli/sysroot.sh" arm64 root
}

@test "the mirrors of the machine, once each" {
	touch lists
	sysroot
	equal "$status" 0
	equal "$(cat root/apt/sources.list)" "deb mirror a
deb mirror b"
	equal "$(xargs <root/calls)" "indextargets update download"
	[ -e root/static/one.a ] && [ -e root/static/libc.a ]
}

@test "a machine whose apt-get has no lists yet: root fetches them, others are told" {
	[ "$(id -u)" = 0 ] || {
		sysroot
		equal "$status" 1
		has "$stderr" "run apt-get update"
		return
	}
	sysroot
	equal "$status" 0
	equal "$(xargs <root/calls)" "indextargets update indextargets update download"
	printf '#!/bin/sh\n' >bin/apt-get
	sysroot
	equal "$status" 1
	has "$stderr" "run apt-get update"
}

@test "cJSON's source: its package of the machine's mirrors, or a directory of the user" {
	mkdir root && touch root/lists
	"$ROOT/cli/cjson.sh" root
	equal "$(cd root/cjson && echo *)" 'LICENSE cJSON.c cJSON.h'
	equal "$(xargs <root/fetch/calls)" "indextargets indextargets update source"
	mkdir own && echo own >own/cJSON.c && touch own/cJSON.h own/LICENSE
	"$ROOT/cli/cjson.sh" other own
	equal "$(cat other/cjson/cJSON.c)" own
	[ ! -e other/fetch ]
}

@test "cJSON's source that cannot be fetched: what to do is said, and nothing is left that looks like it" {
	printf '#!/bin/sh\necho "E: no network" >&2\nexit 100\n' >bin/apt-get
	run --separate-stderr "$ROOT/cli/cjson.sh" root
	equal "$status" 1
	has "$stderr" "CJSON=DIR"
	[ ! -e root/cjson ]
}
