# shellcheck shell=bash
# install.bash: `make install` into a directory of the test, and what programs need to build with it.

# make_target TARGET VARIABLE=VALUE...
make_target() {
	umask 0022
	# shellcheck disable=SC2153 # helpers.bash sets BUILD
	make -C "$ROOT" "$1" BUILD="$BUILD" "${@:2}" >make.log 2>&1 || fail "$(tail -5 make.log)"
	umask 0027
}

# install_into PREFIX [DESTDIR]
install_into() {
	make_target install PREFIX="$1" DESTDIR="${2:-}"
}

# libraries NAME [LIBDIR]: options for a program that uses one
libraries() {
	PKG_CONFIG_PATH=${2:-$USR/lib}/pkgconfig pkg-config --cflags --libs "$1"
}
