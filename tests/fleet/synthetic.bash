# shellcheck shell=bash
# synthetic.bash: a fleet of made-up jobs, the same in both engines, made there by SQL: 8 ranks a run, a run every ten minutes, 50 steps,
# 20 operators and 8 links a job. Numbers are whole and by arithmetic alone, so another program can compute each answer.

# Own work of the steps of job g: that of rank 5 on node13 is longer, and so are all of run 6, the newest of model m6.
SYNTHETIC_OWN='(800000 + 50 * (g % 89) + 100000 * ((g % 8 = 5) AND ((g / 8) % 97 = 13))::int + 90000 * (g / 8 = 6)::int)'

# synthetic_postgresql JOBS NOW_S
synthetic_postgresql() {
	local jobs="FROM generate_series(0::bigint, $1 - 1) g" own=$SYNTHETIC_OWN
	pg "INSERT INTO job SELECT 2000000000 + g, 'syn-' || g / 8, 'PROF_' || g % 8, NULL, 'prof', 'node' || (g / 8) % 97, g % 8,
			'1.' || (g / 8) % 3, 'chip5', ($2 - (g / 8) * 600)::bigint * 1000000000, 0, 1, 0, now() $jobs;
		INSERT INTO step SELECT 2000000000 + g, 0, NULL, o, NULL, o * 1000000, $own + 101000, $own, 0, 1000, 100000 $jobs,
			generate_series(0, 49) o;
		INSERT INTO job_label SELECT 2000000000 + g, 'model', 'm' || (g / 8) % 50 $jobs WHERE (g / 8) % 2 = 0;
		INSERT INTO operator SELECT 2000000000 + g, 0, NULL, 'op' || o, 'Op', 'computing', 100, 100 * (1000 * (o + 1)
			+ 10 * ((g / 8) % 3) * o), 1, 9, 1 $jobs, generate_series(0, 19) o;
		INSERT INTO link SELECT 2000000000 + g, g % 8, o, 'HCCS', 'SDMA', 10, 1000000,
			CASE WHEN g % 8 = 2 AND o = 3 AND (g / 8) % 97 = 41 AND g / 8 < 500 THEN 90000 ELSE 50000 END + g % 7, 20.0 $jobs,
			generate_series(0, 7) o"
}

# synthetic_clickhouse JOBS NOW_S SHARDS: each shard has the jobs whose number leaves its own.
synthetic_clickhouse() {
	# shellcheck disable=SC2034 # for ch
	local CH_SETTINGS='&max_memory_usage=0&max_rows_to_read=0' shard own from load=$(($2 * 1000000000)) id="toInt64(2000000000 + g)"
	own=$(sed 's/::int//g; s/ = / = /g' <<<"$SYNTHETIC_OWN" | sed 's|g / 8|intDiv(g, 8)|g')
	for ((shard = 0; shard < $3; shard++)); do
		from="FROM (SELECT toInt64(number) AS g FROM system.numbers LIMIT $1) WHERE g % $3 = $shard"
		ch "INSERT INTO step_shard SELECT $id, $load, 0, NULL, o, NULL, o * 1000000, $own + 101000, $own, 0, 1000, 100000
			FROM (SELECT g, arrayJoin(range(50)) AS o $from)" $shard
		ch "INSERT INTO job_label_shard SELECT $id, $load, 'model', concat('m', toString(intDiv(g, 8) % 50)) $from
			AND intDiv(g, 8) % 2 = 0" $shard
		ch "INSERT INTO operator_shard SELECT $id, $load, 0, NULL, concat('op', toString(o)), 'Op', 'computing', 100,
			100 * (1000 * (o + 1) + 10 * (intDiv(g, 8) % 3) * o), 1, 9, 1 FROM (SELECT g, arrayJoin(range(20)) AS o $from)" $shard
		ch "INSERT INTO link_shard SELECT $id, $load, g % 8, o, 'HCCS', 'SDMA', 10, 1000000,
			CASE WHEN g % 8 = 2 AND o = 3 AND intDiv(g, 8) % 97 = 41 AND intDiv(g, 8) < 500 THEN 90000 ELSE 50000 END + g % 7, 20.0
			FROM (SELECT g, arrayJoin(range(8)) AS o $from)" $shard
		ch "INSERT INTO job_shard (job, load, run, name, family, host, rank, driver, chip, started_ns, wall_offset_ns, devices, damaged)
			SELECT $id, $load, concat('syn-', toString(intDiv(g, 8))), concat('PROF_', toString(g % 8)), 'prof',
			concat('node', toString(intDiv(g, 8) % 97)), g % 8, concat('1.', toString(intDiv(g, 8) % 3)), 'chip5',
			($2 - intDiv(g, 8) * 600) * 1000000000, 0, 1, 0 $from" $shard
	done
}
