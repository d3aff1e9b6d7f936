-- What the scheduler's processor counted: each sample has seven events. Numbers beyond the events of such a processor are no sample.
WITH counted AS (
  SELECT s.device_id, t.rowid AS place, t.pc, pick(e.value, event0, event1, event2, event3, event4, event5, event6) AS event,
    pick(e.value, count0, count1, count2, count3, count4, count5, count6) AS count
  FROM source s CROSS JOIN ts_cpu t CROSS JOIN numbers(7) e WHERE s.target = 'ts_cpu' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND max(event0, event1, event2, event3, event4, event5, event6) <= 236 AND min(event0, event1, event2, event3, event4, event5, event6) >= 0
)
