-- Runs last, on every job: notes about its files and devices.

-- The file in which our recorder writes what it says of itself.
CREATE TEMP TABLE own_file AS
SELECT CASE value WHEN 'svp' THEN 'recorder.json.' ELSE 'info.json.' END AS name FROM meta WHERE key = 'family';

INSERT INTO note(kind, file, text)
SELECT 'warning', f.name || device_id, lost || ' records were lost on the board, as it says itself'
FROM device CROSS JOIN own_file f WHERE lost > 0;

INSERT INTO note(kind, file, text)
SELECT 'warning', f.name || device_id, 'host-only job: no AA Core data'
FROM device CROSS JOIN own_file f WHERE collector = 'host';
DROP TABLE own_file;

-- Files that end with a marker .done. Of SS928 jobs, svp/notes.sql looks at those of calls; a board writes no other one.
CREATE TEMP TABLE marked AS
SELECT file, has_done FROM source WHERE state = 'raw' AND file GLOB '*data/*' AND file NOT GLOB '*.info'
  AND (target IN ('aicore_task', 'aicpu_task') OR (SELECT value FROM meta WHERE key = 'family') <> 'svp');

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'incomplete collection: no .done marker beside any of ' || count(DISTINCT file) || ' raw files'
FROM marked HAVING count(*) > 0 AND max(has_done) = 0;

INSERT INTO note(kind, file, text)
SELECT DISTINCT 'warning', file, 'incomplete collection: its .done marker is missing'
FROM marked WHERE has_done = 0 AND EXISTS (SELECT 1 FROM source WHERE has_done = 1);
DROP TABLE marked;

-- Slices of a stream are numbered from 0. The oldest slices may have been removed, but no slice between two others.
CREATE TEMP TABLE slice AS
SELECT DISTINCT file, slice, lag(slice) OVER (PARTITION BY rtrim(file, '0123456789') ORDER BY slice) AS before
FROM (SELECT DISTINCT file, slice FROM source WHERE state = 'raw' AND slice IS NOT NULL);
INSERT INTO note(kind, file, text)
SELECT 'missing', file, CASE slice - before WHEN 2 THEN 'the slice before it is missing' ELSE slice - before - 1
  || ' slices before it are missing' END
FROM slice WHERE before < slice - 1;
INSERT INTO note(kind, file, text)
SELECT 'warning', file, 'the recording begins here: ' || slice || ' earlier slices were aged away' FROM slice
WHERE before IS NULL AND slice > 0;
DROP TABLE slice;

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'files that are not understood: ' || count(*) || ', with ' || total_int(size)
  || ' bytes' || coalesce(', made by ' || (SELECT group_concat(made_by, ', ') FROM (SELECT DISTINCT substr(remark, 9) AS made_by FROM source
    WHERE state = 'unknown' AND remark GLOB 'made by *' ORDER BY made_by)), '')
  || '; ''msprof check'' lists them'
FROM source WHERE state = 'unknown' HAVING count(*);
