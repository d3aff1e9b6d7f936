SELECT coalesce(word('kernel_step', 'step', id), '') AS "Step Id",
