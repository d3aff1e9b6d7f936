-- Runs last on SS928 jobs: what board_stats.txt says, see svp.board_stats in schema/records/svp.rec.
-- @when EXISTS (SELECT 1 FROM board_line)

-- Each of our lines begins a text, which ends before the next one.
CREATE TEMP TABLE board_text AS
SELECT rowid AS id, phase IS NOT NULL AS is_sample, count(phase) OVER (ORDER BY rowid) AS sample_id, text_name AS name,
  lead(rowid, 1, (SELECT max(rowid) + 1 FROM board_line)) OVER (ORDER BY rowid) - 1 AS last_row
FROM board_line WHERE coalesce(phase, text_name, zone, left_name, version) IS NOT NULL;

CREATE TEMP TABLE board_words AS
SELECT t.sample_id, t.name AS text, w.place, w.name, w.number
FROM temp.board_text t JOIN board_line l ON l.rowid BETWEEN t.id + 1 AND t.last_row CROSS JOIN words(l.line) w
WHERE t.name IN ('loadavg', 'meminfo', 'program') AND w.number IS NOT NULL;

INSERT INTO board_sample(id, phase, uptime_ns, wall_s, load, total_kb, free_kb, available_kb, program_kb)
SELECT t.sample_id, l.phase, l.uptime_s * 1000000000 + l.uptime_cs * 10000000, nullif(l.wall_s, 0),
  max(CASE WHEN w.text = 'loadavg' AND w.place = 0 THEN w.number END),
  max(CASE w.name WHEN 'MemTotal' THEN w.number END), max(CASE w.name WHEN 'MemFree' THEN w.number END),
  max(CASE w.name WHEN 'MemAvailable' THEN w.number END), max(CASE w.name WHEN 'VmRSS' THEN w.number END)
FROM temp.board_text t JOIN board_line l ON l.rowid = t.id LEFT JOIN temp.board_words w ON w.sample_id = t.sample_id
WHERE t.is_sample AND l.uptime_s BETWEEN 0 AND 1000000000 GROUP BY t.id;
DROP TABLE temp.board_words;

UPDATE board_sample SET busy_ticks = total - idle, total_ticks = total
FROM (SELECT t.sample_id, coalesce(l.cpu_idle + l.cpu_iowait, 0) AS idle,
        l.cpu_user + l.cpu_nice + l.cpu_system + l.cpu_idle + l.cpu_iowait + l.cpu_irq + l.cpu_softirq + l.cpu_steal AS total
      FROM temp.board_text t JOIN board_line l ON l.rowid BETWEEN t.id + 1 AND t.last_row
      WHERE t.name = 'stat' AND l.cpu_user IS NOT NULL) c
WHERE c.sample_id = board_sample.id;

UPDATE board_sample SET program_ticks = c.ticks
FROM (SELECT t.sample_id, l.program_user + l.program_system + l.children_user + l.children_system AS ticks
      FROM temp.board_text t JOIN board_line l ON l.rowid BETWEEN t.id + 1 AND t.last_row
      WHERE t.name = 'program' AND l.program_user IS NOT NULL) c
WHERE c.sample_id = board_sample.id;

-- The program begins after the last sample before it.
UPDATE board_sample SET program_ticks = 0 WHERE id = (SELECT max(id) FROM board_sample WHERE phase = 'before');

INSERT INTO board_heat
SELECT t.sample_id, l.zone, nullif(l.zone_type, '-'), l.millidegree
FROM temp.board_text t JOIN board_line l ON l.rowid = t.id WHERE l.zone IS NOT NULL;

-- Numbers of texts. A line of words that are no numbers names the columns of the lines below it with as many words.
CREATE TEMP TABLE board_word AS
SELECT t.id AS instance, t.sample_id, t.name AS text, l.rowid AS row, l.line GLOB '--*' OR l.line GLOB '==*' AS is_section,
  w.place, w.word, w.name, w.number, w.unit
FROM temp.board_text t JOIN board_line l ON l.rowid BETWEEN t.id + 1 AND t.last_row CROSS JOIN words(l.line) w
WHERE EXISTS (SELECT 1 FROM text_series e WHERE t.name GLOB e.text);
CREATE INDEX temp.board_word_by_row ON board_word(row, place);

CREATE TEMP TABLE board_row AS
SELECT row, instance, sample_id, text, words, numbers, is_heading,
  max(CASE WHEN is_section OR is_heading THEN row END) OVER above AS heading, max(CASE WHEN is_section THEN row END) OVER above AS section
FROM (SELECT row, instance, sample_id, text, count(*) AS words, count(number) AS numbers, is_section,
        NOT is_section AND count(number) = 0 AND max(CASE place WHEN 0 THEN word GLOB '[A-Za-z_]*' END) AS is_heading
      FROM temp.board_word GROUP BY row)
WINDOW above AS (PARTITION BY instance ORDER BY row);
CREATE INDEX temp.board_row_by_row ON board_row(row);

CREATE TEMP TABLE board_cell AS
SELECT v.sample_id, v.text, v.section, h.word AS title, v.number_of AS row, w.number, w.unit
FROM (SELECT r.*, row_number() OVER (PARTITION BY r.heading ORDER BY r.row) AS number_of
      FROM temp.board_row r JOIN temp.board_row h ON h.row = r.heading AND h.is_heading AND h.words = r.words WHERE r.numbers > 0) v
