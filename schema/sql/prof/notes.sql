-- Runs last of a PROF job: what must be said of its data.
INSERT INTO note(kind, text)
SELECT 'order', records || ': ' || total_int(count) || ' records of equal times, whose order is unknown since the files are not in order'
FROM temp.ambiguous WHERE count GROUP BY records;
INSERT INTO note(kind, file, text)
SELECT 'assumed', NULL, 'host/' || column1 || ' is missing or says nothing: ' || column2
FROM (VALUES ('info.json', 'no CPU frequency: times of the host are taken for ns, the process for 0'),
  ('host_start.log', 'no clock of the host: its times are taken for ns'),
  ('start_info', 'the time of day is that of host_start.log, or that of the clock'))
WHERE NOT EXISTS (SELECT 1 FROM control WHERE name = column1 AND device_id IS NULL AND text IS NOT NULL);
INSERT INTO note(kind, text)
SELECT 'assumed', 'device ' || device_id || ': no dev_start.log with cntvct, or no clock_monotonic_raw: its times count from an unknown beginning'
FROM device WHERE host_monotonic_ns IS NULL;
INSERT INTO note(kind, text)
SELECT 'assumed', 'device ' || d.device_id || ': info.json.' || d.device_id || ' is missing or has no hwts_frequency: its counter is taken to run at ' || coalesce(d.counter_mhz, 100) || ' MHz'
FROM device d WHERE NOT coalesce((SELECT CAST(json_extract(text, '$.DeviceInfo[0].hwts_frequency') AS REAL) > 0 FROM control c
  WHERE c.device_id = d.device_id AND c.name = 'info.json' AND text IS NOT NULL), 0);
INSERT INTO note(kind, text)
SELECT 'odd', 'device ' || device_id || ': info.json is of version ' || json_extract(text, '$.version') || ', not 1.0 or 2.0: records of hbm and llc may be decoded with a wrong layout'
FROM control WHERE name = 'info.json' AND device_id IS NOT NULL AND text IS NOT NULL AND json_extract(text, '$.version') NOT IN ('1.0', '2.0');
INSERT INTO note(kind, text)
SELECT 'odd', 'device ' || device_id || ': chip ' || coalesce(json_extract(text, '$.platform_version'), 'unknown') || ' is not known'
FROM control WHERE name = 'info.json' AND device_id IS NOT NULL AND text IS NOT NULL
  AND coalesce(CAST(json_extract(text, '$.platform_version') AS INTEGER), -1) NOT IN (0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 15, 16);
INSERT INTO note(kind, text)
SELECT 'odd', 'device ' || device_id || ': event ' || printf('0x%x', event) || ' of core ' || core || ' is not known: it makes no metric'
FROM counter c WHERE NOT EXISTS (SELECT 1 FROM formula f WHERE f.event = c.event OR f.per = c.event);
INSERT INTO note(kind, text)
SELECT 'odd', count(DISTINCT device_type) || ' task types of the device are not known: they are printed as numbers'
FROM temp.task_seen WHERE device_type NOT IN (SELECT kind FROM task_kind) AND device_type - 256 NOT IN (SELECT kind FROM subtask_kind) HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || iif(count(*) = 1, ' record of the AI CPU has a type that is not known: it is in no report', ' records of the AI CPU have types that are not known: they are in no report')
FROM aicpu_other HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(DISTINCT node_type) || ' task types of nodes are not known: they are printed as numbers'
FROM temp.task_seen WHERE node_type NOT IN (SELECT kind FROM node_kind) HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' names of operators and their types are in no hash_dic: they are printed as numbers'
FROM (SELECT op_name AS hash FROM temp.task_seen WHERE op_name IS NOT NULL UNION SELECT op_type FROM temp.task_seen WHERE op_type IS NOT NULL)
WHERE hash NOT IN (SELECT hash FROM name) HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' types of calls are in no type_info_dic: they are printed as numbers'
FROM call_kind k WHERE NOT EXISTS (SELECT 1 FROM type_name t WHERE t.level = k.id >> 32 AND t.type = k.id & 4294967295) HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(DISTINCT host_type) || ' types of launched tasks are in no type_info_dic: they are printed as numbers'
FROM temp.task_seen WHERE host_type NOT IN (SELECT kind FROM host_kind) AND host_type NOT IN (SELECT hash FROM name) HAVING count(*);
-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE unlaunched)
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || CASE count(*) WHEN 1 THEN ' task' ELSE ' tasks' END || ' ran that no task_track launched'
FROM task WHERE start_ns IS NOT NULL AND launch_ns IS NULL AND id NOT IN (SELECT id FROM named_part) HAVING count(*);
-- @end
-- @when EXISTS (SELECT 1 FROM named_part)
INSERT INTO note(kind, text)
SELECT 'export', count(*) || iif(count(*) = 1, ' sub-task is', ' sub-tasks are') || ' of operators that exports leave out: of a launch they have the last one;'
  || ' the view tasks names all'
