# shellcheck shell=bash
# look.bash: checks of a page in a browser.

needs_chromium() {
	PYTHONDONTWRITEBYTECODE=1 python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import chromium; sys.exit(not chromium.find())' \
		"$ROOT/tests/browser" || skip "no Chromium is installed: make deps-browser"
}

# axe-core is a package of npm: AXE_CORE is its axe.min.js, or npm has it for all users.
needs_axe() {
	: "${AXE_CORE:=$(npm root -g 2>/dev/null)/axe-core/axe.min.js}"
	export AXE_CORE
	[ -f "$AXE_CORE" ] || skip "axe-core is not installed: npm install -g axe-core"
}

# look CHECK [REPORT]: one check of check_page.py; what it measured is printed. The path is short: Chromium makes a socket below it.
look() {
	run env PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/browser/check_page.py" "$1" \
		"$(mktemp -d "${MSPROF_SCRATCH:-$BATS_TEST_TMPDIR}/look_XXXXXX")" "${@:2}"
	[ "$status" = 0 ] || fail "$output"
	[ -z "$output" ] || printf '# %s\n' "${lines[@]}" >&3
}
