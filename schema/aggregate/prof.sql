-- What PROF directories tell besides: ranks, collective operations and links. A rank that is no whole number of 32 bits is not known.

INSERT INTO temp.aggregate_rank
WITH said AS (
  SELECT device_id, json_extract(text, '$.hostname') AS host, json_extract(text, '$.rank_id') AS rank_id, json_extract(text, '$.drvVersion') AS driver,
    json_extract(text, '$.jobInfo') AS job, json_extract(text, '$.platform_version') AS chip
  FROM control WHERE name = 'info.json' AND json_valid(text)
), delay AS (
  SELECT device_id, total_int(start_ns - launch_ns) / count(*) AS mean_ns FROM task WHERE launch_ns IS NOT NULL AND start_ns >= launch_ns GROUP BY device_id
), clock AS (
  SELECT device_id, CAST(round(total(1.0 * frequency_mhz * dur_ns) / nullif(total(dur_ns), 0)) AS INTEGER) AS mean_mhz, min(frequency_mhz) AS lowest_mhz
  FROM task WHERE is_op = 1 AND start_ns IS NOT NULL AND frequency_mhz > 0
    AND device_id IN (SELECT device_id FROM core_frequency GROUP BY device_id HAVING min(mhz) < max(mhz)) GROUP BY device_id
  UNION ALL SELECT device_id, min(mhz), min(mhz) FROM core_frequency f
  WHERE EXISTS (SELECT 1 FROM source s WHERE s.target IN ('freq', 'lpm') AND s.device_id = f.device_id AND s.records > 0) GROUP BY device_id HAVING min(mhz) = max(mhz)
)
SELECT d.device_id, (SELECT max(CAST(rank_id AS INTEGER)) FROM said
    WHERE CAST(CAST(rank_id AS INTEGER) AS TEXT) = CAST(rank_id AS TEXT) AND CAST(rank_id AS INTEGER) BETWEEN 0 AND 4294967294
      AND coalesce(said.device_id, d.device_id) = d.device_id),
  (SELECT CAST(max(host) AS TEXT) FROM said), (SELECT nullif(CAST(max(job) AS TEXT), 'NA') FROM said),
  (SELECT CAST(max(driver) AS TEXT) FROM said), (SELECT CAST(max(chip) AS TEXT) FROM said),
  CAST((SELECT value FROM meta WHERE key = 'wall_offset_ns') AS INTEGER),
  (SELECT max(rank_size) FROM comm_op o WHERE o.device_id = d.device_id AND rank_size BETWEEN 1 AND 1000000),
  (SELECT count(*) FROM comm_op o WHERE o.device_id = d.device_id),
  (SELECT mean_ns FROM delay y WHERE y.device_id = d.device_id), EXISTS (SELECT 1 FROM loss), t.standing, t.reason, k.mean_mhz, k.lowest_mhz
FROM device d LEFT JOIN clock k ON k.device_id = d.device_id
LEFT JOIN (SELECT s.standing, s.what || ' ' || s.standing || ': not true: ' || c.says AS reason FROM standing s JOIN data_check c USING (about)
  WHERE s.failed > 0 AND s.standing <> 'proven' AND c.failed > 0 ORDER BY s.standing, s.place, c.weight, c.rowid LIMIT 1) t WHERE d.device_id >= 0 AND d.device_id < 4294967295 ORDER BY d.device_id;

-- Receiving operations, and how long the longest one is: what overlaps a step began at most that long before it.
CREATE TEMP TABLE receive AS
SELECT device_id, start_ns, end_ns FROM comm_op WHERE name LIKE '%receive%' AND end_ns >= start_ns ORDER BY device_id, start_ns;
CREATE INDEX temp.receive_by_start ON receive(device_id, start_ns);
UPDATE aggregate_step AS s SET bubble_ns = (
  SELECT coalesce(total_int(min(r.end_ns, s.start_ns + s.span_ns) - max(r.start_ns, s.start_ns)), 0) FROM temp.receive r
  WHERE r.device_id = s.device_id AND r.start_ns < s.start_ns + s.span_ns AND r.start_ns > s.start_ns - l.longest_ns AND r.end_ns > s.start_ns)
