-- Why there is no table of an inference, though some were recorded.
WITH not_chosen AS (
  SELECT CASE WHEN chosen THEN 'no inference of this model and number was recorded'
    ELSE 'none shown: --picture N chooses an inference, --each shows all' END AS text
  FROM temp.choice
)