JOIN temp.board_word w ON w.row = v.row AND w.number IS NOT NULL AND w.name IS NULL
JOIN temp.board_word h ON h.row = v.heading AND h.place = w.place
UNION ALL
SELECT w.sample_id, w.text, r.section, w.name, row_number() OVER (PARTITION BY w.instance, r.section, w.name ORDER BY w.row, w.place), w.number, w.unit
FROM temp.board_word w JOIN temp.board_row r ON r.row = w.row WHERE w.name IS NOT NULL AND NOT w.is_section;
DROP TABLE temp.board_row;
DROP TABLE temp.board_word;

UPDATE temp.board_cell SET section = (SELECT substr(trim(l.line, '-= '), 1, 80) FROM board_line l WHERE l.rowid = section);

INSERT INTO board_series(text, section, title, row, use, kind)
SELECT c.text, c.section, c.title, c.row, e.use, CASE WHEN e.kind = 'level' AND c.unit IN ('kB', 'KB') THEN 'kb'
  WHEN e.kind = 'level' AND c.unit = 'MB' THEN 'mb' WHEN e.kind = 'level' AND c.unit = '%' THEN 'percent' ELSE e.kind END
FROM (SELECT text, section, substr(title, 1, 80) AS title, row, min(sample_id) AS first, max(unit) AS unit FROM temp.board_cell
      GROUP BY 1, 2, 3, 4 ORDER BY min(rowid) LIMIT 1000) c
JOIN text_series e ON e.rowid = (SELECT s.rowid FROM text_series s WHERE c.text GLOB s.text AND c.title GLOB s.title ORDER BY s.layout, s.place LIMIT 1)
WHERE e.use <> 'none';

INSERT OR IGNORE INTO board_value
SELECT s.id, c.sample_id, c.number FROM temp.board_cell c
JOIN board_series s ON s.text = c.text AND s.section IS c.section AND s.title = substr(c.title, 1, 80) AND s.row = c.row;
DROP TABLE temp.board_cell;

UPDATE board_series SET moved_before = coalesce(m.before, 0), moved = coalesce(m.during, 0)
FROM (SELECT v.series_id, min(CASE WHEN s.phase = 'before' THEN v.value END) <> max(CASE WHEN s.phase = 'before' THEN v.value END) AS before,
        min(CASE WHEN s.id >= f.id THEN v.value END) <> max(CASE WHEN s.id >= f.id THEN v.value END) AS during
      FROM board_value v JOIN board_sample s ON s.id = v.sample_id
      CROSS JOIN (SELECT max(id) AS id FROM board_sample WHERE phase = 'before') f GROUP BY v.series_id) m
WHERE m.series_id = board_series.id;

-- The axis of the calls. Where all calls lie within the samples, both count from the start of the board.
CREATE TEMP TABLE board_axis AS
SELECT b.before_ns, b.after_ns, c.first_ns,
  c.first_ns >= b.before_ns - b.slack_ns AND c.last_ns <= b.after_ns + b.slack_ns AS same,
  coalesce(c.first_ns, (SELECT min(start_ns) FROM aicore_task), 0) AS begin_ns
FROM (SELECT coalesce(max(CASE phase WHEN 'before' THEN uptime_ns END), min(uptime_ns)) AS before_ns, max(uptime_ns) AS after_ns,
        1000000000 + max(uptime_ns) / 2000 AS slack_ns FROM board_sample) b
CROSS JOIN (SELECT min(start_ns) AS first_ns, max(start_ns + dur_ns) AS last_ns FROM api_call) c;

UPDATE board_sample SET time_ns = CASE WHEN a.same THEN uptime_ns ELSE uptime_ns - a.before_ns + a.begin_ns END FROM temp.board_axis a;

INSERT INTO note(kind, file, text)
SELECT 'assumed', 'board_stats.txt', CASE
  WHEN same THEN 'the clock of the calls is taken for that of the samples of the board: exact to 10 ms, and to what both clocks drift apart'
  WHEN first_ns IS NOT NULL THEN 'the first call is taken to begin at the last sample before the run: samples of the board may be late by what the program needed until then'
  ELSE 'there are no calls: the first task is taken to begin at the last sample before the run' END
FROM temp.board_axis WHERE before_ns IS NOT NULL;
DROP TABLE temp.board_axis;

INSERT INTO note(kind, file, text)
SELECT 'odd', 'board_stats.txt', 'texts of /proc/umap were left out, because they could not be read or had more than 32 KiB: ' || group_concat(left_name, ', ')
FROM (SELECT DISTINCT left_name FROM board_line WHERE left_name IS NOT NULL ORDER BY left_name LIMIT 20) HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'warning', 'board_stats.txt', 'the board was not sampled from ' || uptime_ns / 1000000000 || ' s to ' || next_ns / 1000000000
  || ' s after its start: the samples reached their limit, or the board was too busy'
FROM (SELECT uptime_ns, lead(uptime_ns) OVER (ORDER BY id) AS next_ns FROM board_sample WHERE phase <> 'before')
WHERE next_ns - uptime_ns > 10000000000 LIMIT 5;

INSERT INTO note(kind, file, text)
SELECT 'warning', 'board_stats.txt', 'there is no sample after the run: it was cut'
WHERE NOT EXISTS (SELECT 1 FROM board_sample WHERE phase = 'after') AND EXISTS (SELECT 1 FROM board_sample);

DELETE FROM board_line;
DROP TABLE temp.board_text;
-- @end
