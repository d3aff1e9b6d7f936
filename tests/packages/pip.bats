#!/usr/bin/env bats
# pip.bats: pip installs the modules without a network, and they find the installed libraries.

load ../recorder/helpers

setup_file() {
	# the system's Python, whose tools are packages of the system
	for module in pip setuptools wheel; do
		/usr/bin/python3 -c "import $module" 2>/dev/null || skip_file "no $module: make deps-packages" || return 0
	done
	# pip builds beside its sources
	mkdir "$BATS_FILE_TMPDIR/modules"
	cp "$ROOT"/lib/recorder/python/*.py "$ROOT/lib/recorder/python/pyproject.toml" "$BATS_FILE_TMPDIR/modules"
	(umask 0022 && make -C "$ROOT" install BUILD="$BUILD" PREFIX="$BATS_FILE_TMPDIR/usr") >"$BATS_FILE_TMPDIR/log"
}

# install_modules OPTION...
install_modules() {
	env -u PYTHONPATH /usr/bin/python3 -m pip install -q --no-index --no-build-isolation --no-deps --no-cache-dir "$@" \
		"$BATS_FILE_TMPDIR/modules" >log 2>&1 || fail "$(tail -5 log)"
}

# records ENVIRONMENT...: both modules of ./modules record
records() {
	discard out/*
	env -u MSPROF_LIBRARY_PATH PYTHONPATH="$PWD/modules" "$@" /usr/bin/python3 -B -c \
		'import mstx, msprof_acl as acl; assert acl.init("acl.json") == 0; acl.recorder.mark("here"); mstx.mark("there"); acl.finalize()'
	import_job
	equal "$(calls "name IN ('here', 'there')")" 2
}

@test "pip installs the modules and no other files" {
	install_modules --target modules
	equal "$(find modules -name "*.py" -printf "%f\n" | sort)" $'msprof_acl.py\nmstx.py'
	has "$(cat modules/msprof_acl-*.dist-info/METADATA)" 'Name: msprof-acl'
}

@test "they find the libraries by the msprof of PATH, or in the system's directories" {
	needs_plain_library
	install_modules --target modules
	records PATH="$BATS_FILE_TMPDIR/usr/bin:$PATH"
	records PATH=/usr/bin:/bin LD_LIBRARY_PATH="$BATS_FILE_TMPDIR/usr/lib"
}
