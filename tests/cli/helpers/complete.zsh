#!/usr/bin/env zsh
# complete.zsh FUNCTIONS LINE FILE: writes to FILE what zsh offers for LINE, one a line. FUNCTIONS holds the completion _msprof.
# An interactive zsh on a terminal of its own completes the line; compadd tells which words it takes.
zmodload zsh/zpty || exit
zpty shell zsh -f -i
zpty -w shell "PROMPT= RPROMPT= fpath=(${(q)1} \$fpath) file=${(q)3}; autoload -Uz compinit; compinit -D -u"
zpty -w shell 'offered() {
	compadd() {
		local -a found
		builtin compadd -O found "$@"
		[[ " $* " == *" -"[OAD]" "* ]] || print -rl -- $found >>$file
		builtin compadd "$@"
	}
	_main_complete
	print "(end)"
}'
# only the editor itself knows when it takes keys
zpty -w shell 'zle -C offered complete-word offered; bindkey "^T" offered; : >$file
	zle-line-init() { print "(ready"")" }; zle -N zle-line-init'
zpty -r shell text '*(ready)*'
zpty -w -n shell "$2"$'\x14'
zpty -r shell text '*(end)*'
zpty -d shell
