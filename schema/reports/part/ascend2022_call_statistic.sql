-- Time by name of the call. Type, process and thread are those of the first of the longest calls with that name.
, statistic AS (
  SELECT s.name, s.count, s.total, s.shortest / 1000.0 AS shortest, l.dur_ns / 1000.0 AS longest, l.type, l.pid, l.tid,
    rounded(100.0 * s.total / total(s.total) OVER (), 6) AS ratio
  FROM (SELECT name, count(*) AS count, float_sum(dur_ns / 1000.0) AS total, min(dur_ns) AS shortest
        FROM (SELECT * FROM call ORDER BY name, row) GROUP BY name) s
  JOIN (SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY name ORDER BY dur_ns DESC, row) AS n FROM call) WHERE n = 1) l ON l.name IS s.name
)
