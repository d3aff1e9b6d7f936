/* texts.c: what a client may read: the lists of tools, prompts and resources, from schema/mcp and the embedded texts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"
#include "mcp.h"

static int load(cJSON **tree, const char *path, struct mp_error *err)
{
	const char *text = mp_schema_text(path), *fault = NULL;

	*tree = text ? mp_json_parse(text, strlen(text), &fault) : NULL;
	return *tree ? 0 : mp_fail(err, "schema/%s is not there, or not JSON", path);
}

/* What all tools take and give, of the object `common`, into one of them. */
static bool complete_tool(cJSON *tool, const cJSON *common)
{
	cJSON *properties =
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(tool, "inputSchema"), "properties");
	const cJSON *property;
	bool ok =
	    cJSON_AddFalseToObject(cJSON_GetObjectItemCaseSensitive(tool, "inputSchema"), "additionalProperties") &&
	    cJSON_AddItemToObject(tool, "outputSchema", cJSON_Duplicate(mp_json_member(common, "outputSchema"), true));

	for (property = mcp_first(mp_json_member(common, "properties")); property; property = property->next)
		ok = ok && cJSON_AddItemToObject(properties, property->string, cJSON_Duplicate(property, true));
	return ok;
}

/* A list as clients get it: without the members that are for this program. */
static char *print_list(const cJSON *list, const char *hidden)
{
	cJSON *copy = cJSON_Duplicate(list, true), *item;
	char *text;

	for (item = mcp_first(copy); item; item = item->next)
		cJSON_DeleteItemFromObjectCaseSensitive(item, hidden);
	text = copy ? cJSON_PrintUnformatted(copy) : NULL;
	cJSON_Delete(copy);
	return text;
}

/* The members with which each result begins: that it is whole, and who says so. */
static char *print_meta(const cJSON *server)
{
	char *info = cJSON_PrintUnformatted(mp_json_member(server, "info")), *text = NULL;
	size_t size;
	FILE *f = info ? open_memstream(&text, &size) : NULL;

	if (f) {
		fprintf(f,
		    "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"version\":\"" MSPROF_VERSION
		    "\",%s}",
		    info + 1);
		if (fclose(f)) {
			free(text);
			text = NULL;
		}
	}
	cJSON_free(info);
	return text;
}

int mcp_texts_load(struct mcp *m, struct mp_error *err)
{
	cJSON *file = NULL, *tool;
	bool ok = true;

	if (load(&m->server, "mcp/server.json", err) || load(&m->prompts, "mcp/prompts.json", err) ||
	    load(&file, "mcp/tools.json", err))
		return -1;
	m->tools = cJSON_DetachItemFromObjectCaseSensitive(file, "tools");
	for (tool = mcp_first(m->tools); tool; tool = tool->next)
		ok = ok && complete_tool(tool, mp_json_member(file, "common"));
	cJSON_Delete(file);
	m->tool_list = ok ? print_list(m->tools, "call") : NULL;
	m->prompt_list = print_list(m->prompts, "text");
	m->meta = print_meta(m->server);
	return m->tool_list && m->prompt_list && m->meta ? 0 : mp_fail_memory(err, "the texts of schema/mcp");
}

void mcp_texts_free(struct mcp *m)
{
	cJSON_Delete(m->server);
	cJSON_Delete(m->tools);
	cJSON_Delete(m->prompts);
	cJSON_free(m->tool_list);
	cJSON_free(m->prompt_list);
	free(m->meta);
}

const cJSON *mcp_texts_find(const cJSON *list, const char *name)
{
	const cJSON *item;

	for (item = mcp_first(list); item; item = item->next) {
		const char *of_item = cJSON_GetStringValue(mp_json_member(item, "name"));

		if (name && of_item && strcmp(of_item, name) == 0)
			return item;
	}
	return NULL;
}

/* ---- resources: documents and the statements of the database ---- */

#define SCHEME "msprof://"

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), size = strlen(end);

	return len >= size && strcmp(text + len - size, end) == 0;
}

/* The name of an embedded text as a resource; NULL: the text is no resource. */
static const char *resource_name(const char *path)
{
	if (strncmp(path, "../docs/", 8) == 0)
		return path + 3;
	return strncmp(path, "sql/", 4) == 0 && (ends_with(path, "tables.sql") || ends_with(path, "views.sql")) ? path
														: NULL;
}

static const char *type_of(const char *name)
{
	return ends_with(name, ".md") ? "text/markdown" : "application/sql";
}

/* The first line without its marks: the title of a document, what the statements are for. */
static void put_title(FILE *f, const char *text)
{
	char title[160];

	text += strspn(text, "#- ");
	snprintf(title, sizeof(title), "%.*s", (int)strcspn(text, "\n"), text);
	title[mp_cut(title, sizeof(title) - 1)] = '\0';
	mp_json_quote(f, title);
}

void mcp_put_resources(FILE *f)
{
	bool first = true;

	fputs(",\"resources\":[", f);
	for (const struct mp_schema_file *file = mp_schema_files; file->path; file++) {
		const char *name = resource_name(file->path);

		if (!name)
			continue;
		fprintf(f, "%s{\"uri\":\"" SCHEME "%s\",\"name\":\"%s\",\"mimeType\":\"%s\",\"size\":%zu,\"title\":",
		    first ? "" : ",", name, name, type_of(name), strlen(file->text));
		put_title(f, file->text);
		fputc('}', f);
		first = false;
	}
	fputc(']', f);
}

int mcp_put_resource(FILE *f, const char *uri)
{
	for (const struct mp_schema_file *file = mp_schema_files; file->path; file++) {
		const char *name = resource_name(file->path);

		if (!name || strncmp(uri, SCHEME, strlen(SCHEME)) != 0 || strcmp(uri + strlen(SCHEME), name) != 0)
			continue;
		fprintf(
		    f, ",\"contents\":[{\"uri\":\"" SCHEME "%s\",\"mimeType\":\"%s\",\"text\":", name, type_of(name));
		mp_json_quote(f, file->text);
		fputs("}]", f);
		return 0;
	}
	return -1;
}

/* ---- prompts ---- */

/* Write the text with each {argument} as JSON: nothing that a user names can be taken for the text itself. */
static void put_filled(FILE *f, const char *text, const cJSON *prompt, const cJSON *arguments)
{
	while (*text) {
		size_t plain = strcspn(text, "{"), len = text[plain] ? strcspn(text + plain, "}") : 0;
		char name[32];
		const char *value;

		fwrite(text, 1, plain, f);
		text += plain;
		if (!len)
			break;
		snprintf(name, sizeof(name), "%.*s", (int)len - 1, text + 1);
		text += len + 1;
		if (!mcp_texts_find(mp_json_member(prompt, "arguments"), name))
			continue;
		value = cJSON_GetStringValue(mp_json_member(arguments, name));
		if (value)
			mp_json_quote(f, value);
		else
			fputs("null", f);
	}
}

void mcp_put_prompt(FILE *f, const cJSON *prompt, const cJSON *arguments)
{
	char *text = NULL;
	size_t size;
	FILE *filled = open_memstream(&text, &size);

	if (filled)
		put_filled(filled, cJSON_GetStringValue(mp_json_member(prompt, "text")), prompt, arguments);
	if (!filled || fclose(filled)) {
		fputs(",\"messages\":[]", f);
		return;
	}
	fputs(",\"description\":", f);
	mp_json_quote(f, cJSON_GetStringValue(mp_json_member(prompt, "description")));
	fputs(",\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":", f);
	mp_json_quote(f, text);
	fputs("}}]", f);
	free(text);
}
