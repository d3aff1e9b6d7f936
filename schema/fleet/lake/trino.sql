-- The tables for Trino, with a catalog `hive` whose file system has the directory: trino --file {dir}/trino.sql. After new days: the last statement of a table again.
-- A job's row tells which load is its own.
CREATE SCHEMA IF NOT EXISTS hive.lake;
CREATE TABLE IF NOT EXISTS hive.lake.all_job(job bigint, load bigint, "run" varchar, "name" varchar, "label" varchar, "family" varchar, "host" varchar,
  "rank" bigint, "driver" varchar, "chip" varchar, "started_ns" bigint, "wall_offset_ns" bigint, "devices" bigint, "damaged" bigint, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/job');
CREATE OR REPLACE VIEW hive.lake.job AS SELECT * FROM hive.lake.all_job WHERE (job, load) IN (SELECT job, max(load) FROM hive.lake.all_job GROUP BY job);
CALL hive.system.sync_partition_metadata('lake', 'all_job', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_job_label(job bigint, load bigint, "name" varchar, "value" varchar, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/job_label');
CREATE OR REPLACE VIEW hive.lake.job_label AS SELECT * FROM hive.lake.all_job_label WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_job_label', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_step(job bigint, load bigint, "device_id" bigint, "track" varchar, "number" bigint, "label" varchar,
  "start_ns" bigint, "span_ns" bigint, "computing_ns" bigint, "aicpu_ns" bigint, "communication_ns" bigint, "idle_ns" bigint, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/step');
CREATE OR REPLACE VIEW hive.lake.step AS SELECT * FROM hive.lake.all_step WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_step', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_operator(job bigint, load bigint, "device_id" bigint, "track" varchar, "name" varchar, "type" varchar,
  "class" varchar, "tasks" bigint, "total_ns" bigint, "shortest_ns" bigint, "longest_ns" bigint, "alone_ns" bigint, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/operator');
CREATE OR REPLACE VIEW hive.lake.operator AS SELECT * FROM hive.lake.all_operator WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_operator', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_communication(job bigint, load bigint, "device_id" bigint, "communicator" varchar, "type" varchar,
  "operations" bigint, "total_ns" bigint, "shortest_ns" bigint, "longest_ns" bigint, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/communication');
CREATE OR REPLACE VIEW hive.lake.communication AS SELECT * FROM hive.lake.all_communication WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_communication', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_link(job bigint, load bigint, "source_rank" bigint, "target_rank" bigint, "link" varchar, "transport" varchar,
  "transfers" bigint, "bytes" bigint, "total_ns" bigint, "best_gbs" double, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/link');
CREATE OR REPLACE VIEW hive.lake.link AS SELECT * FROM hive.lake.all_link WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_link', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_task(job bigint, load bigint, "device_id" bigint, "model_id" bigint, "stream_id" bigint, "task_id" bigint,
  "name" bigint, "type" bigint, "kind" bigint, "start_ns" bigint, "dur_ns" bigint, "launch_ns" bigint, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/task');
CREATE OR REPLACE VIEW hive.lake.task AS SELECT * FROM hive.lake.all_task WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_task', 'FULL');
CREATE TABLE IF NOT EXISTS hive.lake.all_word(job bigint, load bigint, "word" bigint, "text" varchar, day date)
  WITH (format = 'JSON', partitioned_by = ARRAY['day'], external_location = 'file://{dir}/word');
CREATE OR REPLACE VIEW hive.lake.word AS SELECT * FROM hive.lake.all_word WHERE (job, load) IN (SELECT job, load FROM hive.lake.job);
CALL hive.system.sync_partition_metadata('lake', 'all_word', 'FULL');
