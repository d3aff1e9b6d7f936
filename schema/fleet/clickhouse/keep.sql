-- For how long jobs are kept: the server removes their rows so many days after they were published. Versions since 19.6 know this.
ALTER TABLE {database}.task_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.word_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.step_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.operator_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.link_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.communication_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.pace_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.job_label_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
ALTER TABLE {database}.job_shard MODIFY TTL toDateTime(intDiv(load, 1000000000)) + toIntervalDay({days});
