/* side_names.c: what the keys of operators and calls mean. */
#include <stdlib.h>
#include <string.h>

#include "compare/side_read_internal.h"
#include "insight/ops.h"

/* A column of the current row as a C string, which ends at the first NUL; NULL: none. The buffer grows. */
static int copy_column(char **buffer, const struct mp_query *q, int column, struct mp_error *err)
{
	const struct mp_value v = mp_query_value(q, column);
	char *text;

	free(*buffer);
	*buffer = NULL;
	if (v.type != MP_TEXT)
		return 0;
	text = malloc(v.len + 1);
	if (!text)
		return mp_fail_memory(err, "a name");
	memcpy(text, v.text, v.len);
	text[v.len] = '\0';
	*buffer = text;
	return 0;
}

int mp_reading_name(struct mp_query *names, const int64_t *keys, struct mp_item *item, struct mp_error *err)
{
	char **texts[] = {&item->name, &item->detail, &item->layers};
	char parameter[3] = "k1";
	int status = 0;

	mp_query_rewind(names);
	for (int i = 0; i < MP_OP_KEYS && !status; i++, parameter[1]++)
		status = mp_query_bind_int(names, parameter, keys[i], err);
	if (!status && (status = mp_query_next(names, err)) == 1) {
		status = 0;
		for (int i = 0; i < mp_query_column_count(names) && i < 3 && !status; i++)
			status = copy_column(texts[i], names, i, err);
	}
	if (!status && !item->name) {
		item->name = strdup("unnamed");
		status = item->name ? 0 : mp_fail_memory(err, "a name");
	}
	return status < 0 ? -1 : 0;
}
