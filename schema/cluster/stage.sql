-- A rank is of the lowest stage of its groups.
UPDATE stage SET stage = n.stage FROM (
  SELECT m.rank, min(g.stage) AS stage FROM member m JOIN (SELECT m.communicator, min(s.stage) AS stage FROM member m JOIN stage s USING (rank) GROUP BY m.communicator) g
    USING (communicator) GROUP BY m.rank
) n WHERE n.rank = stage.rank AND n.stage < stage.stage;
