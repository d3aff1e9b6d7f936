/* status_lines.c: draws lines, and goes back to where they began. */
#include "status_lines.h"

#include <stdio.h>
#include <unistd.h>

#include "term.h"

enum { LINES_MAX = 16 };

struct status_lines status_lines_begin(void)
{
	return (struct status_lines){.active = term_inspect(STDERR_FILENO).tty};
}

void status_lines_hide(struct status_lines *lines)
{
	if (lines->shown > 1)
		fprintf(stderr, "\033[%zuA", lines->shown - 1);
	if (lines->shown)
		fputs("\r\033[J", stderr);
	lines->shown = 0;
}

/* A line must not wrap: it ends before the last column, and '?' replaces characters that may be wide. */
static void draw(const char *text, int width)
{
	for (int column = 1; *text && (!width || column < width); text++, column++)
		fputc(*text >= ' ' && *text < 0x7f ? *text : '?', stderr);
}

void status_lines_show(struct status_lines *lines, const char *const *texts, size_t count)
{
	int width = term_inspect(STDERR_FILENO).width;

	status_lines_hide(lines);
	for (size_t i = 0; lines->active && i < count && lines->shown < LINES_MAX; i++) {
		if (!texts[i][0])
			continue;
		if (lines->shown++)
			fputc('\n', stderr);
		draw(texts[i], width);
	}
	fflush(stderr);
}
