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
CREATE TEMP TABLE board_row(
  row INTEGER PRIMARY KEY, instance INTEGER, sample_id INTEGER, text TEXT, words INTEGER, numbers INTEGER, named INTEGER,
  is_heading INTEGER, is_section INTEGER, heading INTEGER, section INTEGER
);
INSERT INTO temp.board_row
SELECT row, instance, sample_id, text, counts >> 32, counts >> 16 & 65535, counts & 65535, is_heading, is_section,
  max(CASE WHEN is_section OR is_heading THEN row END) OVER above, max(CASE WHEN is_section THEN row END) OVER above
FROM (SELECT *, NOT is_section AND (counts >> 16 & 65535) = 0 AND is_word AS is_heading
      FROM (SELECT l.rowid AS row, t.id AS instance, t.sample_id, t.name AS text, l.line GLOB '--*' OR l.line GLOB '==*' AS is_section,
              ltrim(l.line, char(9) || ' ') GLOB '[A-Za-z_]*' AS is_word,
              (SELECT count(*) << 32 | count(number) << 16 | count(name) FROM words(l.line)) AS counts
            FROM temp.board_text t CROSS JOIN board_line l ON l.rowid BETWEEN t.id + 1 AND t.last_row
            WHERE EXISTS (SELECT 1 FROM text_series e WHERE t.name GLOB e.text) AND l.line IS NOT NULL))
WINDOW above AS (PARTITION BY instance ORDER BY row);

-- Lines that name columns or sections, once each.
CREATE TEMP TABLE board_name(id INTEGER PRIMARY KEY, line TEXT UNIQUE);
INSERT OR IGNORE INTO temp.board_name(line)
SELECT l.line FROM temp.board_row r CROSS JOIN board_line l ON l.rowid = r.row WHERE r.is_heading OR r.is_section;

CREATE TEMP TABLE board_named(row INTEGER PRIMARY KEY, name_id INTEGER);
INSERT INTO temp.board_named
SELECT r.row, n.id FROM temp.board_row r CROSS JOIN board_line l ON l.rowid = r.row CROSS JOIN temp.board_name n ON n.line = l.line
WHERE r.is_heading OR r.is_section;

-- Numbers in columns, by the place of the word, and numbers with a name of their own (place -1).
CREATE TEMP TABLE board_table AS
SELECT r.row, r.sample_id, r.text, s.name_id AS section_id, h.name_id AS heading_id,
  row_number() OVER (PARTITION BY r.heading ORDER BY r.row) AS number_of
FROM temp.board_row r CROSS JOIN temp.board_row hr ON hr.row = r.heading AND hr.is_heading AND hr.words = r.words
CROSS JOIN temp.board_named h ON h.row = r.heading LEFT JOIN temp.board_named s ON s.row = r.section
WHERE r.numbers > 0;

CREATE TEMP TABLE board_pair AS
SELECT r.sample_id, r.text, s.name_id AS section_id, w.name AS title, w.number, w.unit,
  row_number() OVER (PARTITION BY r.instance, r.section, w.name ORDER BY r.row, w.place) AS number_of
FROM temp.board_row r CROSS JOIN board_line l ON l.rowid = r.row LEFT JOIN temp.board_named s ON s.row = r.section CROSS JOIN words(l.line) w
WHERE r.named > 0 AND NOT r.is_section AND w.name IS NOT NULL;
DROP TABLE temp.board_row;
DROP TABLE temp.board_named;

CREATE TEMP TABLE board_key(
  id INTEGER PRIMARY KEY, text TEXT, section_id INTEGER, heading_id INTEGER, number_of INTEGER, place INTEGER, title TEXT, unit TEXT,
  UNIQUE(text, section_id, heading_id, number_of, place, title)
);
INSERT OR IGNORE INTO temp.board_key(text, section_id, heading_id, number_of, place, title)
SELECT t.text, coalesce(t.section_id, 0), t.heading_id, t.number_of, w.place, w.word
FROM (SELECT text, section_id, heading_id, number_of FROM temp.board_table GROUP BY 1, 2, 3, 4 ORDER BY min(row) LIMIT 1000) t
CROSS JOIN temp.board_name n ON n.id = t.heading_id CROSS JOIN words(n.line) w;
INSERT OR IGNORE INTO temp.board_key(text, section_id, heading_id, number_of, place, title, unit)
SELECT text, coalesce(section_id, 0), 0, number_of, -1, title, max(unit) FROM temp.board_pair
GROUP BY 1, 2, 4, 6 ORDER BY min(rowid) LIMIT 1000;

INSERT INTO board_series(id, text, section, title, row, use, kind)
SELECT k.id, k.text, (SELECT substr(trim(n.line, '-= '), 1, 80) FROM temp.board_name n WHERE n.id = k.section_id), substr(k.title, 1, 80), k.number_of, e.use,
  CASE WHEN e.kind = 'level' AND k.unit IN ('kB', 'KB') THEN 'kb' WHEN e.kind = 'level' AND k.unit = 'MB' THEN 'mb'
    WHEN e.kind = 'level' AND k.unit = '%' THEN 'percent' ELSE e.kind END
FROM temp.board_key k
JOIN text_series e ON e.rowid = (SELECT s.rowid FROM text_series s WHERE k.text GLOB s.text AND k.title GLOB s.title ORDER BY s.layout, s.place LIMIT 1)
WHERE e.use <> 'none' ORDER BY k.id LIMIT 1000;

