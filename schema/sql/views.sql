-- What users and reports query. Only built-in functions: any sqlite3 shell can open it.

-- Everything that makes the exit status 3, with how much of it.
CREATE VIEW loss AS
SELECT 'damaged bytes' AS what, sum(bytes) AS amount FROM damage HAVING sum(bytes) > 0
UNION ALL SELECT 'unusable information files', count(*) FROM damage WHERE bytes = 0 HAVING count(*)
UNION ALL SELECT 'sequence gaps', sum(gaps) FROM source WHERE gaps > 0 HAVING count(*)
UNION ALL SELECT 'missing or unreadable files', count(*) FROM note WHERE kind = 'missing' HAVING count(*);
