-- What must be true of a job of the Ascend 910 generation. sql/checks.sql says what follows, and when a trial fails. No check reads all rows of a large table.
-- SQLite takes columns without an aggregate, such as the stream of what was found, from the row of the only min() or max().

INSERT INTO standing(about, place, what) SELECT 'tasks', 1, 'times of tasks' WHERE EXISTS (SELECT 1 FROM hwts_event);

CREATE TEMP TABLE kind_of(target, about);
INSERT INTO kind_of VALUES ('hwts_event', 'tasks');

CREATE TEMP TABLE trial(name TEXT, about TEXT, weight TEXT, says TEXT, checked INTEGER, failed INTEGER, file TEXT, found TEXT, least INTEGER DEFAULT 16);

INSERT INTO trial(name, about, weight, says, checked, failed, file, found, least)
SELECT layout || ' ' || name, about, 'contradiction', says, records, min(broken, records), file, NULL, 8
FROM layout_rule JOIN kind_of USING (target) WHERE name IN ('holds', 'order', 'agrees', 'padding', 'range')
UNION ALL SELECT layout || ' clock', about, 'doubt', 'the scheduler writes as it goes', records, records * (broken * 4 > records), file, broken || ' of ' || records
  || ' records are of an earlier time than the one before', 64
FROM layout_rule JOIN kind_of USING (target) WHERE name = 'rises';

-- Tasks and records that are looked at: all, or 16 times 64 that follow each other.
CREATE TEMP TABLE looked AS
SELECT w.value AS place, t.*, t.rowid AS row FROM (SELECT max(rowid) AS rows, min(max(rowid) / 64 + 1, 16) AS places FROM hwts_task) m CROSS JOIN numbers(m.places) w
CROSS JOIN hwts_task t ON t.rowid BETWEEN w.value * m.rows / m.places + 1 AND min(w.value * m.rows / m.places + 64, (w.value + 1) * m.rows / m.places);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'order', 'tasks', 'contradiction', 'tasks end after they start', count(*), count(*) FILTER (WHERE dur_ns < 0), 'a task takes ' || min(dur_ns) || ' ns' FROM looked;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'takes_time', 'tasks', 'doubt', 'most tasks take time', count(*), count(*) FILTER (WHERE dur_ns = 0), count(*) FILTER (WHERE dur_ns = 0) || ' of ' || count(*) || ' tasks take no time'
FROM looked;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'pairs', 'tasks', 'contradiction', 'starts and ends of tasks are pairs', unpaired + runs, CASE WHEN unpaired > 19 * runs THEN unpaired END,
  unpaired || ' starts and ends are alone, ' || runs || ' tasks have both'
FROM (SELECT count(*) AS unpaired FROM (SELECT 1 FROM unpaired LIMIT 100000)) CROSS JOIN (SELECT count(*) AS runs FROM looked);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'one_by_one', 'tasks', 'doubt', 'tasks of a stream run one after the other', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  'stream ' || stream_id || ': a task starts ' || max((before_ns - start_ns) / 1000) || ' us before the end of the one before'
FROM (SELECT stream_id, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY place, device_id, stream_id ORDER BY start_ns, row) AS before_ns FROM looked) WHERE before_ns IS NOT NULL;

DROP TABLE looked;