INSERT INTO note(kind, file, text)
SELECT 'odd', 'board_stats.txt', 'texts of /proc/umap have 1000 numbers or more: the first 1000 are kept'
WHERE (SELECT count(*) FROM board_series) = 1000;

INSERT OR IGNORE INTO board_value(sample_id, series_id, value)
SELECT t.sample_id, k.id, w.number
FROM temp.board_table t CROSS JOIN board_line l ON l.rowid = t.row CROSS JOIN words(l.line) w
CROSS JOIN temp.board_key k ON k.text = t.text AND k.section_id = coalesce(t.section_id, 0) AND k.heading_id = t.heading_id AND k.number_of = t.number_of
  AND k.place = w.place
CROSS JOIN board_series s ON s.id = k.id
WHERE w.number IS NOT NULL AND w.name IS NULL;
INSERT OR IGNORE INTO board_value(sample_id, series_id, value)
SELECT p.sample_id, k.id, p.number
FROM temp.board_pair p CROSS JOIN temp.board_key k ON k.text = p.text AND k.section_id = coalesce(p.section_id, 0) AND k.heading_id = 0
  AND k.number_of = p.number_of AND k.place = -1 AND k.title = p.title
CROSS JOIN board_series s ON s.id = k.id;
DROP TABLE temp.board_table;
DROP TABLE temp.board_pair;
DROP TABLE temp.board_key;
DROP TABLE temp.board_name;

CREATE TEMP TABLE board_change AS
SELECT v.series_id, min(CASE WHEN s.phase = 'before' THEN v.value END) <> max(CASE WHEN s.phase = 'before' THEN v.value END) AS before,
  min(CASE WHEN s.id >= f.id THEN v.value END) <> max(CASE WHEN s.id >= f.id THEN v.value END) AS during
FROM board_value v JOIN board_sample s ON s.id = v.sample_id
CROSS JOIN (SELECT max(id) AS id FROM board_sample WHERE phase = 'before') f GROUP BY v.series_id;
UPDATE board_series SET moved_before = coalesce(m.before, 0), moved = coalesce(m.during, 0) FROM temp.board_change m WHERE m.series_id = board_series.id;
DELETE FROM board_series WHERE id NOT IN (SELECT series_id FROM temp.board_change);
DROP TABLE temp.board_change;

-- The axis of the calls and tasks: time since 1970. The clock of the board's wall has whole seconds, so it is at least as far on as any sample says.
-- Where calls do not lie within the samples, the clock was set, or is another one.
CREATE TEMP TABLE board_axis AS
SELECT b.before_ns, c.first_ns, b.wall_ns,
  coalesce(c.first_ns >= b.before_ns + b.wall_ns - b.slack_ns AND c.last_ns <= b.after_ns + b.wall_ns + b.slack_ns, 0) AS same,
  coalesce(c.first_ns, (SELECT min(start_ns) FROM aicore_task), 0) AS begin_ns
FROM (SELECT coalesce(max(CASE phase WHEN 'before' THEN uptime_ns END), min(uptime_ns)) AS before_ns, max(uptime_ns) AS after_ns,
        max(CASE WHEN wall_s BETWEEN 1 AND 4000000000 THEN wall_s * 1000000000 - uptime_ns END) AS wall_ns,
        1000000000 + max(uptime_ns) / 2000 AS slack_ns FROM board_sample) b
CROSS JOIN (SELECT min(start_ns) AS first_ns, max(start_ns + dur_ns) AS last_ns FROM api_call) c;

UPDATE board_sample SET time_ns = CASE WHEN a.same THEN uptime_ns + a.wall_ns ELSE uptime_ns - a.before_ns + a.begin_ns END FROM temp.board_axis a;

INSERT INTO note(kind, file, text)
SELECT 'assumed', 'board_stats.txt', CASE
  WHEN same THEN 'samples of the board are on the clock of the calls, to the part of a second in which no sample met a new second'
  WHEN first_ns IS NOT NULL THEN 'the first call is taken to begin at the last sample before the run: samples of the board may be late by what the program needed until then'
  ELSE 'there are no calls: the first task is taken to begin at the last sample before the run' END
FROM temp.board_axis WHERE before_ns IS NOT NULL;
DROP TABLE temp.board_axis;

INSERT INTO note(kind, file, text)
SELECT 'odd', 'board_stats.txt', 'texts of /proc/umap were left out, because they could not be read or had more than 32 KiB: ' || group_concat(left_name, ', ')
FROM (SELECT DISTINCT left_name FROM board_line WHERE left_name IS NOT NULL ORDER BY left_name LIMIT 20) HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'warning', 'board_stats.txt', 'the board was not sampled from ' || (uptime_ns / 1000000000) || ' s to ' || (next_ns / 1000000000)
  || ' s after its start: the samples reached their limit, or the board was too busy'
FROM (SELECT uptime_ns, lead(uptime_ns) OVER (ORDER BY id) AS next_ns FROM board_sample WHERE phase <> 'before')
WHERE next_ns - uptime_ns > 10000000000 LIMIT 5;

INSERT INTO note(kind, file, text)
SELECT 'warning', 'board_stats.txt', 'there is no sample after the run: it was cut'
WHERE NOT EXISTS (SELECT 1 FROM board_sample WHERE phase = 'after') AND EXISTS (SELECT 1 FROM board_sample);

DELETE FROM board_line;
DROP TABLE temp.board_text;
-- @end
