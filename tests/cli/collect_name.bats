#!/usr/bin/env bats
# collect_name.bats: collect --name, and query, which lists jobs with label, date, model and time.

load helpers
load helpers/local

@test "a label goes with the fetched job, and query lists it with date, model and time" {
	find "$JOB/data" -type f -exec touch -d '2026-01-02 03:04:05' {} +
	collect 0 "--job $JOB --name JOBA" --name 'before; the "fix" ü'
	equal "$(cat "$OUT/JOBA/label")" 'before; the "fix" ü'
	[ "$(stat -c %a "$OUT/JOBA/label")" = 640 ]
	diff -r -x label "$OUT/JOBA" "$JOB"
	[ -z "$(find "$PLACE" -name label)" ]
	expect 0 query -dir "$OUT/JOBA" --format json
	equal "$(jq -r '.tables[].rows[0] | [."Label", ."Collection Time", ."Model Name"] | join("|")' <<<"$output")" \
		'before; the "fix" ü|2026-01-02 03:04:05|resnet50'
	# what show says of the two inferences, rounded once: 10303.29 and 10373.43
	equal "$(jq -r '.tables[].rows[0]."Time(us)"' <<<"$output")" 20507.43
	collect 0 "--job $JOB --name JOBB"
	[ ! -e "$OUT/JOBB/label" ]
	echo another >"$OUT/JOBB/label"
	expect 0 query -dir "$OUT" --format csv
	has "$output" 'before; the ""fix"" ü' another
}

@test "a label that is not one is refused or passed over" {
	for label in '' $'a\nb' $'\e[2J' "$(printf '%0101d' 0)"; do
		collect 2 "--job $JOB" --name "$label"
		has "$stderr" "invalid name '" "(1 to 100 bytes without control characters)"
	done
	for text in $'\n' "$(printf '%0101d' 0)" $'\xff'; do
		echo "$text" >"$JOB/label"
		expect 0 query -dir "$JOB" --format json
		[[ $(jq -r '.tables[].rows[0]."Label"' <<<"$output") =~ ^(null|N/A)$ ]]
	done
	rm "$JOB/label"
	ln -s /etc/passwd "$JOB/label"
	expect 0 query -dir "$JOB"
	lacks "$output" root
	rm "$JOB/label"
	printf '\e[2Jx\n' >"$JOB/label"
	expect 0 query -dir "$JOB"
	lacks "$output" $'\e'
}
