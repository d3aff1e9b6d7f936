#!/usr/bin/env bats
# fault_sites_collect.bats: the same for `msprof collect --local`: whatever fails, the program on the board ends, nothing of msprof
# remains there, and a message says what happened.
# shellcheck disable=SC2034 # each_site reads STATUSES and MORE

load ../cli/helpers
load ../fault/sites

setup_file() {
	[ -z "${ASAN_OPTIONS-}" ] || skip_file "the sanitizer brings its own allocator" || return 0
	sites_setup
	cd "$BATS_FILE_TMPDIR" || return
	raw_sample job
	mkdir -p place/home place/app/out
	# where the program ran is no matter: where the home cannot be used, it runs below the results
	sed '/echo "umask/d' "$HELPERS/fakeboard.sh" >place/app/out/main
	chmod +x place/app/out/main
	echo weights >place/app/model.om
	echo '{"profiler": {"interval": "5"}}' >place/app/out/acl.json
}

setup() {
	skip_skipped
	cd "$BATS_FILE_TMPDIR" || return
	STATUSES=0,1,2,3,4,5
	# Without memory libarchive ends the program. --resume goes on with the rest; the guard on the board clears up soon after.
	MORE=(--spares libarchive --stays '^(results|home)/')
}

@test "a collection, and its data parsed" {
	each_site place collect --local --output results -m "app/out/main --job $PWD/job --name JOBFAKE" --all -q
}

@test "a collection that streams, with samples of the board" {
	each_site place collect --local --output results -m "app/out/main --job $PWD/job --name JOBFAKE" --stream --checksum
}
