-- @file ai_vector_core
-- @title AICoreOriginalData
-- @each
SELECT DISTINCT device_id FROM core_sum WHERE kind = 'aiv'
-- @rows
SELECT 1 AS mode, 0 AS replayid, at_ns AS timestamp, core AS coreid, total_cycles AS task_cyc, pmu0 AS event1, pmu1 AS event2, pmu2 AS event3, pmu3 AS event4, pmu4 AS event5,
  pmu5 AS event6, pmu6 AS event7, pmu7 AS event8, pmu8 AS event9, pmu9 AS event10
FROM core_reading WHERE device_id = :device_id AND kind = 'aiv' ORDER BY at_ns, core
