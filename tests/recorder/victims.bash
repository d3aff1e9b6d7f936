# victims.bash: programs whose own files must stay as they are.
# shellcheck shell=bash

# compiled NAME [OPTION...]: a program of this directory that links the recorder
compiled() {
	local name=$1
	shift
	gcc -O1 -Wall -Wextra -I"$ROOT/lib/recorder/include" -o "$name" "$ROOT/tests/recorder/$name.c" "$@" -L"$BUILD" \
		-Wl,-rpath,"$BUILD" -lmsprof_recorder -lpthread
}

# victims FIRST COUNT [refused|older]: see victim.py
victims() {
	needs_plain_library
	compiled victim
	gcc -O1 -Wall -Wextra -DPRELOADED -o preloaded "$ROOT/tests/recorder/victim.c" -L"$BUILD/tests/stub" \
		-Wl,-rpath,"$BUILD/tests/stub" -lascendcl -lpthread
	for ((first = $1; first < $1 + $2; first += 20)); do
		count=$(($1 + $2 - first < 20 ? $1 + $2 - first : 20))
		run python3 "$ROOT/tests/recorder/victim.py" $first $count ./victim ./preloaded "$MSPROF" "$BUILD/libmsprof_preload.so" "${@:3}"
		[ "$status" -eq 0 ] || fail "$output"
		has "$output" "$count seeds, 0 bytes changed"
		discard victim[0-9]*
	done
}
