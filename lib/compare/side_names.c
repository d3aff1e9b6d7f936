/* side_names.c: what the keys of operators and calls mean. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/side_read_internal.h"
#include "insight/ops.h"

char *mp_reading_text(const char *text, size_t len)
{
	static const char unknown[] = "\xEF\xBF\xBD"; /* U+FFFD */
	char *copy = malloc((sizeof(unknown) - 1) * len + 1), *end = copy;

	while (copy && len && *text) {
		int32_t cp;
		size_t size = mp_utf8_next(text, len, &cp), put = cp < 0 ? sizeof(unknown) - 1 : size;

		memcpy(end, cp < 0 ? unknown : text, put);
		end += put;
		text += size;
		len -= size;
	}
	if (copy)
		*end = '\0';
	return copy;
}

/* A column of the current row as a C string; NULL for no value. */
static int copy_column(char **buffer, const struct mp_query *q, int column, struct mp_error *err)
{
	const struct mp_value v = mp_query_value(q, column);

	free(*buffer);
	*buffer = NULL;
	if (v.type != MP_TEXT)
		return 0;
	*buffer = mp_reading_text(v.text, v.len);
	return *buffer ? 0 : mp_fail_memory(err, "a name");
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
