-- The runs of svp_runs as tracks of a trace.
, track AS (
  SELECT target, process AS _process, 'NPU ' || coalesce(device_id, 'unknown') || ', ' || coalesce(model || '.' || model_id || '.' || batch, 'unknown model') AS _label,
    device_id AS _device, batch AS _batch, net_id AS _net, stream_id AS _stream, first_row AS _first, last_row AS _last,
    p.tick AS _tick, c.shown AS _shown, 100 * c.shown AS _percent
  FROM run CROSS JOIN parts p CROSS JOIN counters c
)
