-- @once stamp
-- The moment of the export (when the database was opened), for names of output files. The offset from host times to the
-- time of day. The time of the iterations that the user chose, else all time; a first iteration has what was before it. Where
-- collecting began: samples from before it are not shown. The processes of traces that the user leaves out, as bits. Whether summaries and traces
-- are in the older style of some chips, which iterations have on all chips: there communication is process 17; the curves of a device (_layers) are
-- processes from 20 on, in an order of their own, and the overlap the process after them; those of the other devices follow (_step, _pid_step), in the falling order
-- of the names of their directories (_places, 4 bits a device).
-- Some reports have the offset as the reference writes a double of microseconds (_text_wall), samples as this double of ns (_real_wall).
WITH begun AS (
  SELECT coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), -9223372036854775808) AS _begin_ns
), moment AS (
  SELECT (SELECT strftime('%Y%m%d%H%M%S', opened_s, 'unixepoch', 'localtime') FROM temp.choice) AS time,
    (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'wall_offset_ns') AS _exact_wall,
    (SELECT value FROM meta WHERE key = 'pid') AS _pid, (SELECT tick_ns FROM odd_clock) AS _tick_ns,
    (SELECT coalesce(total_int(1 << p.column2), 0) FROM temp.unwanted u
     JOIN (VALUES ('msproftx', 6), ('cann', 7), ('dpu', 8), ('cpu_usage', 9), ('memory_usage', 10), ('ascend', 14), ('freq', 15),
       ('communication', 16), ('network_usage', 11),
       ('disk_usage', 12), ('os_runtime_api', 13), ('npu_mem', 17), ('ddr', 18), ('acc_pmu', 19), ('hccs', 20), ('nic', 21), ('roce', 22), ('pcie', 23),
       ('hbm', 24), ('stars_soc', 25), ('stars_chip_trans', 26), ('llc', 27), ('sio', 28), ('qos', 29), ('ccu', 30), ('overlap_analyse',
         31), ('biu_perf', 32), ('block_detail', 34)) p ON p.column1 = u.layer) AS _off,
    (SELECT _begin_ns FROM begun) AS _begin_ns,
    EXISTS (SELECT 1 FROM setting s JOIN chip c ON c.chip = s.chip WHERE c.old) AS _old_chip, is_chosen AS _chosen, is_chosen AND model_id IS NOT 4294967295 AS _of_model,
    is_chosen OR EXISTS (SELECT 1 FROM setting s JOIN chip c ON c.chip = s.chip WHERE c.old) AS _old,
    is_chosen OR EXISTS (SELECT 1 FROM setting s LEFT JOIN chip c ON c.chip = s.chip WHERE c.old OR s.sampled) AS _old_trace, _from_ns, _to_ns
  FROM (
    SELECT 0 AS is_chosen, model_id, -9223372036854775808 AS _from_ns, 9223372036854775807 AS _to_ns FROM temp.choice
    WHERE NOT chosen OR NOT EXISTS (SELECT 1 FROM step)
    UNION ALL
    SELECT 1, c.model_id, min(CASE WHEN s.index_id > 1 THEN s.start_ns - 1 ELSE -9223372036854775808 END), max(s.end_ns) FROM temp.choice c JOIN step s
    ON s.model_id = coalesce(c.model_id, s.model_id) AND s.index_id BETWEEN c.iteration_id AND c.iteration_id + c.iteration_count - 1
    WHERE c.chosen HAVING count(*)
  )
), layer(place, there) AS (
  SELECT 0, EXISTS (SELECT 1 FROM hbm_rate, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 1, EXISTS (SELECT 1 FROM ddr_rate, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 2, EXISTS (SELECT 1 FROM pcie_sample, begun WHERE time_ns >= _begin_ns AND tx_p_max >= tx_p_min)
  UNION ALL SELECT 3, EXISTS (SELECT 1 FROM hccs_rate, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 4, EXISTS (SELECT 1 FROM port_rate, begun WHERE what = 'nic' AND time_ns >= _begin_ns)
  UNION ALL SELECT 5, EXISTS (SELECT 1 FROM port_rate, begun WHERE what <> 'nic' AND time_ns >= _begin_ns)
  UNION ALL SELECT 6, EXISTS (SELECT 1 FROM llc_rate, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 7, EXISTS (SELECT 1 FROM npu_mem_sample, begun WHERE time_ns >= _begin_ns AND event IN (0, 1))
  UNION ALL SELECT 8, EXISTS (SELECT 1 FROM setting WHERE sampled)
  UNION ALL SELECT 9, EXISTS (SELECT 1 FROM inter_soc, stars_log_chip, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 10, EXISTS (SELECT 1 FROM chip_trans, stars_log_chip, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 11, EXISTS (SELECT 1 FROM acc_pmu, stars_log_chip, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 12, EXISTS (SELECT 1 FROM sio_die_rate, begun WHERE time_ns >= _begin_ns)
  UNION ALL SELECT 13, EXISTS (SELECT 1 FROM qos_sample, begun WHERE name IS NOT NULL AND time_ns >= _begin_ns)
), walled AS (
  SELECT *, (_exact_wall + 125) / 250 * 0.25 * 1000.0 AS _real_wall,
    (_exact_wall + 125) / 1000 * 1000 + pick((_exact_wall + 125) / 250 & 3, 0, 200, 500, 800) AS _text_wall FROM moment
), placed AS MATERIALIZED (
  SELECT *, CASE WHEN _old THEN _text_wall ELSE _exact_wall END AS _wall, CASE WHEN _old_trace THEN (SELECT total_int(there << place) FROM layer) END AS _layers,
    (SELECT coalesce(total_int((SELECT count(*) FROM device o WHERE 'device_' || o.device_id > 'device_' || d.device_id) << 4 * d.device_id), 0)
     FROM device d WHERE d.device_id < 15) AS _places,
    CASE WHEN _old_trace THEN 17 ELSE 16 END AS _communication FROM walled
), counted AS (
  SELECT *, CASE WHEN _old_trace THEN 20 + _curves ELSE 31 END AS _overlap, CASE WHEN _old_trace THEN 1 + _curves ELSE 0 END AS _step
  FROM (SELECT *, (SELECT count(*) FROM numbers(14) WHERE has_bit(_layers, value)) AS _curves FROM placed)
), stamp AS (
  SELECT *,
    trace_pid(_pid, 6, 0) AS _pid_msproftx, NOT has_bit(_off, 6) AS _want_msproftx,
    trace_pid(_pid, 7, 0) AS _pid_cann, NOT has_bit(_off, 7) AS _want_cann,
    trace_pid(_pid, 14, 0) AS _pid_ascend, NOT has_bit(_off, 14) AS _want_ascend,
    trace_pid(_pid, 15, 0) AS _pid_freq, NOT has_bit(_off, 15) AS _want_freq,
    trace_pid(_pid, _communication, 0) AS _pid_communication, NOT has_bit(_off, 16) AS _want_communication,
    trace_pid(_pid, _overlap, 0) AS _pid_overlap, trace_pid(_pid, _step, 0) - trace_pid(_pid, 0, 0) AS _pid_step, NOT has_bit(_off, 31) AS _want_overlap,
    NOT (has_bit(_off, 7) OR has_bit(_off, 14) OR _old_trace) AS _arrows, NOT (has_bit(_off, 7) OR has_bit(_off, 14)) AND _old_trace AS _old_arrows
  FROM counted
)
