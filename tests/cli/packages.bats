#!/usr/bin/env bats
# packages.bats: every command that tests and Makefile call is in a package that the Makefile names.

load helpers

setup() {
	local tool
	for tool in dpkg shfmt; do
		command -v "$tool" >/dev/null || skip "$tool is not installed"
	done
	unset MAKEFLAGS MAKELEVEL CC AR CROSS
}

# tree <SCRIPT: commands.jq's lines of it, and of the code in it for other shells
tree() {
	local lines code
	lines=$(shfmt -ln bats --to-json | jq -rf "$HELPERS/commands.jq") || return
	jq -r 'select(.[0] != "code") | join(" ")' <<<"$lines"
	code=$(jq -r 'select(.[0] == "code")[1]' <<<"$lines")
	[ -z "$code" ] || tree <<<"$code"
}

# called <SCRIPT: the commands that are neither its own functions, nor msprof, nor bash's or bats' own
called() {
	local lines
	lines=$(tree) || return
	{
		sed -n 's/^command //p' <<<"$lines" | grep -vE '/|^$' | sort -u
		{
			sed -n 's/^function //p' <<<"$lines"
			compgen -bk
			printf '%s\n' msprof run skip load bats_require_minimum_version
		} | sed p
	} | sort | uniq -u
}

# listed LIST...: the packages of the Makefile's lists
listed() {
	# shellcheck disable=SC2016 # make's own words
	printf 'include %s/Makefile\nnames:;@echo %s\n' "$ROOT" "$(printf '$(%s) ' "$@")" | make -sC "$ROOT" -f - names
}

# named LIST...: the packages of the Makefile's lists, those that every system has, and all that they stand on
named() {
	{
		listed "$@" | tr ' ' '\n' | sed 's/^/NAMED /'
		dpkg-query -W -f '${Package}|${Essential} ${Priority}|${Pre-Depends}, ${Depends}|${Provides}\n'
	} | awk -F '|' '
		function bare(list) { gsub(/ *\([^)]*\)|:[a-z0-9]+/, "", list); gsub(/[|,]/, " ", list); return list }
		function take(name, words, n, i) {
			if (!(name in needs) && name in provided)
				name = provided[name]
			if (taken[name]++)
				return
			print name
			n = split(needs[name], words, " ")
			for (i = 1; i <= n; i++)
				take(words[i])
		}
		/^NAMED / { wanted[substr($0, 7)]; next }
		{ needs[$1] = bare($3); if ($2 ~ /yes|required/) wanted[$1]; n = split(bare($4), names, " "); for (i = 1; i <= n; i++) provided[names[i]] = $1 }
		END { for (name in wanted) take(name) }'
}

# brought LIST... <SCRIPT: fails with the commands that no package of the lists brings
brought() {
	local commands command path real missing=''
	commands=$(called) || fail "shfmt cannot read the scripts" || return
	[ "$(wc -w <<<"$commands")" -gt 10 ] || fail "only these commands were found: $commands" || return
	named "$@" | xargs dpkg -L 2>/dev/null | sed 's|^/usr/|/|' | sort -u >"$BATS_TEST_TMPDIR/files"
	for command in $commands; do
		# alternatives are links, which no package lists
		path=$(PATH=/usr/sbin:/usr/bin:/sbin:/bin command -v "$command") && real=$(realpath "$path") &&
			grep -qxF -e "${path#/usr}" -e "${real#/usr}" "$BATS_TEST_TMPDIR/files" || missing="$missing $command"
	done
	[ -z "$missing" ] || fail "no package that the Makefile names brings:$missing"
}

# dry_run TARGET...: what make would run; of all compilations the first of each compiler
dry_run() {
	make -nBC "$ROOT" --no-print-directory "$@" | awk '!(/^(gcc|clang|mkdir) .*( -c -o |-p )/ && seen[$1]++)'
}

@test "what the tests of make check call" {
	cd "$ROOT/tests"
	cat run*.sh scratch.bash board/*.sh cli/*.ba* cli/helpers/*.bash cli/helpers/*.sh recorder/*.ba* recorder/*.sh ../cli/msprof.bash |
		brought BUILD_PACKAGES TEST_PACKAGES
}

@test "what make check and make install run" {
	{
		dry_run check demo install
		cat "$ROOT/tests/scratch.bash"
	} | brought BUILD_PACKAGES TEST_PACKAGES
}

@test "what the other targets run" {
	cd "$ROOT/tests"
	# shellcheck disable=SC2046 # words
	dpkg-query -W $(listed LINT_PACKAGES LONG_PACKAGES) >/dev/null 2>&1 || skip "not all packages are installed: make deps"
	{
		dry_run lint bench check-long fuzz
		cat ./*.*sh lint/*.sh bench/*.sh long/*.bats cli/*.bash cli/helpers/*.bash recorder/*.bash
	} | brought BUILD_PACKAGES TEST_PACKAGES LINT_PACKAGES LONG_PACKAGES
}

@test "a command of another package is told" {
	local other
	other=$(dpkg-query -W -f '${Priority} ${Package}\n' | sed -n 's/^optional //p' | grep -vxF -f <(named BUILD_PACKAGES TEST_PACKAGES) |
		xargs dpkg -L | sed -n 's|^/usr/bin/\([a-z0-9]*\)$|\1|p' | head -1)
	[ -n "$other" ] || skip "no other package has a command"
	run brought BUILD_PACKAGES TEST_PACKAGES <<<"$(printf '%s\n' ls cat cp mv rm sed awk cut tr wc head tail "$other -x")"
	equal "$status" 1
	has "$output" "no package that the Makefile names brings: $other"
}
