-- What users and reports query. Only built-in functions: any sqlite3 shell can open it.
-- total() is a double: sum() fails where the numbers of a file are made to overflow.

-- Everything that makes the exit status 3, with how much of it.
CREATE VIEW loss AS
SELECT 'damaged bytes' AS what, CAST(total(bytes) AS INTEGER) AS amount FROM damage HAVING total(bytes) > 0
UNION ALL SELECT 'unusable information files', count(*) FROM damage WHERE bytes = 0 HAVING count(*)
UNION ALL SELECT 'sequence gaps', CAST(total(gaps) AS INTEGER) FROM source WHERE gaps > 0 HAVING count(*)
UNION ALL SELECT 'missing or unreadable files', count(*) FROM note WHERE kind = 'missing' HAVING count(*);