FROM named_part;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE unrun)
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tasks were launched and did not run'
FROM task WHERE start_ns IS NULL HAVING count(*);
-- @end
-- @when EXISTS (SELECT 1 FROM temp.unordered_log) AND EXISTS (SELECT 1 FROM source WHERE layout IN ('prof.aicore', 'prof.aiv') AND records > 0)
INSERT INTO note(kind, text)
SELECT 'order', 'device ' || device_id || ': '
  || total_int(runs) || ' runs of tasks that ran more than once: which counters are theirs is unknown, since these have no time and the log is not in order'
FROM (SELECT device_id, count(*) AS runs FROM task WHERE start_ns IS NOT NULL AND (aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
  GROUP BY device_id, stream_id, task_id, context_id HAVING count(*) > 1)
WHERE device_id IN (SELECT device_id FROM temp.unordered_log)
  AND device_id IN (SELECT device_id FROM source WHERE layout IN ('prof.aicore', 'prof.aiv') AND records > 0) GROUP BY device_id;
-- @end
DROP TABLE temp.unordered_log;
-- Launches without any device are data that is not here: never written, or not copied with the rest. Of host/ alone nothing is missing.
INSERT INTO note(kind, text)
SELECT 'missing', 'no device data was found: the directory has no device_N, and ' || count(*) || iif(count(*) = 1, ' task was', ' tasks were') || ' launched'
FROM task WHERE start_ns IS NULL AND NOT EXISTS (SELECT 1 FROM device) AND EXISTS (SELECT 1 FROM source WHERE file GLOB 'host/*') HAVING count(*);
DROP TABLE temp.task_seen;
-- The first tasks of a stream may have begun before the collection, the last ones may end after it. So may parts of these, which run side by side:
-- the tasks themselves follow each other.
-- @when EXISTS (SELECT 1 FROM unpaired)
INSERT INTO note(kind, text)
SELECT 'lost', count(*) || iif(count(*) = 1, ' task event has', ' task events have') || ' no other half, in the middle of a stream: the task is in no report'
FROM unpaired u JOIN (SELECT device_id, stream_id, min(start_ns) AS first_ns, max(start_ns + iif(has_parts, dur_ns, 0)) AS last_ns
  FROM task WHERE start_ns IS NOT NULL AND context_id = 4294967295 GROUP BY device_id, stream_id) t USING (device_id, stream_id)
WHERE CASE u.what WHEN 'end without a start' THEN u.time_ns > t.first_ns ELSE u.time_ns < t.last_ns END HAVING count(*);
-- @end

-- Anything that a report may tell of: dictionaries alone say nothing.
INSERT INTO meta SELECT 'inference',
  EXISTS (SELECT 1 FROM source WHERE records > 0 AND target NOT IN ('hash_dic', 'type_info_dic'));
