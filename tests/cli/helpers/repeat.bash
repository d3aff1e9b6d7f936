# shellcheck shell=bash
# repeat.bash: a program that does something else in each run, for collections of several.

# several_runs WORDS: the program becomes one that gives these words to the fake board in each run; words_of replaces them
several_runs() {
	mv "$APP/out/main" "$APP/out/board"
	cat >"$APP/out/main" <<-'END'
		#!/bin/sh
		n=$(($(cat count 2>/dev/null || echo 0) + 1))
		echo "$n" >count
		[ -e "words_$n" ] || n=0
		exec ./board --name "JOBRUN$(cat count)" $(cat "words_$n")
	END
	chmod +x "$APP/out/main"
	words_of 0 "$1"
}

# words_of RUN WORDS
words_of() {
	echo "$2" >"$APP/out/words_$1"
}

# How often the program ran.
runs_made() {
	cat "$PLACE/out/count"
}

# The names of the results, and of what is left on the board.
results() {
	(cd "$OUT" && echo JOB*)
}

left_on_board() {
	find "$PLACE" -name 'JOBRUN*' -printf '%f\n' | sort | xargs
}
