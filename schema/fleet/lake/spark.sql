-- The tables for Spark: spark-sql -i {dir}/spark.sql. After new days: MSCK REPAIR TABLE lake.all_job, and so on. A job's row tells which load is its own.
CREATE DATABASE IF NOT EXISTS lake;
CREATE TABLE IF NOT EXISTS lake.all_job(job BIGINT, load BIGINT, `run` STRING, `name` STRING, `label` STRING, `family` STRING, `host` STRING, `rank` BIGINT,
  `driver` STRING, `chip` STRING, `started_ns` BIGINT, `wall_offset_ns` BIGINT, `devices` BIGINT, `damaged` BIGINT, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/job';
MSCK REPAIR TABLE lake.all_job;
CREATE OR REPLACE VIEW lake.job AS SELECT * FROM lake.all_job WHERE (job, load) IN (SELECT job, max(load) FROM lake.all_job GROUP BY job);
CREATE TABLE IF NOT EXISTS lake.all_job_label(job BIGINT, load BIGINT, `name` STRING, `value` STRING, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/job_label';
MSCK REPAIR TABLE lake.all_job_label;
CREATE OR REPLACE VIEW lake.job_label AS SELECT * FROM lake.all_job_label WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE TABLE IF NOT EXISTS lake.all_step(job BIGINT, load BIGINT, `device_id` BIGINT, `track` STRING, `number` BIGINT, `label` STRING, `start_ns` BIGINT,
  `span_ns` BIGINT, `computing_ns` BIGINT, `aicpu_ns` BIGINT, `communication_ns` BIGINT, `idle_ns` BIGINT, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/step';
MSCK REPAIR TABLE lake.all_step;
CREATE OR REPLACE VIEW lake.step AS SELECT * FROM lake.all_step WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE TABLE IF NOT EXISTS lake.all_operator(job BIGINT, load BIGINT, `device_id` BIGINT, `track` STRING, `name` STRING, `type` STRING, `class` STRING,
  `tasks` BIGINT, `total_ns` BIGINT, `shortest_ns` BIGINT, `longest_ns` BIGINT, `alone_ns` BIGINT, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/operator';
MSCK REPAIR TABLE lake.all_operator;
CREATE OR REPLACE VIEW lake.operator AS SELECT * FROM lake.all_operator WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE TABLE IF NOT EXISTS lake.all_communication(job BIGINT, load BIGINT, `device_id` BIGINT, `communicator` STRING, `type` STRING, `operations` BIGINT,
  `total_ns` BIGINT, `shortest_ns` BIGINT, `longest_ns` BIGINT, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/communication';
MSCK REPAIR TABLE lake.all_communication;
CREATE OR REPLACE VIEW lake.communication AS SELECT * FROM lake.all_communication WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE TABLE IF NOT EXISTS lake.all_link(job BIGINT, load BIGINT, `source_rank` BIGINT, `target_rank` BIGINT, `link` STRING, `transport` STRING,
  `transfers` BIGINT, `bytes` BIGINT, `total_ns` BIGINT, `best_gbs` DOUBLE, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/link';
MSCK REPAIR TABLE lake.all_link;
CREATE OR REPLACE VIEW lake.link AS SELECT * FROM lake.all_link WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE TABLE IF NOT EXISTS lake.all_task(job BIGINT, load BIGINT, `device_id` BIGINT, `model_id` BIGINT, `stream_id` BIGINT, `task_id` BIGINT, `name` BIGINT,
  `type` BIGINT, `kind` BIGINT, `start_ns` BIGINT, `dur_ns` BIGINT, `launch_ns` BIGINT, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/task';
MSCK REPAIR TABLE lake.all_task;
CREATE OR REPLACE VIEW lake.task AS SELECT * FROM lake.all_task WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE TABLE IF NOT EXISTS lake.all_word(job BIGINT, load BIGINT, `word` BIGINT, `text` STRING, day DATE)
  USING json PARTITIONED BY (day) LOCATION '{dir}/word';
MSCK REPAIR TABLE lake.all_word;
CREATE OR REPLACE VIEW lake.word AS SELECT * FROM lake.all_word WHERE (job, load) IN (SELECT job, load FROM lake.job);
