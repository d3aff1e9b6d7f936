-- Time by (level, type), of the level of communication by item: the sums of all calls, or the tally of calls in the time that
-- the user chose.
-- The variance is the mean of the squared differences from the average, all in us.
WITH sums AS (
  SELECT k1 AS level, k2 AS type, total_int(count) AS count, total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest,
    total(squares) AS squares
  FROM tally GROUP BY k1, k2
  UNION ALL
  SELECT id >> 32, id & 4294967295, count, total_ns, shortest_ns, longest_ns, squares FROM call_kind
  WHERE count > 0 AND id >> 32 <> 5500 AND coalesce(:_to_ns, 9223372036854775807) = 9223372036854775807
  UNION ALL
  SELECT 5500, item_id, count, total_ns, shortest_ns, longest_ns, squares FROM item_call
  WHERE coalesce(:_to_ns, 9223372036854775807) = 9223372036854775807
), named AS (
  SELECT coalesce(l.shown, '') AS level,
    CASE s.level WHEN 5500 THEN coalesce(n.name, printf('%u', s.type)) ELSE coalesce(y.name, CAST(s.type AS TEXT)) END AS name,
    total_int(count) AS count, total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest, total(squares) AS squares
  FROM sums s LEFT JOIN level l USING (level) LEFT JOIN type_name y ON y.level = s.level AND y.type = s.type LEFT JOIN name n ON n.hash = s.type
  GROUP BY 1, 2, coalesce(l.number, s.level)
), api_sum AS (
  SELECT level, name, count, trimmed(total / 1000.0) AS total_us, trimmed(total / 1000.0 / count) AS avg_us, trimmed(shortest / 1000.0) AS min_us,
    trimmed(longest / 1000.0) AS max_us,
    trimmed(max(0, (squares / count - 1.0 * total / count * total / count) / 1000000.0)) AS variance
  FROM named ORDER BY name, level
)
