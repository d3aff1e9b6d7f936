#compdef msprof
# msprof.zsh: completion of msprof(1) for zsh; 'msprof __complete' tells what can follow.

_msprof() {
	local -a before offers
	before=("${(@)words[2,CURRENT-1]}")
	# --format=csv are two words
	if compset -P 1 '-*='; then
		before+=("${IPREFIX%=}")
	fi
	offers=("${(@f)$(command msprof __complete "${(@)before}" "$PREFIX" 2>/dev/null)}")
	case $offers[1] in
	('') return 1 ;;
	(:directory) _files -/ ;;
	(:file) _files ;;
	(:file\ *) _files -g "*.(${${offers[1]#* }// /|})" ;;
	(*)
		offers=("${(@)offers//:/\\:}")
		offers=("${(@)offers/$'\t'/:}")
		_describe msprof offers
		;;
	esac
}

_msprof "$@"
