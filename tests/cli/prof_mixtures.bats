#!/usr/bin/env bats
# prof_mixtures.bats: PROF directories in which features meet: devices, collectives, flips, threads, chips, groups and levels at once.

load helpers

# mixtures FIRST LAST [HELPER]: the seeds, each a directory of its own; a few lines of the first that is wrong
mixtures() {
	local seed

	for seed in $(seq "$1" "$2"); do
		run python3 "$HELPERS/${3:-prof_mixture}.py" "$BUILD/tests/genrec" "$MSPROF" "$seed" "$BATS_TEST_TMPDIR/PROF_$seed"
		[ "$status" -eq 0 ] || fail "$output"
		seen+=("$output")
	done
}

@test "random mixtures: rows of operators, tasks and calls, and events of tracks, are those of the scene" {
	seen=()
	mixtures 1 8
	# the scenes have what is to be tested: both chips, all levels, several devices, collectives and flips, also together
	equal "$(printf '%s\n' "${seen[@]}" | awk '{ print "chip " $2; print "level " $3; if ($4 > 1) print "devices"; if ($4 > 1 && $6 && $7) print "all" }' | sort -u)" \
		$'all\nchip 5\nchip 7\ndevices\nlevel l0\nlevel l1\nlevel l2'
}

@test "export db of mixtures: rows of calls, tasks, operators, collectives and counters, and as strings the texts of these rows alone" {
	seen=()
	mixtures 16 20 prof_mixture_db
	equal "$(printf '%s\n' "${seen[@]}" | awk '{ print "chip " $2; print "level " $3; if ($4) print "collectives at " $3 }' | sort -u)" \
		$'chip 5\nchip 7\ncollectives at l0\ncollectives at l1\nlevel l0\nlevel l1\nlevel l2'
	# another type of an operator is another row, and another string; a step more is an operation of another span
	run python3 - "$HELPERS" "$BATS_TEST_TMPDIR"/PROF_16/msprof_*.db <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		import prof_mixture_db as m
		scene = m.Scene(16)
		next(t for t in scene.tasks if "op" in t)["type"] = "Sub"
		scene.comms[0]["steps"].pop()
		print(*(line.split(":")[0] for line in m.differences(scene, sys.argv[2])))
	END
	equal "$output" 'COMPUTE_TASK_INFO COMMUNICATION_OP COMMUNICATION_TASK_INFO STRING_IDS'
}

@test "a mixture whose records say something else is found" {
	mixtures 5 5
	run python3 - "$HELPERS" "$BATS_TEST_TMPDIR/PROF_5" <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		import prof_mixture as m
		want, have = m.expected(m.Scene(5)), m.found(m.Scene(5), sys.argv[2])
		print(sum(m.alike(want[k], have[k], 0.0006) for k in want))
		other = m.Scene(5)
		other.tasks[3]["dur"] += 1
		other.calls[0] = other.calls[0][:5] + (other.calls[0][5] + 1, 0)
		want = m.expected(other)
		print(sum(m.alike(want[k], have[k], 0.0006) for k in want))
	END
	equal "$output" $'5\n2'
}
