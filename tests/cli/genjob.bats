#!/usr/bin/env bats
# genjob.bats: jobs of the generator, read by a program that knows the forms of the boards alone.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# read_job: the job under test as JSON, in $READ
read_job() {
	READ=$(python3 "$ROOT/tests/svp/svp_reader.py" "$JOB")
}

# holds EXPRESSION...: each is true of what was read
holds() {
	local expression
	for expression in "$@"; do
		jq -e "$expression" <<<"$READ" >/dev/null || fail "not true: $expression"
	done
}

@test "jobs of three boards have no problem, and every byte of them is understood" {
	for soc in ss928 dv500 cv610; do
		generate --soc "$soc" --models 3 --devices 2 --pictures 5 --interval 3 --calls 101 --threads 3 --overlap 30 --fused 40 --utf8 --complete
		read_job
		holds '.problems == []' '[.bytes[].unknown] | add == 0' '.inferences | length == 30' '[.inferences[].tasks | length] | unique == [24]' \
			'.calls | length == 606' '[.inferences[].current_pic] | unique == [0, 3, 6, 9, 12]'
	done
}

@test "an inference lies within its call, and alone on its device" {
	for options in "" "--async --threads 3 --tasks 9 --nets 3" "--soc dv500 --overlap 60 --threads 4" "--host-calls 500 --overlap 20 --threads 3"; do
		# shellcheck disable=SC2086 # words on purpose
		generate --pictures 9 --interval 2 --models 2 --seed 4 $options
		read_job
		holds '.problems == []' '.inferences | length == 18' \
			'[.inferences | sort_by(.start_us) | [.[1:], .[:-1]] | transpose[] | .[0].start_us > .[1].end_us] | all' \
			'. as $j | all(.inferences[]; . as $i | any($j.calls[]; .type >= 2 and .type <= 4 and .model_id == $i.model_id and .end_us > $i.end_us
				and (.type != 2 or .start_us < $i.start_us)))' \
			'. as $j | all(.aicpu[]; . as $t | any($j.calls[]; .type == 5 and .model_id == $t.model_id and .start_us < $t.start_us and .end_us > $t.end_us))'
	done
}

@test "counters can be true" {
	generate --tasks 400 --seed 8
	read_job
	holds 'all(.inferences[].tasks[]; .ticks * 100 >= (.words[:8] | max) and .words[1] <= .words[0] and .words[3] <= .words[2])' \
		'any(.inferences[].tasks[]; .words[1] > 0)' 'all(.inferences[].tasks[]; .words[9] <= .words[8])'
}

@test "what a recorder writes beside has the calls of the board, to the ns" {
	generate --host-calls 300 --pictures 4
	python3 - "$JOB/data" <<-'END'
		import struct, sys
		numbers = {"svp_acl_mdl_load_from_mem": 0, "svp_acl_mdl_unload": 1, "svp_acl_mdl_execute": 2, "svp_acl_ext_process_aicpu_task": 5}
		def records(name, form):
		    with open(f"{sys.argv[1]}/{name}.0.resnet50.46", "rb") as f:
		        return list(struct.iter_unpack(form, f.read()))
		host = records("msprof_api", "<HHIQQII64s32s")
		board = records("acl_api", "<IIQQII")
		names = [r[7].rstrip(b"\0").decode() for r in host]
		assert len(host) == 300, len(host)
		same = [(numbers[n], r[3] // 1000, r[4] // 1000, r[6]) for r, n in zip(host, names) if n in numbers]
		assert sorted(same) == sorted((r[1], r[2], r[3], r[5]) for r in board)
		assert [r[4] for r in host] == sorted(r[4] for r in host)
	END
}

@test "the sample is made by the command of its README" {
	command=$(sed -n '/^genjob/,/^```/p' "$ROOT/tests/data/README.md" | sed '$d' | tr -d '\\\n')
	read -ra words <<<"$command"
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/again" "${words[@]:3}"
	diff -r "$BATS_TEST_TMPDIR/again" "$ROOT/${words[2]}"
}

@test "options that contradict each other are refused" {
	for options in "--soc hi3559" "--soc dv500 --nets 2" "--soc cv610 --aicpu 1" "--interval 0 --pictures 2" "--layouts x" "--calls many"; do
		# shellcheck disable=SC2086 # words on purpose
		run -2 "$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/none" $options
		[ ! -e "$BATS_TEST_TMPDIR/none" ]
	done
}
