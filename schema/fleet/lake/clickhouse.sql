-- The tables for ClickHouse: clickhouse local --queries-file {dir}/clickhouse.sql, or a server whose user_files_path has the directory. A job's row tells which load is
-- its own.
CREATE DATABASE IF NOT EXISTS lake;
CREATE OR REPLACE VIEW lake.all_job AS SELECT * FROM file('{dir}/job/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, run Nullable(String), name Nullable(String), label Nullable(String), family Nullable(String), host Nullable(String),
  rank Nullable(Int64), driver Nullable(String), chip Nullable(String), started_ns Nullable(Int64), wall_offset_ns Nullable(Int64), devices Nullable(Int64),
  damaged Nullable(Int64)');
CREATE OR REPLACE VIEW lake.job AS SELECT * FROM lake.all_job WHERE (job, load) IN (SELECT job, max(load) FROM lake.all_job GROUP BY job);
CREATE OR REPLACE VIEW lake.all_job_label AS SELECT * FROM file('{dir}/job_label/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, name Nullable(String), value Nullable(String)');
CREATE OR REPLACE VIEW lake.job_label AS SELECT * FROM lake.all_job_label WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE OR REPLACE VIEW lake.all_step AS SELECT * FROM file('{dir}/step/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, device_id Nullable(Int64), track Nullable(String), number Nullable(Int64), label Nullable(String), start_ns Nullable(Int64),
  span_ns Nullable(Int64), computing_ns Nullable(Int64), aicpu_ns Nullable(Int64), communication_ns Nullable(Int64), idle_ns Nullable(Int64)');
CREATE OR REPLACE VIEW lake.step AS SELECT * FROM lake.all_step WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE OR REPLACE VIEW lake.all_operator AS SELECT * FROM file('{dir}/operator/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, device_id Nullable(Int64), track Nullable(String), name Nullable(String), type Nullable(String), class Nullable(String),
  tasks Nullable(Int64), total_ns Nullable(Int64), shortest_ns Nullable(Int64), longest_ns Nullable(Int64), alone_ns Nullable(Int64)');
CREATE OR REPLACE VIEW lake.operator AS SELECT * FROM lake.all_operator WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE OR REPLACE VIEW lake.all_communication AS SELECT * FROM file('{dir}/communication/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, device_id Nullable(Int64), communicator Nullable(String), type Nullable(String), operations Nullable(Int64),
  total_ns Nullable(Int64), shortest_ns Nullable(Int64), longest_ns Nullable(Int64)');
CREATE OR REPLACE VIEW lake.communication AS SELECT * FROM lake.all_communication WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE OR REPLACE VIEW lake.all_link AS SELECT * FROM file('{dir}/link/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, source_rank Nullable(Int64), target_rank Nullable(Int64), link Nullable(String), transport Nullable(String),
  transfers Nullable(Int64), bytes Nullable(Int64), total_ns Nullable(Int64), best_gbs Nullable(Float64)');
CREATE OR REPLACE VIEW lake.link AS SELECT * FROM lake.all_link WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE OR REPLACE VIEW lake.all_task AS SELECT * FROM file('{dir}/task/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, device_id Nullable(Int64), model_id Nullable(Int64), stream_id Nullable(Int64), task_id Nullable(Int64), name Nullable(Int64),
  type Nullable(Int64), kind Nullable(Int64), start_ns Nullable(Int64), dur_ns Nullable(Int64), launch_ns Nullable(Int64)');
CREATE OR REPLACE VIEW lake.task AS SELECT * FROM lake.all_task WHERE (job, load) IN (SELECT job, load FROM lake.job);
CREATE OR REPLACE VIEW lake.all_word AS SELECT * FROM file('{dir}/word/*/*.ndjson*', 'JSONEachRow',
  'job Int64, load Int64, word Nullable(Int64), text Nullable(String)');
CREATE OR REPLACE VIEW lake.word AS SELECT * FROM lake.all_word WHERE (job, load) IN (SELECT job, load FROM lake.job);
