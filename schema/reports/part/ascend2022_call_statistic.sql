-- Time by name of the call. Type, process and thread are those of the first call with that name.
, statistic AS (
  SELECT s.name, s.count, s.total, s.shortest / 1000.0 AS shortest, s.longest / 1000.0 AS longest, c.type, c.pid, c.tid,
    rounded(100.0 * s.total / total(s.total) OVER (), 6) AS ratio
  FROM (SELECT name, min(row) AS row, count(*) AS count, float_sum(dur_ns / 1000.0) AS total, min(dur_ns) AS shortest,
          max(dur_ns) AS longest
        FROM (SELECT * FROM call ORDER BY name, row) GROUP BY name) s
  JOIN call c ON c.row = s.row
)
