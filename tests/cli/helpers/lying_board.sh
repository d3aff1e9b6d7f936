#!/bin/sh
# lying_board.sh CELL: the forced command of a board that obeys until a command ends in the text of CELL/end, or holds that of
# CELL/words: then it does as CELL/attack says. CELL/home is its home directory; CELL/reached is there once it has lied.
export HOME="$1/home"
cd "$HOME" || exit 1
said=$SSH_ORIGINAL_COMMAND
case $said in
*"$(cat "$1/end")" | *"$(cat "$1/words")"*) ;;
*) exec /bin/sh -c "$said" ;;
esac
: >"$1/reached"
case $(cat "$1/attack") in
stall) exec sleep 100 ;;
flood) exec yes busy ;;
complain) exec yes busy >&2 ;;
trickle)
	while printf x; do sleep 0.2; done
	;;
cut)
	p=$PPID
	while read -r name <"/proc/$p/comm" && [ "${name#sshd}" = "$name" ]; do read -r _ _ _ p _ <"/proc/$p/stat"; done
	kill -9 "$p"
	;;
names) # a listing of names that fill the memory
	printf '41ed 4096 1700000000 .//\n'
	exec awk 'BEGIN { x = sprintf("%240s", ""); gsub(/ /, "x", x)
		for (;;) printf "81a4 5 1700000000 ./%s/%s/%s/%d//\n", x, x, x, ++i }'
	;;
targets) # one of links
	exec awk 'BEGIN { for (x = "x"; length(x) < 60000;) x = x x
		x = substr(x, 1, 60000)
		print "41ed 4096 1700000000 .//"
		for (i = 0; i < 60000; i++) printf "a1ff 5 1700000000 ./%d//\n", i
		print "links//"
		for (i = 0; i < 60000; i++) printf "./%d//%s//\n", i, x
		print "end//" }'
	;;
status)
	/bin/sh -c "$said"
	exit 3
	;;
esac
