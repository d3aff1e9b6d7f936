-- Version 1. All tables lie in a schema of their own. A row belongs to a job by the number of the job, which is computed from its run and its name.

CREATE SCHEMA IF NOT EXISTS msprof;
SET search_path TO msprof;

CREATE TABLE schema_version(version bigint PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now());

-- A PROF or JOB directory. `run` is the directory that holds it: the ranks of a training are the jobs of a run.
CREATE TABLE job(
  job bigint PRIMARY KEY,
  run text NOT NULL, name text NOT NULL, label text,
  family text NOT NULL, host text, rank bigint,
  driver text, chip text,
  started_ns bigint,     -- ns since 1970
  wall_offset_ns bigint, -- what to add to times of the job for ns since 1970
  devices bigint NOT NULL, damaged bigint NOT NULL,
  published timestamptz NOT NULL DEFAULT now(),
  UNIQUE (run, name)
);
CREATE INDEX job_by_start ON job(started_ns);

-- Inferences, iterations, or a collection as a whole. The last four add up to span_ns; communication_ns is what nothing overlaps.
CREATE TABLE step(
  job bigint NOT NULL, device_id bigint, track text, number bigint NOT NULL, label text, start_ns bigint NOT NULL, span_ns bigint NOT NULL,
  computing_ns bigint NOT NULL, aicpu_ns bigint NOT NULL, communication_ns bigint NOT NULL, idle_ns bigint NOT NULL
);
CREATE INDEX step_by_job ON step(job);

-- Operators of a job, with the times of their tasks; alone_ns is the time in which nothing of a lower class ran.
CREATE TABLE operator(
  job bigint NOT NULL, device_id bigint, track text, name text NOT NULL, type text, class text NOT NULL, tasks bigint NOT NULL, total_ns bigint NOT NULL,
  shortest_ns bigint NOT NULL, longest_ns bigint NOT NULL, alone_ns bigint NOT NULL
);
CREATE INDEX operator_by_job ON operator(job);
CREATE INDEX operator_by_name ON operator(name);

-- What moved between two ranks; best_gbs is the speed of the fastest transfer, in bytes a ns.
CREATE TABLE link(
  job bigint NOT NULL, source_rank bigint NOT NULL, target_rank bigint NOT NULL, link text, transport text, transfers bigint NOT NULL,
  bytes bigint NOT NULL, total_ns bigint NOT NULL, best_gbs double precision NOT NULL
);
CREATE INDEX link_by_job ON link(job);

-- Collective operations of a device, by group and type.
CREATE TABLE communication(
  job bigint NOT NULL, device_id bigint, communicator text, type text, operations bigint NOT NULL, total_ns bigint NOT NULL,
  shortest_ns bigint NOT NULL, longest_ns bigint NOT NULL
);
CREATE INDEX communication_by_job ON communication(job);

-- Names of tasks. Numbers count within a job; 0 is no name.
CREATE TABLE word(job bigint NOT NULL, word integer NOT NULL, text text NOT NULL, PRIMARY KEY (job, word));

-- Whole tasks, on request. The rows of a job lie together, so a small index of blocks finds them.
CREATE TABLE task(
  job bigint NOT NULL,
  device_id bigint, model_id bigint, stream_id bigint, task_id bigint,
  name integer NOT NULL, type integer NOT NULL, kind integer NOT NULL, -- numbers of words
  start_ns bigint, dur_ns bigint, launch_ns bigint
);
CREATE INDEX task_by_job ON task USING brin (job) WITH (pages_per_range = 32, autosummarize = on);

-- Tasks with their names.
CREATE VIEW named_task AS
SELECT t.job, t.device_id, t.model_id, t.stream_id, t.task_id, n.text AS name, y.text AS type, k.text AS kind, t.start_ns, t.dur_ns, t.launch_ns
FROM task t LEFT JOIN word n ON n.job = t.job AND n.word = t.name LEFT JOIN word y ON y.job = t.job AND y.word = t.type
LEFT JOIN word k ON k.job = t.job AND k.word = t.kind;

-- Removes a job. New blocks get into the index of blocks before it is used; only the owner of the table may ask for that, others find the rows without.
CREATE FUNCTION forget_job(wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
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
    DELETE FROM job WHERE job = wanted;
  END IF;
END $$;

INSERT INTO schema_version VALUES (1);
