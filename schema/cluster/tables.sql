-- The rows of aggregates as they are: docs/CLUSTER.md has their meaning. Strict tables refuse values of other types.
CREATE TABLE document(id INTEGER NOT NULL, text TEXT);
INSERT INTO document VALUES (0, NULL);
CREATE TABLE rank_row(
  doc INTEGER NOT NULL, device_id INTEGER NOT NULL, rank_id INTEGER CHECK(rank_id BETWEEN 0 AND 4294967295), host TEXT, job TEXT, driver TEXT, chip TEXT,
  wall_offset_ns INTEGER, rank_size INTEGER CHECK(rank_size BETWEEN 1 AND 1000000), collectives INTEGER NOT NULL, launch_delay_ns INTEGER, damaged INTEGER NOT NULL,
  standing TEXT CHECK(standing IN ('contradicted', 'unproven')), reason TEXT,
  mean_mhz INTEGER, lowest_mhz INTEGER, name TEXT, PRIMARY KEY(doc, device_id)
) STRICT;
-- Times of a step are below 2^52 ns, 52 days: so a million of them add up.
CREATE TABLE step_row(
  doc INTEGER NOT NULL, device_id INTEGER NOT NULL, number INTEGER NOT NULL, label TEXT, start_ns INTEGER NOT NULL,
  span_ns INTEGER NOT NULL CHECK(span_ns BETWEEN 0 AND 1 << 52), computing_ns INTEGER NOT NULL CHECK(computing_ns BETWEEN 0 AND 1 << 52),
  aicpu_ns INTEGER NOT NULL CHECK(aicpu_ns BETWEEN 0 AND 1 << 52), communication_ns INTEGER NOT NULL CHECK(communication_ns BETWEEN 0 AND 1 << 52),
  exposed_ns INTEGER NOT NULL CHECK(exposed_ns BETWEEN 0 AND 1 << 52), free_ns INTEGER NOT NULL CHECK(free_ns BETWEEN 0 AND 1 << 52),
  bubble_ns INTEGER NOT NULL CHECK(bubble_ns BETWEEN 0 AND 1 << 52)
) STRICT;
CREATE TABLE operator_row(
  doc INTEGER NOT NULL, device_id INTEGER NOT NULL, name TEXT NOT NULL, type TEXT, tasks INTEGER NOT NULL CHECK(tasks BETWEEN 1 AND 1 << 40),
  total_ns INTEGER NOT NULL CHECK(total_ns BETWEEN 0 AND 1 << 56), shortest_ns INTEGER NOT NULL, longest_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE collective_row(
  doc INTEGER NOT NULL, device_id INTEGER NOT NULL, communicator TEXT NOT NULL, type TEXT, number INTEGER NOT NULL,
  start_ns INTEGER NOT NULL CHECK(start_ns BETWEEN 0 AND 1 << 62), dur_ns INTEGER CHECK(dur_ns BETWEEN 0 AND 1 << 52), wait_ns INTEGER, transmit_ns INTEGER,
  rank_size INTEGER
) STRICT;
CREATE TABLE link_row(
  doc INTEGER NOT NULL, device_id INTEGER NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL, link TEXT NOT NULL, transport TEXT NOT NULL,
  transfers INTEGER NOT NULL CHECK(transfers BETWEEN 1 AND 1 << 40), bytes INTEGER NOT NULL CHECK(bytes BETWEEN 1 AND 1 << 56),
  ns INTEGER NOT NULL CHECK(ns BETWEEN 1 AND 1 << 56)
) STRICT;
-- Where hosts stand, of the file of --hosts.
CREATE TABLE rack(host TEXT PRIMARY KEY, rack TEXT NOT NULL) STRICT;
