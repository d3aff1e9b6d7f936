-- Collective operations of analyze/communication.json, each in the step of its start; without steps, and with one, all are in it.
WITH step AS MATERIALIZED (
  SELECT id, step, start_ns, end_ns FROM temp.step_range UNION ALL SELECT 0, NULL, 0, 9223372036854775807 WHERE NOT EXISTS (SELECT 1 FROM temp.step_range)
), comm_start AS (
  SELECT rowid AS place, key, json, repr(json_extract(json, '$."Communication Time Info"."Start Timestamp(us)"') * 1.0) AS us FROM temp.communication
), comm_step AS MATERIALIZED (
  SELECT place, key, json, CASE WHEN lower(key) GLOB 'hcom_send*' OR lower(key) GLOB 'hcom_receive*' OR lower(key) GLOB 'hcom_batchsendrecv*' THEN 'p2p'
      WHEN lower(key) GLOB 'total*' THEN NULL ELSE 'collective' END AS kind,
    CASE (SELECT count(*) FROM step) WHEN 1 THEN (SELECT id FROM step)
      ELSE (SELECT id FROM step WHERE CAST(substr(us, 1, instr(us, '.') - 1) || substr(substr(us, instr(us, '.') + 1) || '00', 1, 3) AS INTEGER) BETWEEN start_ns AND end_ns
        ORDER BY id LIMIT 1) END AS id
  FROM comm_start
)
