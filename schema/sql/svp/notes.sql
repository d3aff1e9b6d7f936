-- Notes about what a collection on a board lacks. Nothing is withheld for them.

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'no data: the model was converted without --online_model_type=2, or nothing was executed'
WHERE NOT EXISTS (SELECT 1 FROM source WHERE target IN ('aicore_task', 'aicpu_task', 'api_call') AND records + damaged_bytes > 0)
  AND NOT EXISTS (SELECT 1 FROM device WHERE collector IS NOT NULL);

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'no task data: perhaps acl.json has aacpu and aac_metrics, where the libraries of boards read aicpu and aic_metrics, or the API was used '
  || 'without metrics'
WHERE NOT EXISTS (SELECT 1 FROM source WHERE target IN ('aicore_task', 'aicpu_task') AND records > 0)
  AND NOT EXISTS (SELECT 1 FROM device WHERE collector IS NOT NULL) AND EXISTS (SELECT 1 FROM api_call WHERE name LIKE '%mdl\_execute%' ESCAPE '\');

-- Files of calls; those of a board begin with acl_api.
INSERT INTO note(kind, file, text)
SELECT 'warning', file, 'its .done marker is missing: the program was killed, or '
  || CASE WHEN file GLOB '*data/acl_api.*' THEN 'the model was not unloaded: calls after the last sampled inference may be missing' ELSE 'its last calls may be missing' END
FROM source WHERE target = 'api_call' AND state = 'raw' AND records > 0 AND has_done = 0;

-- A board keeps 512 calls of a model between two moments at which it writes them: the end of a sampled inference, and the unloading. So there may have
-- been more where 512 are between two of them. Each 256th call tells where to look.
CREATE TEMP TABLE call_file AS
SELECT id, device_id, model, model_id, first_row, last_row, records FROM source WHERE target = 'api_call' AND file GLOB '*data/acl_api.*' AND records >= 512;

CREATE TEMP TABLE call_piece AS
SELECT file_id, piece, begin_ns, min(end_ns) AS end_ns, min(row) AS first_row, max(row) AS last_row
FROM (SELECT file_id, row, total(row IS NULL) OVER w AS piece, max(CASE WHEN row IS NULL THEN ns END) OVER w AS begin_ns,
        min(CASE WHEN row IS NULL THEN ns END) OVER (PARTITION BY file_id ORDER BY ns, row IS NOT NULL ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS end_ns
      FROM (SELECT f.id AS file_id, c.rowid AS row, c.start_ns + c.dur_ns AS ns
            FROM call_file f CROSS JOIN numbers((f.records + 255) / 256) n CROSS JOIN api_call c ON c.rowid = f.first_row + 256 * n.value
            UNION ALL
            SELECT f.id, NULL, m.value * 1000
            FROM call_file f CROSS JOIN source s ON s.target = 'aicore_task' AND s.device_id = f.device_id AND s.model_id = f.model_id AND s.model = f.model
            CROSS JOIN marker_value m ON m.source_id = s.id AND m.key = 'end_time' AND typeof(m.value) = 'integer')
      WINDOW w AS (PARTITION BY file_id ORDER BY ns, row IS NOT NULL ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))
WHERE row IS NOT NULL GROUP BY file_id, piece HAVING max(row) > min(row);

INSERT INTO note(kind, file, text)
SELECT 'warning', s.file, 'calls may be lost in ' || count(*) || CASE count(*) WHEN 1 THEN ' place' ELSE ' places' END
  || ': a board keeps 512 calls of a model until the next sampled inference, and there are as many'
FROM call_piece p JOIN call_file f ON f.id = p.file_id JOIN source s ON s.id = f.id
WHERE p.last_row - p.first_row >= 511
  OR 512 <= (SELECT count(*) FROM api_call c WHERE c.rowid BETWEEN max(p.first_row - 255, f.first_row) AND min(p.last_row + 255, f.last_row)
      AND c.start_ns + c.dur_ns >= coalesce(p.begin_ns, -9223372036854775808) AND c.start_ns + c.dur_ns < coalesce(p.end_ns, 9223372036854775807))
GROUP BY s.id;
DROP TABLE call_piece;
DROP TABLE call_file;

-- Names that are spelled in other ways, such as with leading zeros.
INSERT INTO note(kind, file, text)
SELECT 'warning', min(file), count(DISTINCT file) || ' files are of one inference of the model ' || model || ', id ' || model_id || ': reports add up their tasks'
FROM source WHERE target = 'aicore_task' AND state = 'raw' AND model IS NOT NULL AND records > 0
GROUP BY device_id, model, model_id, stream_id, batch, input_pic_num, current_pic HAVING count(DISTINCT file) > 1;
