-- The processes of the host come first, though arrows need the tasks before the calls.
-- @each
SELECT 1
-- @rows
SELECT DISTINCT 0 AS layer, process_id AS process, 'MsprofTx, process ' || process_id AS name FROM msproftx WHERE process_id IS NOT NULL
UNION ALL SELECT DISTINCT 2, pid, 'AscendCL, process ' || pid FROM api_call WHERE pid IS NOT NULL
UNION ALL SELECT DISTINCT place, pid, process || ', process ' || pid FROM device_track WHERE place IN (4, 5, 6)
