/* script.c: builds scripts from fixed code and quoted words. */
#include "board/connection/script.h"

#include <stdio.h>
#include <string.h>

void mp_script_start(struct mp_script *script)
{
	script->len = 0;
	script->overflow = false;
	script->text[0] = '\0';
}

void mp_script_code(struct mp_script *script, const char *code)
{
	size_t len = strlen(code);

	if (script->overflow || len >= sizeof(script->text) - script->len) {
		script->overflow = true;
		return;
	}
	memcpy(script->text + script->len, code, len + 1);
	script->len += len;
}

void mp_script_word(struct mp_script *script, const char *text)
{
	if (!script->overflow)
		script->len = mp_shell_quote(script->text, sizeof(script->text), script->len, text, &script->overflow);
}

void mp_script_number(struct mp_script *script, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	mp_script_code(script, text);
}

/* "./" in front: a name like "-" would be an option. */
static void append_directory(struct mp_script *script, const char *dir)
{
	bool at_home = strcmp(dir, "~") == 0 || strncmp(dir, "~/", 2) == 0;

	if (at_home) {
		mp_script_code(script, "\"$HOME\"/");
		mp_script_word(script, dir[1] ? dir + 2 : "");
		return;
	}
	mp_script_code(script, dir[0] == '/' ? "" : "./");
	mp_script_word(script, dir);
}

/* With CDPATH cd would print, and choose another directory. */
void mp_script_enter(struct mp_script *script, const char *dir)
{
	mp_script_code(script, "unset CDPATH; cd ");
	append_directory(script, dir);
	mp_script_code(script, " || exit 100; ");
}

void mp_script_argument(struct mp_script *script, const char *text)
{
	mp_script_code(script, script->len ? " " : "set -- ");
	mp_script_word(script, text);
}

void mp_script_directory_argument(struct mp_script *script, const char *dir)
{
	mp_script_code(script, script->len ? " " : "set -- ");
	append_directory(script, dir);
}

void mp_script_body(struct mp_script *script, const char *file_text)
{
	mp_script_code(script, "\n");
	mp_script_code(script, file_text);
}

int mp_script_check(const struct mp_script *script, struct mp_error *err)
{
	if (script->overflow)
		return mp_fail(err, "a path is too long for a command on the board");
	return 0;
}
