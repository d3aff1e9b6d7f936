-- @title Frequency
-- @each
SELECT device_id, aic_mhz AS frequency_mhz, word(repr(aic_mhz) || ' Mhz' || CASE WHEN (SELECT count(*) FROM device) > 1 THEN ' (device ' || device_id || ')'
  ELSE '' END) AS heading
FROM setting
