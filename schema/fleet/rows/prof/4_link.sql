-- What moved between two ranks over one kind of link.
-- @title link
-- @types int int text? text? int int int real
-- @each
SELECT 1 AS _one
-- @rows
SELECT source AS source_rank, target AS target_rank, link, transport, total_int(transfers) AS transfers, total_int(bytes) AS bytes, total_int(total_ns) AS total_ns,
  max(best_gbs) AS best_gbs
FROM temp.aggregate_link GROUP BY source, target, link, transport
