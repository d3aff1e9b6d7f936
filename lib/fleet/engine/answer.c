/* answer.c: counts the rows and bytes of an answer. */
#include "fleet/engine/answer.h"

int mp_answer_row(
    struct mp_answer *answer, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err)
{
	for (int i = 0; i < count; i++)
		answer->bytes += (int64_t)sizeof(sizes[i]) + (cells[i] ? sizes[i] : 0);
	if (answer->bytes > answer->bytes_max)
		return mp_fail(err,
		    "an answer of more than %lld MiB: ask for less with --set, or set MSPROF_MAX_OUTPUT to more",
		    (long long)(answer->bytes_max >> 20));
	if (++answer->rows > MP_ANSWER_ROWS)
		return mp_fail(err, "an answer of more than %d rows: ask for less with --set", MP_ANSWER_ROWS);
	return answer->row(answer->user, cells, sizes, count, err);
}
