-- A query, not a script: the statements that put the rows of the table ?1 in the order of their times, since a record came too late (joins.sql
-- says by which column). All rows of a device are put in order together; those of one time by all their values, so that the order in the
-- files does not matter. Rows that differ, and that nothing tells apart, are counted.
WITH given AS (
  SELECT '"' || o.records || '"' AS t, '''' || o.records || '''' AS text, '"' || o.time || '"' AS time,
    (SELECT group_concat('"' || name || '"') FROM pragma_table_info(o.records)) AS columns,
    (SELECT group_concat(' AND a."' || value || '" IS b."' || value || '"', '') FROM json_each('["' || replace(o.time || ' ' || o.apart, ' ', '","') || '"]') WHERE value <> '') AS alike
  FROM temp.record_order o WHERE o.records = ?1
), ranged AS (
  SELECT *, '(SELECT device_id AS _device, first_row AS _first, last_row AS _last FROM source WHERE target = ' || text || ') CROSS JOIN ' || t ||
    ' x ON x.rowid BETWEEN _first AND _last' AS all_rows FROM given
)
SELECT 'CREATE TEMP TABLE place AS SELECT x.rowid AS row, _device FROM ' || all_rows || ' ORDER BY _device, row;
CREATE TEMP TABLE ordered AS SELECT x.* FROM ' || all_rows || ' ORDER BY _device, ' || time || ', ' || columns || ';
INSERT INTO temp.ambiguous
SELECT ' || text || ', count(*) FROM temp.place p JOIN temp.place n ON n.rowid = p.rowid + 1 JOIN temp.ordered a ON a.rowid = p.rowid JOIN temp.ordered b ON b.rowid = n.rowid
WHERE p._device IS n._device' || alike || '
  AND EXISTS (SELECT * FROM temp.ordered WHERE rowid = a.rowid EXCEPT SELECT * FROM temp.ordered WHERE rowid = b.rowid);
DELETE FROM ' || t || ' WHERE rowid IN (SELECT row FROM temp.place);
INSERT INTO ' || t || '(rowid, ' || columns || ') SELECT p.row, x.* FROM temp.place p JOIN temp.ordered x ON x.rowid = p.rowid ORDER BY p.row;
DROP TABLE temp.place;
DROP TABLE temp.ordered;' AS statements
FROM ranged;