FROM (SELECT max(end_ns - start_ns) AS longest_ns FROM temp.receive) l WHERE l.longest_ns IS NOT NULL;
DROP TABLE temp.receive;

-- The nth operation of a kind in a group is the same on all ranks of the group, but that of a send or a receive is not. Those are kept whose number is a multiple of
-- a power of two, so ranks keep the same ones. wait_ns is what the operation waited for other ranks, where transfers were recorded.
INSERT INTO temp.aggregate_collective
WITH numbered AS (
  SELECT id, device_id, coalesce((SELECT n.name FROM name n WHERE n.hash = o.step_group), printf('%u', o.step_group), 'N/A') AS communicator,
    coalesce((SELECT n.name FROM name n WHERE n.hash = o.op_type), printf('%u', o.op_type)) AS type, start_ns, CAST(end_ns - start_ns AS INTEGER) AS dur_ns, rank_size, count,
    row_number() OVER (PARTITION BY device_id, step_group, op_type ORDER BY start_ns, id) - 1 AS number, count(*) OVER (PARTITION BY device_id) AS all_ops
  FROM comm_op o WHERE start_ns IS NOT NULL AND (end_ns >= start_ns OR end_ns IS NULL)
    AND (o.name IS NULL OR (o.name NOT LIKE '%send%' AND o.name NOT LIKE '%receive%' AND o.name NOT LIKE '%recv%'))
), every AS (
  SELECT 0 AS shift UNION ALL SELECT shift + 1 FROM every WHERE shift < 40
), kept AS MATERIALIZED (
  SELECT * FROM numbered n WHERE number % (1 << (SELECT min(shift) FROM every WHERE n.all_ops >> shift <= 512)) = 0
), waited AS (
  SELECT c.op_id, total_int(w.ns) FILTER (WHERE w.what IN (4, 5)) AS wait_ns, total_int(w.ns) FILTER (WHERE w.what IN (1, 3)) AS transmit_ns
  FROM comm_transfer w JOIN comm_task c ON c.id = w.id WHERE c.is_master AND c.op_id IN (SELECT id FROM kept) GROUP BY c.op_id
)
SELECT k.device_id, k.communicator, k.type, k.number, k.start_ns, k.dur_ns, w.wait_ns, w.transmit_ns, k.rank_size
FROM kept k LEFT JOIN waited w ON w.op_id = k.id ORDER BY k.device_id, k.start_ns, k.id;

INSERT INTO temp.aggregate_communication
SELECT o.device_id, coalesce((SELECT n.name FROM name n WHERE n.hash = o.step_group), nullif(printf('%u', o.step_group), '0')),
  coalesce((SELECT n.name FROM name n WHERE n.hash = o.op_type), nullif(printf('%u', o.op_type), '0')), count(*),
  total_int(o.dur_ns), min(o.dur_ns), max(o.dur_ns)
FROM (SELECT device_id, step_group, op_type, CAST(end_ns - start_ns AS INTEGER) AS dur_ns FROM comm_op WHERE start_ns IS NOT NULL AND end_ns >= start_ns) o
GROUP BY o.device_id, o.step_group, o.op_type;

-- What moved between two ranks over one kind of link. Without a size or a time nothing is known of its speed.
INSERT INTO temp.aggregate_link
SELECT t.device_id, h.local_rank, h.remote_rank, (SELECT k.name FROM hccl_kind k WHERE k.what = 'link' AND k.kind = h.link_type),
  (SELECT k.name FROM hccl_kind k WHERE k.what = 'transport' AND k.kind = h.transport_type), count(*), total_int(h.size), total_int(t.dur_ns),
  max(1.0 * h.size / t.dur_ns)
FROM comm_task c CROSS JOIN hccl_info h ON h.rowid = c.info_row CROSS JOIN task t ON t.id = c.id
WHERE h.size > 0 AND h.remote_rank <> h.local_rank AND h.remote_rank < 4294967295 AND t.dur_ns > 0
GROUP BY t.device_id, h.local_rank, h.remote_rank, h.link_type, h.transport_type;
