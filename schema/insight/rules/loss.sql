-- @title Lost or damaged data
-- @first
-- @advice Numbers of this job are incomplete. Collect it again; msprof check tells where data is missing.
-- @source msprof check
-- @each
SELECT say('subject.loss', 'amount', amount, 'what', word(what)) AS subject, 'high' AS severity, what AS _what FROM loss ORDER BY what
-- @rows
SELECT file AS "File", offset AS "Offset", bytes AS "Bytes", word(reason) AS "Reason" FROM (
  SELECT file, offset, bytes, reason FROM damage WHERE CASE :_what WHEN 'damaged bytes' THEN bytes > 0 WHEN 'unusable information files' THEN bytes = 0 END
  UNION ALL SELECT file, offset, NULL, say('loss.gap', 'found', found, 'expected', expected) FROM sequence_gap WHERE :_what = 'sequence gaps'
  UNION ALL SELECT file, NULL, NULL, word(text) FROM note WHERE kind = 'missing' AND :_what = 'missing or unreadable files')
ORDER BY bytes DESC, file, offset
