# msprof.bash: completion of msprof(1) for bash; 'msprof __complete' tells what can follow.
# shellcheck shell=bash

_msprof() {
	local current=${COMP_WORDS[COMP_CWORD]} before=() offers=() word quote=

	COMPREPLY=()
	# bash takes --format=csv for three words
	[[ $current != = ]] || current=
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == = ]] || before+=("$word")
	done
	mapfile -t offers < <(command msprof __complete "${before[@]}" "$current" 2>/dev/null)
	case ${offers[0]-} in
	:directory)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$current")
		;;
	:file)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		;;
	:file\ *)
		# files with one of these endings, and directories on the way to them
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$current"
			for word in ${offers[0]#* }; do compgen -f -X "!*.$word" -- "$current"; done)
		;;
	*)
		# a condition has spaces: it is within a quote that is open, or its spaces are escaped
		[[ $current != [\'\"]* ]] || quote=${current:0:1}
		current=${current#["'\""]}
		for word in "${offers[@]%%$'\t'*}"; do
			[[ $word == "${current//\\/}"* ]] || continue
			[[ $quote || $word != *[\ \>]* ]] || printf -v word %q "$word"
			COMPREPLY+=("$word")
		done
		;;
	esac
}

complete -F _msprof msprof
