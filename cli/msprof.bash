# msprof.bash: completion of msprof(1) for bash.
# shellcheck shell=bash

# The options of a command, as 'msprof COMMAND --help' shows them.
_msprof_options() {
	local common='-dir --collection-dir --frequency --layouts --strict -q --quiet -h --help'

	case $1 in
	import) echo "$common" ;;
	'export timeline') echo "$common --style --model-id --iteration-id --iteration-count --reports --clear" ;;
	'export summary') echo "$common --format --style --model-id --iteration-id --iteration-count --reports --clear" ;;
	'export db') echo "$common --clear" ;;
	query) echo "$common --format" ;;
	show) echo "$common --format --style --top --sort" ;;
	check) echo "$common --format --top" ;;
	acljson) echo '--check --profile --make --model --output --acl-json --format --strict -q --quiet -h --help' ;;
	collect)
		echo '-m --main --config --local --all --output --project --exclude --checksum --acl-json --interval' \
			'--acl_api --aacpu --aicpu --switch --aac_metrics --aic_metrics --stream --timeout --mount --clean' \
			'--accept-new --dry-run --resume --style --top --sort --frequency --layouts --strict -q --quiet -h --help'
		;;
	esac
}

# The values of an option of a command: words, "DIRECTORY", "FILE", or nothing.
_msprof_values() {
	case $2 in
	dir | collection-dir | layouts | output | project | resume | mount) echo DIRECTORY ;;
	check | m | main | config | acl-json | reports) echo FILE ;;
	acl_api | aacpu | aicpu | switch) echo 'on off' ;;
	aac_metrics | aic_metrics) echo 'ArithmeticUtilization' ;;
	profile) echo 'svp ascend' ;;
	make) echo 'profiler dump' ;;
	style) echo 'guide vendor' ;;
	sort) echo 'time' ;;
	format)
		case $1 in
		'export summary') echo 'csv json' ;;
		show | check | query) echo 'table csv json' ;;
		acljson) echo 'table json' ;;
		esac
		;;
	esac
}

_msprof_takes_value() {
	case $1 in
	-dir | --dir | -collection-dir | --collection-dir | -format | --format | -style | --style) return 0 ;;
	-check | --check | -profile | --profile | -make | --make | -model | --model) return 0 ;;
	-m | --main | -main | -config | --config | -acl-json | --acl-json | -output | --output) return 0 ;;
	-project | --project | -exclude | --exclude | -resume | --resume | -mount | --mount) return 0 ;;
	-timeout | --timeout | -interval | --interval | -switch | --switch | -acl_api | --acl_api) return 0 ;;
	-aacpu | --aacpu | -aicpu | --aicpu) return 0 ;;
	-aac_metrics | --aac_metrics | -aic_metrics | --aic_metrics) return 0 ;;
	-model-id | --model-id | -iteration-id | --iteration-id | -iteration-count | --iteration-count) return 0 ;;
	-reports | --reports) return 0 ;;
	-top | --top | -sort | --sort | -frequency | --frequency | -layouts | --layouts) return 0 ;;
	esac
	return 1
}

_msprof_offer() {
	if [[ $1 == DIRECTORY ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$2")
	elif [[ $1 == FILE ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
	else
		mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
	fi
}

_msprof() {
	local cur=${COMP_WORDS[COMP_CWORD]}
	local prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]}
	local first=2

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_msprof_offer 'import export show query check acljson collect help --help --version' "$cur"
		return
	fi
	if [[ $command == help ]]; then
		if ((COMP_CWORD == 2)); then
			_msprof_offer 'import export show query check acljson collect' "$cur"
		elif ((COMP_CWORD == 3)) && [[ $prev == export ]]; then
			_msprof_offer 'timeline summary db' "$cur"
		fi
		return
	fi
	if [[ $command == export ]]; then
		if ((COMP_CWORD == 2)); then
			_msprof_offer 'timeline summary db --help' "$cur"
			return
		fi
		command="export ${COMP_WORDS[2]}"
		first=3
	fi

	# bash takes --format=csv for three words
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if ((COMP_CWORD > first)) && _msprof_takes_value "$prev"; then
		prev=${prev#-}
		_msprof_offer "$(_msprof_values "$command" "${prev#-}")" "$cur"
		return
	fi
	_msprof_offer "$(_msprof_options "$command")" "$cur"
}

complete -F _msprof msprof
