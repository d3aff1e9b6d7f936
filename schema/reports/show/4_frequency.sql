-- @family any
-- @style any
-- @title Frequency
-- @each
SELECT device_id, frequency_mhz,
  CASE WHEN (SELECT count(*) FROM device) > 1 THEN 'Device id : ' || device_id || ' ' ELSE '' END
    || 'Frequency : ' || frequency_mhz || ' Mhz' AS heading
FROM device WHERE frequency_mhz IS NOT NULL
-- @why
SELECT 'no info.json.N with a frequency'
