/* found.c: lists of what was learned. Knows no layout. */
#include "learn/found.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"

int mp_found_add(struct mp_found *found, const struct mp_finding *finding, struct mp_error *err)
{
	struct mp_finding *more = mp_learn_realloc(found->findings, (found->finding_count + 1) * sizeof(*more));

	if (!more)
		return mp_fail_memory(err, "what was learned");
	found->findings = more;
	more[found->finding_count++] = *finding;
	return 0;
}

/* The formatted text, or NULL when there is no memory. */
static char *format(const char *fmt, va_list args) MP_PRINTF(1, 0);

static char *format(const char *fmt, va_list args)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	text = len < 0 ? NULL : mp_learn_malloc((size_t)len + 1);
	if (text)
		vsnprintf(text, (size_t)len + 1, fmt, args);
	return text;
}

/* Add a text to a list, and take it over. */
static int add_text(char ***list, size_t *count, char *text, struct mp_error *err)
{
	char **more = text ? mp_learn_realloc(*list, (*count + 1) * sizeof(char *)) : NULL;

	if (!more) {
		free(text);
		return mp_fail_memory(err, "what was learned");
	}
	*list = more;
	more[(*count)++] = text;
	return 0;
}

int mp_found_missing(struct mp_found *found, struct mp_error *err, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = format(fmt, args);
	va_end(args);
	return add_text(&found->missing, &found->missing_count, text, err);
}

int mp_found_unexplained(struct mp_found *found, struct mp_error *err, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = format(fmt, args);
	va_end(args);
	return add_text(&found->unexplained, &found->unexplained_count, text, err);
}

int mp_found_write(struct mp_found *found, struct mp_error *err, const char *fmt, ...)
{
	size_t was = found->text ? strlen(found->text) : 0;
	va_list args;
	char *text, *more;

	va_start(args, fmt);
	text = format(fmt, args);
	va_end(args);
	more = text ? mp_learn_realloc(found->text, was + strlen(text) + 1) : NULL;
	if (!more) {
		free(text);
		return mp_fail_memory(err, "a layout");
	}
	found->text = more;
	memcpy(more + was, text, strlen(text) + 1);
	free(text);
	return 0;
}

static void free_texts(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

void mp_found_free(struct mp_found *found)
{
	free(found->text);
	free(found->findings);
	free_texts(found->missing, found->missing_count);
	free_texts(found->unexplained, found->unexplained_count);
	memset(found, 0, sizeof(*found));
}
