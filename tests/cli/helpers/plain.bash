# shellcheck shell=bash
# plain.bash: what msprof makes of a job, with its mechanisms and without some.

# all_of DIR: what msprof makes of a job: a dump of the database, all exports and the tables of show
all_of() {
	"$MSPROF" import -q -dir "$1"
	for kind in "export timeline" "export timeline --style guide" "export timeline --format perfetto" \
		"export summary" "export summary --format json" "export db"; do
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $kind -q -dir "$1" || [ "$kind" = "export db" ]
	done
	"$MSPROF" show -dir "$1" >"$1/show"
	find "$1" -name '*.db' -type f | sort | while read -r file; do
		sqlite3 -batch -readonly "$file" .dump >"$file.sql"
		discard "$file"
	done
	discard "$1/log"
}

# made_below TOP DIR [MECHANISMS]: a copy of the job with all of it, with them or without. Files that bear a time of day lose this part
# of the name.
made_below() {
	mkdir -p "$1"
	cp -rp "$2" "$1/"
	(cd "$1" && MSPROF_PLAIN=${3:-} all_of "${2##*/}")
	find "$1" -regextype posix-extended -type f -regex '.*_20[0-9]{12,}\.(csv|json|db\.sql)' | while read -r file; do
		mv "$file" "$(sed -E 's/_20[0-9]{12,}\./_TIME./' <<<"$file")"
	done
}

# both_ways DIR MECHANISMS...: the same with and without them.
both_ways() {
	local top=$BATS_TEST_TMPDIR/both mechanisms
	discard "$top"
	made_below "$top/fast" "$1"
	for mechanisms in "${@:2}"; do
		discard "$top/plain"
		made_below "$top/plain" "$1" "$mechanisms"
		diff -rq -x .msprof "$top/fast" "$top/plain" || fail "${1##*/} with MSPROF_PLAIN=$mechanisms differs"
		[ "$(find "$top/plain" -type f | wc -l)" -gt "$(find "$1" -type f | wc -l)" ]
	done
}
