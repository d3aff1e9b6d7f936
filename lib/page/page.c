/* page.c: fills the places of schema/page/page.html: {css}, {js} and {data}. Knows no HTML. */
#include "page/page.h"

#include <stdbool.h>
#include <string.h>

#include "base/schema.h"
#include "page/document.h"
#include "page/safe.h"

/* Write all files of a kind, in order of their names. */
static void put_files(struct mp_out *out, const char *ending)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++) {
		size_t len = strlen(f->path);

		if (strncmp(f->path, "page/", 5) == 0 && len > strlen(ending) &&
		    strcmp(f->path + len - strlen(ending), ending) == 0)
			mp_out_text(out, f->text);
	}
}

static int put_data(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct mp_safe safe;
	struct mp_error late;
	int status;

	if (mp_safe_open(&safe, out, err))
		return -1;
	status = mp_document_put(page, safe.json, err);
	if (mp_safe_close(&safe, &late) && !status) {
		*err = late;
		status = -1;
	}
	return status;
}

int mp_page_write(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	static const struct {
		const char *name, *ending;
	} places[] = {{"{css}", ".css"}, {"{js}", ".js"}, {"{data}", NULL}};
	const char *text = mp_schema_text("page/page.html");

	if (!text)
		return mp_fail(err, "schema/page/page.html is missing");
	while (*text) {
		size_t plain = 1 + strcspn(text + 1, "{"), i = 0;

		while (i < 3 && strncmp(text, places[i].name, strlen(places[i].name)) != 0)
			i++;
		if (i == 3) {
			mp_out_write(out, text, plain);
			text += plain;
			continue;
		}
		if (places[i].ending)
			put_files(out, places[i].ending);
		else if (put_data(page, out, err))
			return -1;
		text += strlen(places[i].name);
	}
	return mp_out_error(out, err);
}
