-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.
-- total() returns a double; sum() would fail when the numbers of a file overflow.

-- Everything that makes exit status 3, with its amount.
CREATE VIEW loss AS
SELECT 'damaged bytes' AS what, CAST(total(bytes) AS INTEGER) AS amount FROM damage HAVING total(bytes) > 0
UNION ALL SELECT 'unusable information files', count(*) FROM damage WHERE bytes = 0 HAVING count(*)
UNION ALL SELECT 'sequence gaps', CAST(total(gaps) AS INTEGER) FROM source WHERE gaps > 0 HAVING count(*)
UNION ALL SELECT 'missing or unreadable files', count(*) FROM note WHERE kind = 'missing' HAVING count(*);
