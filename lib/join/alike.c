/* alike.c: records of tensors of JOB directories since 2022 that are equal. */
#include "join/rules.h"

enum { KEY = 2 /* after row and device */, TENSOR_COLUMNS = 56 };

/* Each record, with the first record that has the same tensors. */
static int alike_tensors(struct mp_rule_call *call, struct mp_error *err)
{
	struct mp_map *firsts = mp_rule_map(call, "alike tensors", err);
	int64_t v[KEY + TENSOR_COLUMNS], *first;
	bool is_new;
	int status;

	if (!firsts)
		return -1;
	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		first = mp_map_number(firsts, &(struct mp_key){v + KEY, TENSOR_COLUMNS}, &is_new);
		if (!first)
			return mp_fail_memory(err, "tensors");
		if (is_new)
			*first = v[0];
		if (mp_rule_put(call, (const int64_t[]){v[0], v[1], *first}, err))
			return -1;
	}
	return status;
}

const struct mp_rule mp_rule_alike_tensors = {
    "alike_tensors", "row, device_id, first_row", 3, {KEY + TENSOR_COLUMNS, 0, 0}, alike_tensors};
