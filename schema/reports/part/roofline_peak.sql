-- The device that took the longest, and the peak of its cube cores at 16 bits. chips.txt has no bandwidth of the memory.
SELECT h.cube_ops * c.mhz * c.cores * 1e6 AS peak_ops_per_s, NULL AS bandwidth_bytes_per_s, c.grp AS _grp, h.cube_ops AS _ops, p.total_ns AS _total
FROM temp.cube c JOIN temp.chips h ON h.chip = c.chip JOIN temp.pace p ON p.grp = c.grp
WHERE h.cube_ops * c.mhz * c.cores > 0 AND c.mac_cycles > 0 ORDER BY p.total_ns DESC, c.grp LIMIT 1
