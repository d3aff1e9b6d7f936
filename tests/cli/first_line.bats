#!/usr/bin/env bats
# first_line.bats: what a newcomer reads first of a job, in show, advise and diff: short, right, and the reason where there is none.

load helpers

# first COMMAND...: its first line, in $line
first() {
	expect "${WANTED:-0}" "$@"
	line=$(head -1 <<<"$output")
	[ "${#line}" -le 240 ] || fail "$line"
}

@test "a sound job: the sentence of show is that of advise, and names model, time, parts and what to start with" {
	python3 "$HELPERS/planted_svp.py" "$BATS_TEST_TMPDIR/JOBBOUND" 1 bound >/dev/null
	first advise -q -dir "$BATS_TEST_TMPDIR/JOBBOUND"
	[[ $line =~ ^planted:\ [0-9.]+\ ms\ an\ inference,\ matrix\ [0-9]+\ %,\ Mac\ [0-9]+\ %\;\ start\ with\ slowconv\ \(weights,\ WLD\ [0-9]+\ %\):\ up\ to\ [0-9.]+\ us$ ]] || fail "$line"
	said=$line
	first show -q -dir "$BATS_TEST_TMPDIR/JOBBOUND"
	equal "$line" "$said"
	has "$output" "low: no unit is busy"
	first diff -q "$BATS_TEST_TMPDIR/JOBBOUND" "$BATS_TEST_TMPDIR/JOBBOUND"
	[[ $line =~ ^planted:\ the\ same,\ ([0-9.]+\ ms)\ \>\ ([0-9.]+\ ms)\ an\ inference\  && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] || fail "$line"
}

@test "an activation that the core lacks is named with what replaces it, and a clean job has nothing to start with" {
	python3 "$HELPERS/planted_svp.py" "$BATS_TEST_TMPDIR/JOBMISH" 3 mish >/dev/null
	first advise -q -dir "$BATS_TEST_TMPDIR/JOBMISH"
	has "$line" "start with Mish in pieces (Softplus + TanH + Eltwise): up to "
	has "$output" "Relu, LeakyRelu, PRelu, Elu or SRelu"
	equal "$(grep -n '^Findings\|^Pace\|^Longest idle gaps' <<<"$output" | cut -d: -f2 | xargs)" "Findings Pace"
	python3 "$HELPERS/planted_svp.py" "$BATS_TEST_TMPDIR/JOBCLEAN" 3 >/dev/null
	first show -q -dir "$BATS_TEST_TMPDIR/JOBCLEAN"
	has "$line" "; no rule finds time to save"
}

@test "a wrong frequency, a missing one, and lost data are said in the first line" {
	genjob "$BATS_TEST_TMPDIR/JOBSEVEN" --pictures 3
	cp -r "$BATS_TEST_TMPDIR/JOBSEVEN" "$BATS_TEST_TMPDIR/JOBHALF"
	cp -r "$BATS_TEST_TMPDIR/JOBSEVEN" "$BATS_TEST_TMPDIR/JOBNOINFO"
	cp -r "$BATS_TEST_TMPDIR/JOBSEVEN" "$BATS_TEST_TMPDIR/JOBCUT"
	sed -i 's/700/7/' "$BATS_TEST_TMPDIR/JOBSEVEN/info.json.0"
	WANTED=3 first show -q -dir "$BATS_TEST_TMPDIR/JOBSEVEN"
	equal "$line" "No verdict, as the data contradicts itself: times of tasks"
	has "$output" "the core has 7 MHz, not 100 to 2000"
	sed -i 's/700/350/' "$BATS_TEST_TMPDIR/JOBHALF/info.json.0"
	WANTED=3 first advise -q -dir "$BATS_TEST_TMPDIR/JOBHALF"
	has "$line" "; but first: Data in doubt (times of tasks)"
	rm "$BATS_TEST_TMPDIR/JOBNOINFO/info.json.0"
	WANTED=3 first advise -q -dir "$BATS_TEST_TMPDIR/JOBNOINFO"
	has "$line" "No verdict: the frequency of the core is not known: give it with --frequency MHZ"
	first advise -q -dir "$BATS_TEST_TMPDIR/JOBNOINFO" --frequency 700
	has "$line" "resnet50: " " an inference, "
	truncate -s -300 "$BATS_TEST_TMPDIR"/JOBCUT/data/aicore.*.1.2
	WANTED=3 first show -q -dir "$BATS_TEST_TMPDIR/JOBCUT"
	has "$line" "resnet50: " "; but first: Lost or damaged data ("
}

@test "of several models each has its sentence, the one with the most time first; gaps and findings name theirs" {
	genjob "$BATS_TEST_TMPDIR/JOBTWO" --models 2 --pictures 2 --aicpu 1
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/JOBTWO" --format json
	equal "$(jq -r '.jobs[0].verdict | split("\n") | map(split(":")[0]) | sort | join(" ")' <<<"$output")" "resnet50 yolov5n_noquat"
	equal "$(jq -r '.jobs[0].overview | map(select(.group)) | sort_by(-.steps * .mean_ns) | map(.group) | join(" ")' <<<"$output")" \
		"$(jq -r '.jobs[0].verdict | split("\n") | map(split(":")[0]) | join(" ")' <<<"$output")"
	equal "$(jq -r '[.jobs[0].findings[] | select(.saving_ns) | .group] | unique | join(" ")' <<<"$output")" "resnet50 yolov5n_noquat"
	jq -e '.jobs[0].overview[] | select(.table == "Longest idle gaps").rows | all(.Group)' <<<"$output"
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/JOBTWO" --table longest_idle_gaps --format json
	jq -e '.tables[0].rows | length > 0 and all(.Group)' <<<"$output"
}
