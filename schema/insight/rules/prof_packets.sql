-- @title Small packets of communication
-- @needs tasks
-- @advice Join small tensors into larger buckets before they are sent, and split operations over fewer streams.
-- @start small packets: {subject}
-- @source SDMA below {sdma_bytes} bytes, RDMA below {rdma_bytes}, in more than {share%} % of the packets: the vendor's own analysis
-- @formula time of the small packets
-- @threshold share 0.20
-- @each
SELECT say('subject.packets', 'kind', CASE x.kind WHEN 0 THEN 'SDMA' ELSE 'RDMA' END, 'group', g.title, 'few', x.few, 'packets', x.packets) AS subject, p.mean_ns AS step_ns,
  x.ns / p.steps AS time_ns, x.ns / p.steps AS saving_ns, 'low' AS confidence, x.device_id AS _device, x.kind AS _kind, x.device_id AS _grp
FROM (SELECT t.device_id, h.transport_type AS kind, count(*) AS packets,
    count(*) FILTER (WHERE h.size < CASE h.transport_type WHEN 0 THEN :sdma_bytes ELSE :rdma_bytes END) AS few,
    coalesce(total_int(t.dur_ns) FILTER (WHERE h.size < CASE h.transport_type WHEN 0 THEN :sdma_bytes ELSE :rdma_bytes END), 0) AS ns
  FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN hccl_info h ON h.rowid = c.info_row
  WHERE h.transport_type IN (0, 1) AND h.size > 0 GROUP BY t.device_id, h.transport_type) x
JOIN temp.pace p ON p.grp = x.device_id JOIN temp.step_group g ON g.id = x.device_id
WHERE x.few > :share * x.packets ORDER BY 4 DESC, x.device_id, x.kind
-- @rows
SELECT h.size AS "Bytes", count(*) AS "Packets", decimal(total_int(t.dur_ns), 1000 * count(*), 3) AS "Mean(us)"
FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN hccl_info h ON h.rowid = c.info_row
WHERE t.device_id = :_device AND h.transport_type = :_kind AND h.size > 0 GROUP BY h.size ORDER BY 2 DESC, h.size
-- @why
SELECT 'no step of a collective operation tells its size'
WHERE NOT EXISTS (SELECT 1 FROM comm_task c CROSS JOIN hccl_info h ON h.rowid = c.info_row WHERE h.transport_type IN (0, 1) AND h.size > 0)
