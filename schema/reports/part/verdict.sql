-- What the verdict says of each group: `head` before, `tail` after the words of the family. Those with the most time come first.
WITH ranked AS (
  SELECT p.*, g.title, g.what, row_number() OVER (ORDER BY p.total_ns DESC, p.grp) AS place, count(*) OVER () AS of_all
  FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp
), spent AS (
  SELECT t.grp, say('part.' || coalesce(c.name, 'idle')) AS name, t.class, t.total_ns, row_number() OVER (PARTITION BY t.grp ORDER BY t.total_ns DESC, t.class) AS place
  FROM temp.part t LEFT JOIN temp.class c ON c.number = t.class
), top AS (
  SELECT f.*, row_number() OVER (PARTITION BY r.grp ORDER BY f.saving_ns DESC, f.place) AS n, r.grp AS of_grp
  FROM temp.finding f JOIN ranked r ON r.grp = f.grp OR (f.grp IS NULL AND r.place = 1) WHERE f.saving_ns > 0
), told AS (
  SELECT r.grp, r.place, r.of_all, say('verdict.' || r.what, 'group', r.title, 'time', time_text(r.mean_ns))
      || coalesce((SELECT say('verdict.part', 'part', s.name, 'share', percent_text(s.total_ns, r.total_ns)) FROM spent s WHERE s.grp = r.grp AND s.place = 1), '')
      || coalesce((SELECT say('verdict.part', 'part', s.name, 'share', percent_text(s.total_ns, r.total_ns)) FROM spent s
        WHERE s.grp = r.grp AND s.place > 1 AND s.class IS NULL AND 10 * s.total_ns >= r.total_ns), '') AS head,
    coalesce((SELECT say('verdict.start', 'start', start, 'saving', time_text(start_ns))
        || CASE WHEN count > 1 THEN say('verdict.many', 'count', count, 'saving', time_text(saving_ns)) ELSE '' END FROM top WHERE of_grp = r.grp AND n = 1), say('verdict.nothing'))
      || CASE r.place WHEN 1 THEN coalesce((SELECT say('verdict.first', 'title', title, 'subject', subject) FROM temp.finding WHERE is_first ORDER BY place LIMIT 1), '') ELSE '' END AS tail,
    say('verdict.legend', 'what', word(r.what)) AS legend
  FROM ranked r WHERE r.place <= 4
), rest AS ( -- without any group; and those beyond the first
  SELECT 0 AS place, say('verdict.none', 'why', word(text)) || coalesce((SELECT say('verdict.first', 'title', title, 'subject', subject) FROM temp.finding
    WHERE is_first ORDER BY place LIMIT 1), '') AS text
  FROM temp.no_step
  UNION ALL SELECT 5, say('verdict.more', 'count', of_all - 4) FROM ranked WHERE place = 1 AND of_all > 4
)
