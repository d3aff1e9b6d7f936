-- Version 2: what the steps of a job add up to, labels, and views with times. All statements may be repeated: there are no transactions.

-- What the steps of a job add up to; own_ns is what computed and what the AI CPU did alone. An INSERT into steps adds to this; rows of a load are summed up later.
CREATE TABLE IF NOT EXISTS {database}.pace_shard(
  job Int64, load Int64, steps Int64, span_ns Int64, own_ns Int64, communication_ns Int64, idle_ns Int64
) ENGINE = SummingMergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load);
CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.step_adds_pace TO {database}.pace_shard AS
SELECT job, load, toInt64(count()) AS steps, sum(span_ns) AS span_ns, sum(computing_ns + aicpu_ns) AS own_ns, sum(communication_ns) AS communication_ns,
  sum(idle_ns) AS idle_ns FROM {database}.step_shard GROUP BY job, load;
INSERT INTO {database}.pace_shard
SELECT job, load, toInt64(count()), sum(span_ns), sum(computing_ns + aicpu_ns), sum(communication_ns), sum(idle_ns) FROM {database}.step_shard
WHERE (job, load) NOT IN (SELECT job, load FROM {database}.pace_shard) GROUP BY job, load;
CREATE VIEW IF NOT EXISTS {database}.pace_current AS
SELECT job, load, sum(steps) AS steps, sum(span_ns) AS span_ns, sum(own_ns) AS own_ns, sum(communication_ns) AS communication_ns, sum(idle_ns) AS idle_ns
FROM {database}.pace_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current) GROUP BY job, load;
CREATE TABLE IF NOT EXISTS {database}.pace AS {database}.pace_shard ENGINE = {over pace_current};

-- What the publisher said of a job (model, commit, image, …), and the sizes of its groups where their names tell which they are: tp, pp, dp, cp, ep.
CREATE TABLE IF NOT EXISTS {database}.job_label_shard(job Int64, load Int64, name String, value String)
ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load, name);
CREATE VIEW IF NOT EXISTS {database}.job_label_current AS
SELECT * FROM {database}.job_label_shard WHERE (job, load) IN (SELECT job, load FROM {database}.job_current);
CREATE TABLE IF NOT EXISTS {database}.job_label AS {database}.job_label_shard ENGINE = {over job_label_current};

-- Jobs with the time at which they began, and the means of their steps. A job and its pace are on one shard.
CREATE VIEW IF NOT EXISTS {database}.job_time_current AS
SELECT job, run, name, label, family, host, rank, driver, chip, devices, damaged, started_ns, toDateTime(intDiv(started_ns, 1000000000)) AS started,
  steps, span_ns, own_ns, communication_ns, idle_ns,
  CASE WHEN steps > 0 THEN span_ns / steps END AS mean_step_ns, CASE WHEN steps > 0 THEN own_ns / steps END AS mean_own_ns
FROM (SELECT job, load, run, name, label, family, host, rank, driver, chip, devices, damaged, started_ns FROM {database}.job_current) AS j ANY LEFT JOIN
(SELECT job, load, steps, span_ns, own_ns, communication_ns, idle_ns FROM {database}.pace_current) AS p USING (job, load);
CREATE TABLE IF NOT EXISTS {database}.job_time AS {database}.job_time_current ENGINE = {over job_time_current};

-- Runs by the day (UTC) on which their jobs began.
CREATE VIEW IF NOT EXISTS {database}.step_daily AS
SELECT day, run, jobs, lost AS damaged, done AS steps, CASE WHEN done > 0 THEN all_ns / done END AS mean_step_ns, CASE WHEN done > 0 THEN works_ns / done END AS mean_own_ns
FROM (
  SELECT toDateTime(intDiv(assumeNotNull(started_ns), 86400000000000) * 86400) AS day, run, count() AS jobs, sum(damaged) AS lost, sum(steps) AS done,
    sum(span_ns) AS all_ns, sum(own_ns) AS works_ns
  FROM {database}.job_time WHERE isNotNull(started_ns) GROUP BY day, run
);

-- Machines by day: their jobs, and how much longer the own work of these took than that of their runs on that day.
CREATE VIEW IF NOT EXISTS {database}.host_health AS
SELECT day, host, count() AS jobs, sum(lost) AS damaged, avg(over) AS over_percent, max(over) AS worst_percent FROM (
  SELECT day, host, lost, CASE WHEN run_own_ns > 0 THEN 100 * (mean_own_ns - run_own_ns) / run_own_ns END AS over FROM (
    SELECT toDateTime(intDiv(assumeNotNull(started_ns), 86400000000000) * 86400) AS day, run, coalesce(host, '') AS host, damaged AS lost, mean_own_ns
    FROM {database}.job_time WHERE isNotNull(started_ns)
  ) AS r ALL INNER JOIN (SELECT day, run, mean_own_ns AS run_own_ns FROM {database}.step_daily) AS m USING (day, run)
) GROUP BY day, host;

INSERT INTO {database}.schema_version VALUES (2);
