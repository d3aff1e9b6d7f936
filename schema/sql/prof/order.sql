-- A query, not a script: the statements that put the rows of the table ?1 in the order of their times, since a record came too late (joins.sql
-- says by which column). All rows of a device are put in order together; those of one time by what tells them apart. Others of one time stay as
-- they are in the file where they follow each other there, as one writer leaves them; else nobody knows which was first, and they are counted.
WITH given AS (
  SELECT '"' || o.records || '"' AS t, '''' || o.records || '''' AS text, '"' || o.time || '"' AS time,
    (SELECT group_concat('"' || name || '"') FROM pragma_table_info(o.records)) AS columns,
    (SELECT group_concat('x."' || name || '"') FROM pragma_table_info(o.records)) AS of_x,
    (SELECT group_concat(' AND a."' || value || '" IS b."' || value || '"', '') FROM json_each('["' || replace(o.time || ' ' || o.apart, ' ', '","') || '"]') WHERE value <> '') AS alike,
    (SELECT group_concat('"' || value || '", ', '') FROM json_each('["' || replace(o.apart, ' ', '","') || '"]') WHERE value <> '') AS apart
  FROM temp.record_order o WHERE o.records = ?1
), ranged AS (
  SELECT *, '(SELECT device_id AS _device, first_row AS _first, last_row AS _last FROM source WHERE target = ' || text || ') CROSS JOIN ' || t ||
    ' x ON x.rowid BETWEEN _first AND _last' AS all_rows FROM given
)
SELECT 'CREATE TEMP TABLE place AS SELECT x.rowid AS row, _device FROM ' || all_rows || ' ORDER BY _device, row;
CREATE TEMP TABLE ordered AS SELECT x.*, x.rowid AS _row FROM ' || all_rows || ' ORDER BY _device, ' || time || ', ' || coalesce(apart, '') || ' _row;
INSERT INTO temp.ambiguous
SELECT ' || text || ', count(*) FROM temp.place p JOIN temp.place n ON n.rowid = p.rowid + 1 JOIN temp.ordered a ON a.rowid = p.rowid JOIN temp.ordered b ON b.rowid = n.rowid
WHERE p._device IS n._device' || alike || ' AND b._row <> a._row + 1
  AND EXISTS (SELECT ' || columns || ' FROM temp.ordered WHERE rowid = a.rowid EXCEPT SELECT ' || columns || ' FROM temp.ordered WHERE rowid = b.rowid);
DELETE FROM ' || t || ' WHERE rowid IN (SELECT row FROM temp.place);
INSERT INTO ' || t || '(rowid, ' || columns || ') SELECT p.row, ' || of_x || ' FROM temp.place p JOIN temp.ordered x ON x.rowid = p.rowid ORDER BY p.row;
DROP TABLE temp.place;
DROP TABLE temp.ordered;' AS statements
FROM ranged;
