# packages.bash: which commands scripts and make call, and which packages bring them.
# shellcheck shell=bash

packages_setup() {
	local tool
	for tool in dpkg shfmt; do
		command -v "$tool" >/dev/null || skip "$tool is not installed"
	done
	unset MAKEFLAGS MAKELEVEL CC AR CROSS
}

# tree <SCRIPT: commands.jq's lines of it, and of the code in it for other shells
tree() {
	local lines code
	# where each word lies is most of the tree
	lines=$(shfmt -ln bats --to-json | LC_ALL=C grep -vE '^[[:space:]]*"(Offset|Line|Col)": [0-9]+,?$' |
		jq -rf "$HELPERS/commands.jq") || return
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
		{ needs[$1] = bare($3); if ($2 ~ /yes|required/ || $1 == "apt") wanted[$1] } # the priority of apt differs
		{ n = split(bare($4), names, " "); for (i = 1; i <= n; i++) provided[names[i]] = $1 }
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

# dry_run TARGET...: what make would run; of lines that are one command of the build, the first of each command
dry_run() {
	make -nBC "$ROOT" --no-print-directory V=1 COMPILE=gcc "$@" |
		awk '!(/^(gcc|clang|ar|mkdir|rm|ln) [^;&|`]*$/ && !/\$\(|\\$/ && seen[$1]++)'
}
