-- The names of operators.
CREATE TEMP TABLE op_name(id INTEGER PRIMARY KEY, name, type, converts, number, blocks, core);
INSERT INTO temp.op_name
SELECT o.id, CASE WHEN o.is_rest THEN 'other operators' WHEN o.class = 4 THEN 'all-reduce ' || o.k2
    ELSE coalesce(p.name, 'stream ' || t.stream_id || ' task ' || t.task_id) END AS name,
  CASE WHEN o.class <> 4 AND NOT o.is_rest THEN p.type END AS type, coalesce(c.converts, 0) AS converts, t.task_id AS number, p.block_dim AS blocks, 'aic' AS core
FROM temp.operator o LEFT JOIN task t ON t.id = o.first_row AND o.class <> 4 AND NOT o.is_rest LEFT JOIN op p ON p.id = t.op_id
LEFT JOIN temp.type_class c ON c.hash = text_hash(p.type);

-- Tasks by their rows.
CREATE TEMP VIEW named_task AS SELECT id AS row, name, type, task_id AS number FROM main.tasks;

-- The shares of the cycles that the units of the cores were busy, where the counters are those of pipes. One core has all units.
-- The rows come in the order of their key, so that the table grows at its end.
CREATE TEMP TABLE pipe AS
SELECT m.device_id, u.name, m.position
FROM counter m JOIN (SELECT 0x08 AS event, 'vec' AS name UNION ALL VALUES (0x09, 'scalar'), (0x0a, 'mac'), (0x0b, 'mte1'), (0x0c, 'mte2'), (0x0d, 'mte3')) u
  ON u.event = m.event ORDER BY m.device_id, u.name;
CREATE TEMP TABLE op_unit(id, core, name, ratio, PRIMARY KEY(id, core, name)) WITHOUT ROWID;
INSERT INTO temp.op_unit
SELECT o.id, 'aic', p.name, 1.0 * pick(p.position, o.pmu0, o.pmu1, o.pmu2, o.pmu3, o.pmu4, o.pmu5, o.pmu6, o.pmu7) / o.cycles
FROM temp.operator o CROSS JOIN temp.pipe p ON p.device_id = o.k1 WHERE NOT o.is_rest AND o.class < 3 AND o.cycles > 0;

CREATE TEMP TABLE core_count AS SELECT device_id AS grp, 'aic' AS core, aic_num AS cores FROM setting WHERE aic_num > 1;

-- The cycles in which the cube cores multiplied, of all cores, and what the peak follows from.
CREATE TEMP TABLE cube AS
SELECT o.k1 AS grp, total(u.ratio * o.cycles) AS mac_cycles, nullif(max(s.aic_mhz), 0) AS mhz, max(c.cores) AS cores, max(s.chip) AS chip
FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id JOIN setting s ON s.device_id = o.k1 LEFT JOIN temp.core_count c ON c.grp = o.k1
WHERE u.name = 'mac' GROUP BY o.k1;

CREATE TEMP VIEW collective AS
SELECT a.device_id AS grp, 'all-reduce ' || a.number AS name, s.host_ns + CAST(round((a.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS start_ns,
  s.host_ns + CAST(round((a.end_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS end_ns
FROM main.all_reduce a JOIN main.setting s ON s.device_id = a.device_id WHERE a.end_counter IS NOT NULL;

-- Where the host was in a gap: calls are not searched in this generation.
CREATE TEMP TABLE gap_host(gap INTEGER PRIMARY KEY, name TEXT);
