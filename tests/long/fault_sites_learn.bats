#!/usr/bin/env bats
# fault_sites_learn.bats: the same for `msprof learn`: memory that is short once, from each place. The layout is that of a good run, or learn
# fails. (A reference that cannot be read is named in a warning, and the others are used.)

load ../cli/helpers
load ../fault/sites

setup_file() {
	[ -z "${ASAN_OPTIONS-}" ] || skip_file "the sanitizer brings its own allocator" || return 0
	sites_setup
	cd "$BATS_FILE_TMPDIR" || return
	for seed in 8 21; do
		python3 "$ROOT/tests/gen/learn.py" --seed $seed --tasks 24 --out board >/dev/null
		mv board/JOB* "job$seed"
		discard "$PWD/board"
	done
}

@test "boards whose counters lie in drawn places" {
	skip_skipped
	cd "$BATS_FILE_TMPDIR" || return
	export CALLS=memory
	for seed in 8 21; do
		each_site job$seed learn -dir . --output layouts
	done
	each_site job8 learn -q -dir . --output layouts --format json
}
