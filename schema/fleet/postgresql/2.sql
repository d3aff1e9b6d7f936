-- Version 2: what the steps of a job add up to, labels, views with times, and ways to forget.

SET search_path TO msprof;

-- What the steps of a job add up to; own_ns is what computed and what the AI CPU did alone. Whoever adds steps adds to this.
CREATE TABLE pace(
  job bigint PRIMARY KEY, steps bigint NOT NULL, span_ns bigint NOT NULL, own_ns bigint NOT NULL, communication_ns bigint NOT NULL, idle_ns bigint NOT NULL
);
INSERT INTO pace
SELECT job, count(*), least(sum(span_ns), 9223372036854775807), least(sum(computing_ns + aicpu_ns), 9223372036854775807),
  least(sum(communication_ns), 9223372036854775807), least(sum(idle_ns), 9223372036854775807) FROM step GROUP BY job;
CREATE FUNCTION add_pace() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = msprof AS $$
BEGIN
  INSERT INTO pace AS p
  SELECT job, count(*), least(sum(span_ns), 9223372036854775807), least(sum(computing_ns + aicpu_ns), 9223372036854775807),
    least(sum(communication_ns), 9223372036854775807), least(sum(idle_ns), 9223372036854775807) FROM added GROUP BY job
  ON CONFLICT (job) DO UPDATE SET steps = p.steps + excluded.steps, span_ns = p.span_ns + excluded.span_ns, own_ns = p.own_ns + excluded.own_ns,
    communication_ns = p.communication_ns + excluded.communication_ns, idle_ns = p.idle_ns + excluded.idle_ns;
  RETURN NULL;
END $$;
CREATE TRIGGER step_adds_pace AFTER INSERT ON step REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_pace();

-- What the publisher said of a job (model, commit, image, …), and the sizes of its groups where their names tell which they are: tp, pp, dp, cp, ep.
CREATE TABLE job_label(job bigint NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (job, name));
CREATE INDEX job_label_by_value ON job_label(name, value);
CREATE INDEX job_by_driver ON job(driver, started_ns);

-- Jobs with the time at which they began, and the means of their steps.
CREATE VIEW job_time AS
SELECT j.job, j.run, j.name, j.label, j.family, j.host, j.rank, j.driver, j.chip, j.devices, j.damaged, j.started_ns, to_timestamp(j.started_ns / 1e9) AS started,
  coalesce(p.steps, 0) AS steps, p.span_ns, p.own_ns, p.communication_ns, p.idle_ns,
  p.span_ns::double precision / nullif(p.steps, 0) AS mean_step_ns, p.own_ns::double precision / nullif(p.steps, 0) AS mean_own_ns
FROM job j LEFT JOIN pace p USING (job);

-- Runs by the day (UTC) on which their jobs began.
CREATE VIEW step_daily AS
SELECT to_timestamp(started_ns / 86400000000000 * 86400) AS day, run, count(*) AS jobs, sum(damaged)::bigint AS damaged, sum(steps)::bigint AS steps,
  sum(span_ns)::double precision / nullif(sum(steps), 0) AS mean_step_ns, sum(own_ns)::double precision / nullif(sum(steps), 0) AS mean_own_ns
FROM job_time WHERE started_ns IS NOT NULL GROUP BY 1, 2;

-- Machines by day: their jobs, and how much longer the own work of these took than that of their runs on that day.
CREATE VIEW host_health AS
SELECT day, coalesce(host, '') AS host, count(*) AS jobs, sum(r.damaged)::bigint AS damaged,
  avg(100 * (r.mean_own_ns - m.mean_own_ns) / nullif(m.mean_own_ns, 0)) AS over_percent, max(100 * (r.mean_own_ns - m.mean_own_ns) / nullif(m.mean_own_ns, 0)) AS worst_percent
FROM (SELECT to_timestamp(started_ns / 86400000000000 * 86400) AS day, run, host, damaged, mean_own_ns FROM job_time WHERE started_ns IS NOT NULL) r
JOIN step_daily m USING (day, run) GROUP BY 1, 2;

-- argmax(value, time): the value of the row with the latest time, as ClickHouse has it.
CREATE TYPE latest_real AS (value double precision, at bigint);
CREATE TYPE latest_text AS (value text, at bigint);
CREATE FUNCTION latest(state latest_real, value double precision, at bigint) RETURNS latest_real LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF state.at >= at THEN RETURN state; END IF;
  RETURN (value, at);
END $$;
CREATE FUNCTION latest(state latest_text, value text, at bigint) RETURNS latest_text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF state.at >= at THEN RETURN state; END IF;
  RETURN (value, at);
END $$;
CREATE FUNCTION latest_value(state latest_real) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT (state).value';
CREATE FUNCTION latest_value(state latest_text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT (state).value';
CREATE AGGREGATE argmax(double precision, bigint) (SFUNC = latest, STYPE = latest_real, FINALFUNC = latest_value);
CREATE AGGREGATE argmax(text, bigint) (SFUNC = latest, STYPE = latest_text, FINALFUNC = latest_value);

-- Removes a job; a load of it at the same time waits. New blocks get into the index of blocks before it is used; only the owner of the table may ask for that,
-- others find the rows without.
CREATE OR REPLACE FUNCTION forget_job(wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(wanted);
  IF EXISTS (SELECT 1 FROM job WHERE job = wanted) THEN
    BEGIN
      PERFORM brin_summarize_new_values('task_by_job');
    EXCEPTION WHEN insufficient_privilege THEN
      NULL;
    END;
    DELETE FROM task WHERE job = wanted;
    DELETE FROM word WHERE job = wanted;
    DELETE FROM step WHERE job = wanted;
    DELETE FROM operator WHERE job = wanted;
    DELETE FROM link WHERE job = wanted;
    DELETE FROM communication WHERE job = wanted;
    DELETE FROM pace WHERE job = wanted;
    DELETE FROM job_label WHERE job = wanted;
    DELETE FROM job WHERE job = wanted;
  END IF;
END $$;

-- Remove the jobs of a run, or those that were published before a time; they return how many went.
CREATE FUNCTION forget_run(wanted text) RETURNS bigint LANGUAGE sql SET search_path = msprof AS $$
  SELECT count(forget_job(job)) FROM (SELECT job FROM job WHERE run = wanted ORDER BY job) j
$$;
CREATE FUNCTION forget_before(moment timestamptz) RETURNS bigint LANGUAGE sql SET search_path = msprof AS $$
  SELECT count(forget_job(job)) FROM (SELECT job FROM job WHERE published < moment ORDER BY job) j
$$;

INSERT INTO schema_version VALUES (2);
