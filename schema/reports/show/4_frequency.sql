-- @family svp ascend910
-- @title Frequency
-- @each
SELECT device_id, frequency_mhz,
  word(frequency_mhz || ' Mhz' || CASE WHEN (SELECT count(*) FROM device) > 1 THEN ' (device ' || device_id || ')' ELSE '' END)
    AS heading
FROM device WHERE frequency_mhz IS NOT NULL
-- @why
SELECT 'no info.json.N with a frequency'
