-- The tables for DuckDB: duckdb -init {dir}/duckdb.sql. A job's row tells which load is its own.
CREATE OR REPLACE VIEW all_job AS SELECT * FROM read_json('{dir}/job/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "run": 'VARCHAR', "name": 'VARCHAR', "label": 'VARCHAR', "family": 'VARCHAR',
  "host": 'VARCHAR', "rank": 'BIGINT', "driver": 'VARCHAR', "chip": 'VARCHAR', "started_ns": 'BIGINT', "wall_offset_ns": 'BIGINT', "devices": 'BIGINT',
  "damaged": 'BIGINT'});
CREATE OR REPLACE VIEW job AS SELECT * FROM all_job WHERE (job, load) IN (SELECT (job, max(load)) FROM all_job GROUP BY job);
CREATE OR REPLACE VIEW all_job_label AS SELECT * FROM read_json('{dir}/job_label/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "name": 'VARCHAR', "value": 'VARCHAR'});
CREATE OR REPLACE VIEW job_label AS SELECT * FROM all_job_label WHERE (job, load) IN (SELECT (job, load) FROM job);
CREATE OR REPLACE VIEW all_step AS SELECT * FROM read_json('{dir}/step/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "device_id": 'BIGINT', "track": 'VARCHAR', "number": 'BIGINT', "label": 'VARCHAR',
  "start_ns": 'BIGINT', "span_ns": 'BIGINT', "computing_ns": 'BIGINT', "aicpu_ns": 'BIGINT', "communication_ns": 'BIGINT', "idle_ns": 'BIGINT'});
CREATE OR REPLACE VIEW step AS SELECT * FROM all_step WHERE (job, load) IN (SELECT (job, load) FROM job);
CREATE OR REPLACE VIEW all_operator AS SELECT * FROM read_json('{dir}/operator/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "device_id": 'BIGINT', "track": 'VARCHAR', "name": 'VARCHAR', "type": 'VARCHAR',
  "class": 'VARCHAR', "tasks": 'BIGINT', "total_ns": 'BIGINT', "shortest_ns": 'BIGINT', "longest_ns": 'BIGINT', "alone_ns": 'BIGINT'});
CREATE OR REPLACE VIEW operator AS SELECT * FROM all_operator WHERE (job, load) IN (SELECT (job, load) FROM job);
CREATE OR REPLACE VIEW all_communication AS SELECT * FROM read_json('{dir}/communication/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "device_id": 'BIGINT', "communicator": 'VARCHAR', "type": 'VARCHAR',
  "operations": 'BIGINT', "total_ns": 'BIGINT', "shortest_ns": 'BIGINT', "longest_ns": 'BIGINT'});
CREATE OR REPLACE VIEW communication AS SELECT * FROM all_communication WHERE (job, load) IN (SELECT (job, load) FROM job);
CREATE OR REPLACE VIEW all_link AS SELECT * FROM read_json('{dir}/link/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "source_rank": 'BIGINT', "target_rank": 'BIGINT', "link": 'VARCHAR',
  "transport": 'VARCHAR', "transfers": 'BIGINT', "bytes": 'BIGINT', "total_ns": 'BIGINT', "best_gbs": 'DOUBLE'});
CREATE OR REPLACE VIEW link AS SELECT * FROM all_link WHERE (job, load) IN (SELECT (job, load) FROM job);
CREATE OR REPLACE VIEW all_task AS SELECT * FROM read_json('{dir}/task/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "device_id": 'BIGINT', "model_id": 'BIGINT', "stream_id": 'BIGINT',
  "task_id": 'BIGINT', "name": 'BIGINT', "type": 'BIGINT', "kind": 'BIGINT', "start_ns": 'BIGINT', "dur_ns": 'BIGINT', "launch_ns": 'BIGINT'});
CREATE OR REPLACE VIEW task AS SELECT * FROM all_task WHERE (job, load) IN (SELECT (job, load) FROM job);
CREATE OR REPLACE VIEW all_word AS SELECT * FROM read_json('{dir}/word/*/*.ndjson*', format = 'newline_delimited', hive_partitioning = true,
  hive_types = {'day': DATE}, columns = {job: 'BIGINT', load: 'BIGINT', "word": 'BIGINT', "text": 'VARCHAR'});
CREATE OR REPLACE VIEW word AS SELECT * FROM all_word WHERE (job, load) IN (SELECT (job, load) FROM job);
