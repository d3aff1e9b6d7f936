-- Runs last, on every job: what must be said of its files and devices.

INSERT INTO note(kind, file, text)
SELECT 'warning', 'info.json.' || device_id, lost || ' records were lost on the board, as it says itself'
FROM device WHERE lost > 0;

INSERT INTO note(kind, file, text)
SELECT 'warning', 'info.json.' || device_id, 'host-only job: no AA Core data'
FROM device WHERE collector = 'host';

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'incomplete collection: no .done marker beside any of ' || count(*) || ' raw files'
FROM source WHERE state = 'raw' AND file NOT GLOB '*.info' HAVING count(*) > 0 AND max(has_done) = 0;

INSERT INTO note(kind, file, text)
SELECT 'warning', file, 'incomplete collection: its .done marker is missing'
FROM source WHERE state = 'raw' AND file NOT GLOB '*.info' AND has_done = 0
  AND EXISTS (SELECT 1 FROM source WHERE has_done = 1);

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'files that are not understood: ' || count(*) || ', with ' || sum(size)
  || ' bytes; ''msprof check'' lists them'
FROM source WHERE state = 'unknown' HAVING count(*);
