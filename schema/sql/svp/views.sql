-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.

-- All tasks of a job.
CREATE VIEW tasks AS
SELECT s.device_id, s.model_id, coalesce(s.stream_id, t.seg_id) AS stream_id, t.task_id, t.start_ns, t.dur_ns,
       coalesce(o.oris, o.names) AS name, -- original layer names, else layer names
       o.types AS type, -- layer types joined with ','
       'AA_CORE' AS task_type, -- AA_CORE or AA_CPU
       s.model, s.batch, s.current_pic,
       s.id AS source_id, t.rowid AS row -- the place of the record: the row of source, and the rowid in its table
FROM source s CROSS JOIN aicore_task t
LEFT JOIN op o ON o.net_id = s.net_id AND o.task_id = t.task_id AND o.seg_id = t.seg_id
WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
UNION ALL
SELECT s.device_id, s.model_id, s.stream_id, t.task_id, t.start_ns, t.dur_ns,
       coalesce(o.oris, o.names), o.types, 'AA_CPU',
       s.model, s.batch, s.current_pic, s.id AS source_id, t.rowid AS row
FROM source s CROSS JOIN aicpu_task t
LEFT JOIN op o ON o.net_id = s.net_id AND o.task_id = t.task_id AND o.seg_id = -1
WHERE s.target = 'aicpu_task' AND t.rowid BETWEEN s.first_row AND s.last_row;

-- All calls of a job.
CREATE VIEW api_calls AS
SELECT s.device_id, c.pid, c.tid,
       -- op, model, runtime or others; msproftx for a mark or range
       CASE c.type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
                   WHEN 5 THEN 'msproftx' ELSE CAST(c.type AS TEXT) END AS type,
       c.name, c.start_ns, c.dur_ns, s.model, s.model_id,
       s.id AS source_id, c.rowid AS row -- the place of the record: the row of source, and the rowid in its table
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row;

-- Counters of aicore_task and inference are whole numbers of parts of a cycle.
CREATE VIEW parts AS
SELECT core,                   -- parts of a cycle; 1 unless a layout says otherwise
  1 AS cpu, core AS both, 1 AS call, -- for queries of version 3: times of the AI CPU and of calls are whole
  cycles * core / ticks AS tick, -- parts of a tick; 100 unless a layout says otherwise
  ticks, cycles                -- so many ticks are so many cycles: 1 and 100, but databases before schema 4 may have times in parts of a cycle
FROM (SELECT core, CASE is_older WHEN 1 THEN core ELSE 1 END AS ticks, CASE is_older WHEN 1 THEN 1 ELSE 100 END AS cycles
      FROM (SELECT CAST(coalesce(max(value) FILTER (WHERE key = 'parts.aicore_task'), 1) AS INTEGER) AS core,
              coalesce(max(value) FILTER (WHERE key = 'older'), 0) = 'cycles' AS is_older FROM meta));

-- What the counters are worth.
CREATE VIEW counters AS
SELECT
  -- known; assumed, if nobody has seen their places in records; contradicted, if some cannot be true, because a part is above its whole
  standing,
  -- NULL if contradicted, else 1: reports multiply by it
  CASE standing WHEN 'contradicted' THEN NULL ELSE 1 END AS shown
FROM (SELECT coalesce((SELECT value FROM meta WHERE key = 'counters'), 'known') AS standing);

-- Inferences that lost tasks: bytes of them are damage, or are fewer than their marker tells. They count in no mean.
CREATE VIEW partial_inference AS
SELECT DISTINCT device_id, model, model_id, stream_id, current_pic FROM source s
WHERE target = 'aicore_task' AND records > 0
  AND (damaged_bytes > 0 OR record_bytes + blank_bytes < (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'file_len' AND typeof(m.value) = 'integer'));

-- What the processors did between two samples of the board.
CREATE VIEW board_use AS
SELECT id AS sample_id, phase, -- the later sample
  from_ns, time_ns,            -- from the earlier sample to the later one
  100.0 * (busy_ticks - busy_before) / (total_ticks - total_before) AS busy, -- per cent of all processors
  -- per cent that the program used; not known of the last piece, because the sample after the run has no program
  100.0 * (program_ticks - program_before) / (total_ticks - total_before) AS program
FROM (SELECT *, lag(time_ns) OVER (ORDER BY id) AS from_ns, lag(busy_ticks) OVER (ORDER BY id) AS busy_before,
        lag(total_ticks) OVER (ORDER BY id) AS total_before, lag(program_ticks) OVER (ORDER BY id) AS program_before FROM board_sample)
WHERE total_ticks > total_before;

-- Numbers of texts that are worth a row: those that changed, and shares.
CREATE VIEW board_number AS
SELECT id,                     -- the row of board_series
  -- the text, the section, the title, and the number of the row if it is not 1
  text || ' ' || coalesce(section || ' ', '') || title || CASE row WHEN 1 THEN '' ELSE ' ' || row END AS name,
  use, kind, moved_before, moved
FROM board_series WHERE moved OR moved_before OR kind = 'percent';

-- What else was at work: a row for each sign of it. Signs before the run are of others, because the program was not there.
CREATE VIEW board_other AS
WITH pace AS (SELECT avg(CASE phase WHEN 'run' THEN max(busy - program, 0) END) AS during, max(CASE phase WHEN 'before' THEN busy END) AS before FROM board_use),
taken AS (
  SELECT total_kb, max(CASE phase WHEN 'before' THEN available_kb END) - min(CASE phase WHEN 'run' THEN available_kb END)
    - max(coalesce(program_kb, 0)) AS kb
  FROM board_sample),
told AS (SELECT use, group_concat(DISTINCT text) AS texts FROM board_series WHERE moved_before OR (moved AND use = 'aiisp') GROUP BY use)
SELECT 1 AS place,             -- the order in which signs are told
  'NPU' AS what,               -- what was used
  -- the sign in words
  'another program used the NPU: ' || texts || ' changed before the run' AS text FROM told WHERE use = 'npu'
UNION ALL SELECT 2, 'AI-ISP', 'AI-ISP was at work, which shares the NPU and the memory: ' || texts || ' changed' FROM told WHERE use = 'aiisp'
UNION ALL SELECT 3, 'video', 'video input was at work, which shares the memory: ' || texts || ' changed before the run' FROM told WHERE use = 'video'
UNION ALL SELECT 4, 'memory', 'another program used media memory: ' || texts || ' changed before the run' FROM told WHERE use = 'memory'
UNION ALL SELECT 5, 'memory', 'other programs took ' || (kb / 1024) || ' MiB of memory during the run' FROM taken WHERE kb > total_kb / 20
UNION ALL SELECT 6, 'processors', 'other programs used ' || CAST(round(coalesce(during, 0)) AS INTEGER) || ' % of the processors during the run, '
  || CAST(round(coalesce(before, 0)) AS INTEGER) || ' % before it' FROM pace WHERE during >= 10 OR before >= 10;
