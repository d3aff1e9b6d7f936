-- Version 1. Each shard has tables NAME_shard; a view NAME_current of each shows the rows of the load that a job tells as its own; and a table NAME lies
-- over the views of all shards. All statements may be repeated: there are no transactions.

CREATE DATABASE IF NOT EXISTS {database};
CREATE TABLE IF NOT EXISTS {database}.schema_version(version Int64) ENGINE = ReplacingMergeTree ORDER BY version;

-- A PROF or JOB directory. The newest row of a job counts: `load` is the time at which the load began, in ns since 1970.
CREATE TABLE IF NOT EXISTS {database}.job_shard(
  job Int64, load Int64, run String, name String, label Nullable(String), family String, host Nullable(String), rank Nullable(Int64),
  driver Nullable(String), chip Nullable(String), started_ns Nullable(Int64), wall_offset_ns Nullable(Int64), devices Int64, damaged Int64,
  published DateTime DEFAULT now()
) ENGINE = ReplacingMergeTree(load) ORDER BY job;
CREATE VIEW IF NOT EXISTS {database}.job_current AS SELECT * FROM {database}.job_shard FINAL;
CREATE TABLE IF NOT EXISTS {database}.job AS {database}.job_shard ENGINE = {over job_current};

-- Inferences, iterations, or a collection as a whole. The last four add up to span_ns; communication_ns is what nothing overlaps.
CREATE TABLE IF NOT EXISTS {database}.step_shard(
  job Int64, load Int64, device_id Nullable(Int64), track Nullable(String), number Int64, label Nullable(String), start_ns Int64, span_ns Int64,
  computing_ns Int64, aicpu_ns Int64, communication_ns Int64, idle_ns Int64
) ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load);
CREATE VIEW IF NOT EXISTS {database}.step_current AS
SELECT * FROM {database}.step_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.step AS {database}.step_shard ENGINE = {over step_current};

-- Operators of a job, with the times of their tasks; alone_ns is the time in which nothing of a lower class ran.
CREATE TABLE IF NOT EXISTS {database}.operator_shard(
  job Int64, load Int64, device_id Nullable(Int64), track Nullable(String), name String, type Nullable(String), class String, tasks Int64, total_ns Int64,
  shortest_ns Int64, longest_ns Int64, alone_ns Int64
) ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load, name);
CREATE VIEW IF NOT EXISTS {database}.operator_current AS
SELECT * FROM {database}.operator_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.operator AS {database}.operator_shard ENGINE = {over operator_current};

-- What moved between two ranks; best_gbs is the speed of the fastest transfer, in bytes a ns.
CREATE TABLE IF NOT EXISTS {database}.link_shard(
  job Int64, load Int64, source_rank Int64, target_rank Int64, link Nullable(String), transport Nullable(String), transfers Int64, bytes Int64,
  total_ns Int64, best_gbs Float64
) ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load, source_rank, target_rank);
CREATE VIEW IF NOT EXISTS {database}.link_current AS
SELECT * FROM {database}.link_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.link AS {database}.link_shard ENGINE = {over link_current};

-- Collective operations of a device, by group and type.
CREATE TABLE IF NOT EXISTS {database}.communication_shard(
  job Int64, load Int64, device_id Nullable(Int64), communicator Nullable(String), type Nullable(String), operations Int64, total_ns Int64,
  shortest_ns Int64, longest_ns Int64
) ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load);
CREATE VIEW IF NOT EXISTS {database}.communication_current AS
SELECT * FROM {database}.communication_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.communication AS {database}.communication_shard ENGINE = {over communication_current};

-- Names of tasks. Numbers count within a job; 0 is no name.
CREATE TABLE IF NOT EXISTS {database}.word_shard(job Int64, load Int64, word UInt32, text String)
ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load, word);
CREATE VIEW IF NOT EXISTS {database}.word_current AS
SELECT * FROM {database}.word_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.word AS {database}.word_shard ENGINE = {over word_current};

-- Whole tasks, on request; name, type and kind are numbers of words.
CREATE TABLE IF NOT EXISTS {database}.task_shard(
  job Int64, load Int64, device_id Nullable(Int64), model_id Nullable(Int64), stream_id Nullable(Int64), task_id Nullable(Int64),
  name UInt32, type UInt32, kind UInt32, start_ns Nullable(Int64), dur_ns Nullable(Int64), launch_ns Nullable(Int64)
) ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load);
CREATE VIEW IF NOT EXISTS {database}.task_current AS
SELECT * FROM {database}.task_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.task AS {database}.task_shard ENGINE = {over task_current};

INSERT INTO {database}.schema_version VALUES (1);
