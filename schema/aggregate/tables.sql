-- What a job is summed up to: the rows that `cluster`, `aggregate` and `publish` share. They are kept beside the database: strict tables refuse values of other types.
-- Times are those of the job, plus wall_offset_ns they are ns since 1970.
CREATE TEMP TABLE aggregate_job(
  family TEXT, host TEXT, rank INTEGER, driver TEXT, chip TEXT, started_ns INTEGER, wall_offset_ns INTEGER, devices INTEGER NOT NULL, damaged INTEGER NOT NULL
) STRICT;
-- A rank is a device. mean_mhz and lowest_mhz are clocks of the cores while operators ran, where changes were recorded.
-- standing and reason are those of the data that is in doubt or contradicts itself (docs/STANDING.md); else they are NULL.
CREATE TEMP TABLE aggregate_rank(
  device_id INTEGER NOT NULL, rank_id INTEGER, host TEXT, job TEXT, driver TEXT, chip TEXT, wall_offset_ns INTEGER, rank_size INTEGER, collectives INTEGER NOT NULL,
  launch_delay_ns INTEGER, damaged INTEGER NOT NULL, standing TEXT, reason TEXT, mean_mhz INTEGER, lowest_mhz INTEGER
) STRICT;
-- computing_ns, aicpu_ns, exposed_ns (communication that nothing overlaps) and idle_ns add up to span_ns. communication_ns is with what overlaps it, and bubble_ns
-- the time of receiving operations, which lies in the others.
CREATE TEMP TABLE aggregate_step(
  device_id INTEGER, track TEXT, number INTEGER NOT NULL, label TEXT, start_ns INTEGER NOT NULL, span_ns INTEGER NOT NULL, computing_ns INTEGER NOT NULL,
  aicpu_ns INTEGER NOT NULL, communication_ns INTEGER NOT NULL, exposed_ns INTEGER NOT NULL, idle_ns INTEGER NOT NULL, bubble_ns INTEGER NOT NULL
) STRICT;
-- class is a number of schema/insight/class.txt.
CREATE TEMP TABLE aggregate_operator(
  device_id INTEGER, track TEXT, name TEXT NOT NULL, type TEXT, class INTEGER NOT NULL, class_title TEXT NOT NULL, tasks INTEGER NOT NULL, total_ns INTEGER NOT NULL,
  shortest_ns INTEGER NOT NULL, longest_ns INTEGER NOT NULL, alone_ns INTEGER NOT NULL
) STRICT;
-- At most 512 a device, or one of each group and type. dur_ns is NULL where an operation has no end.
CREATE TEMP TABLE aggregate_collective(
  device_id INTEGER NOT NULL, communicator TEXT NOT NULL, type TEXT, number INTEGER NOT NULL, start_ns INTEGER NOT NULL, dur_ns INTEGER, wait_ns INTEGER,
  transmit_ns INTEGER, rank_size INTEGER
) STRICT;
-- All of them, by group and type.
CREATE TEMP TABLE aggregate_communication(
  device_id INTEGER, communicator TEXT, type TEXT, operations INTEGER NOT NULL, total_ns INTEGER NOT NULL, shortest_ns INTEGER NOT NULL, longest_ns INTEGER NOT NULL
) STRICT;
-- best_gbs is the speed of the fastest transfer, in bytes a ns.
CREATE TEMP TABLE aggregate_link(
  device_id INTEGER NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL, link TEXT, transport TEXT, transfers INTEGER NOT NULL, bytes INTEGER NOT NULL,
  total_ns INTEGER NOT NULL, best_gbs REAL NOT NULL
) STRICT;
