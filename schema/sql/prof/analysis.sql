-- The database of analyze/, from the rows of its reports in temp.communication and temp.communication_matrix: JSON by operation. "out" is
-- the new database, with the tables, columns and texts that readers of communication_analyzer.db know. A report that was not asked for
-- has no table; one without rows has. Sums of all operations are left out.
CREATE TEMP TABLE reported AS SELECT name FROM temp.sqlite_schema WHERE name IN ('communication', 'communication_matrix');
CREATE TEMP TABLE IF NOT EXISTS communication("key" TEXT, "json" TEXT);
CREATE TEMP TABLE IF NOT EXISTS communication_matrix("key" TEXT, "json" TEXT);

CREATE TEMP TABLE operation AS
SELECT what, place, substr("key", 1, at - 1) AS name, substr("key", at + 1) AS step_group, "json"
FROM (SELECT 'time' AS what, rowid AS place, "key", instr("key", '@') AS at, "json" FROM temp.communication
  UNION ALL SELECT 'matrix', rowid, "key", instr("key", '@'), "json" FROM temp.communication_matrix) WHERE at > 0;

-- @when EXISTS (SELECT 1 FROM temp.reported WHERE name = 'communication')
CREATE TABLE out.CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC,
  synchronization_time NUMERIC, idle_time NUMERIC);
INSERT INTO out.CommAnalyzerTime
SELECT o.name, o.step_group, t.value ->> 'Start Timestamp(us)', t.value ->> 'Elapse Time(ms)', t.value ->> 'Transit Time(ms)', t.value ->> 'Wait Time(ms)',
  t.value ->> 'Synchronization Time(ms)', t.value ->> 'Idle Time(ms)'
FROM temp.operation o CROSS JOIN json_each(o."json") t WHERE o.what = 'time' AND t."key" = 'Communication Time Info' ORDER BY o.place;

-- A row for each size of packages of a link; a link over which nothing went has none.
CREATE TABLE out.CommAnalyzerBandwidth (hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC,
  large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, total_duration NUMERIC);
INSERT INTO out.CommAnalyzerBandwidth
SELECT name, step_group, kind, size, took, rate, large, coalesce(p."key", 0), coalesce(p.value ->> 0, 0), coalesce(p.value ->> 1, 0)
FROM (SELECT o.name, o.step_group, o.place, k."key" AS kind, k.id AS link, k.value ->> 'Transit Size(MB)' AS size, k.value ->> 'Transit Time(ms)' AS took,
    k.value ->> 'Bandwidth(GB/s)' AS rate, k.value ->> 'Large Packet Ratio' AS large, k.value -> 'Size Distribution' AS sizes
  FROM temp.operation o CROSS JOIN json_each(o."json", '$."Communication Bandwidth Info"') k WHERE o.what = 'time') LEFT JOIN json_each(sizes) p
WHERE size + took + rate + large <> 0 ORDER BY place, link, p.id;
-- @end

-- @when EXISTS (SELECT 1 FROM temp.reported WHERE name = 'communication_matrix')
CREATE TABLE out.CommAnalyzerMatrix (hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC,
  bandwidth NUMERIC);
INSERT INTO out.CommAnalyzerMatrix
SELECT o.name, o.step_group, substr(l."key", 1, instr(l."key", '-') - 1), substr(l."key", instr(l."key", '-') + 1), l.value ->> 'Transport Type', l.value ->> 'Transit Size(MB)',
  l.value ->> 'Transit Time(ms)', l.value ->> 'Bandwidth(GB/s)'
FROM temp.operation o CROSS JOIN json_each(o."json") l WHERE o.what = 'matrix' ORDER BY o.place, l.id;
-- @end
DROP TABLE temp.operation;
DROP TABLE temp.reported;
