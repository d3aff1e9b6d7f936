/* defaults.c: sets options from MSPROF_... variables and from the ini file of the user. */
#include "commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/say.h"
#include "base/text.h"

enum { FILE_SIZE_MAX = 65536, SETTINGS = 6 };

struct setting {
	const char *key, *variable;
	int option;    /* of enum option_id */
	int unless;    /* the option that excludes this one; the option itself where no other does */
	bool of_board; /* only for commands that need a board: --output means other things elsewhere */
};

static const struct setting settings[SETTINGS] = {
    {"board", "MSPROF_BOARD", OPTION_CONFIG, OPTION_LOCAL, true},
    {"output", "MSPROF_OUTPUT", OPTION_OUTPUT, OPTION_RESUME, true},
    {"style", "MSPROF_STYLE", OPTION_STYLE, OPTION_STYLE, false},
    {"bom", "MSPROF_BOM", OPTION_BOM, OPTION_BOM, false},
    {"lang", "MSPROF_LANG", OPTION_LANG, OPTION_LANG, false},
    {"layouts", "MSPROF_LAYOUTS", OPTION_LAYOUTS, OPTION_LAYOUTS, false},
};

/* What the file says. */
struct file {
	char path[PATH_MAX];
	char values[SETTINGS][PATH_MAX];
	int lines[SETTINGS]; /* of the value; 0: no value */
	char section[32];
};

static struct file file;

/* Find the file; returns false when not found. `*named`: MSPROF_CONFIG names the file, so that it must exist. */
static bool find_file(char path[PATH_MAX], bool *named)
{
	const char *name = getenv("MSPROF_CONFIG"), *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int len;

	*named = name != NULL;
	if (name)
		len = snprintf(path, PATH_MAX, "%s", name);
	else if (config && *config == '/')
		len = snprintf(path, PATH_MAX, "%s/msprof/config", config);
	else if (home && *home == '/')
		len = snprintf(path, PATH_MAX, "%s/.config/msprof/config", home);
	else
		return false;
	return len > 0 && len < PATH_MAX;
}

static void warn_key(const struct mp_ini *ini)
{
	char key[SUGGESTION_MAX];
	struct suggestion near = {.word = key};

	snprintf(key, sizeof(key), "%.*s", (int)ini->name_len, ini->name);
	for (int i = 0; i < SETTINGS; i++)
		suggest_offer(&near, settings[i].key);
	if (near.best[0])
		message_warning(
		    "'%s' line %d: unknown key '%s'; did you mean '%s'?", file.path, ini->line, key, near.best);
	else
		message_warning("'%s' line %d: unknown key '%s'", file.path, ini->line, key);
}

static bool names_path(const struct setting *setting)
{
	enum value_type type = option_row(setting->option)->type;

	return type == VALUE_FILE || type == VALUE_DIRECTORY;
}

/* Keep the value of a key; paths begin with '/' or '~/': a file that counts everywhere cannot mean the current
 * directory. */
static int take_value(int i, const struct mp_ini *ini)
{
	bool below_home = names_path(&settings[i]) && ini->value_len >= 2 && memcmp(ini->value, "~/", 2) == 0;
	const char *home = getenv("HOME");
	int len;

	if (file.lines[i])
		return message_error(
		    "'%s' line %d: %s: given before, in line %d", file.path, ini->line, settings[i].key, file.lines[i]);
	if (names_path(&settings[i]) && !below_home && (!ini->value_len || ini->value[0] != '/'))
		return message_error(
		    "'%s' line %d: %s: a path begins with '/' or '~/'", file.path, ini->line, settings[i].key);
	if (below_home && (!home || *home != '/'))
		return message_error("'%s' line %d: %s: '~' is the directory of the variable HOME, which is not set",
		    file.path, ini->line, settings[i].key);
	len = snprintf(file.values[i], PATH_MAX, "%s%.*s", below_home ? home : "", (int)(ini->value_len - below_home),
	    ini->value + below_home);
	if (len < 0 || len >= PATH_MAX)
		return message_error("'%s' line %d: %s: the value is too long", file.path, ini->line, settings[i].key);
	file.lines[i] = ini->line;
	return 0;
}

static int take_line(enum mp_ini_kind kind, const struct mp_ini *ini)
{
	if (kind == MP_INI_SECTION) {
		snprintf(file.section, sizeof(file.section), "%.*s", (int)ini->name_len, ini->name);
		return 0;
	}
	if (kind != MP_INI_PAIR || strcmp(file.section, "defaults") != 0)
		return message_error("'%s' line %d: not 'key = value' in the section [defaults]", file.path, ini->line);
	for (int i = 0; i < SETTINGS; i++)
		if (strlen(settings[i].key) == ini->name_len && memcmp(settings[i].key, ini->name, ini->name_len) == 0)
			return take_value(i, ini);
	warn_key(ini);
	return 0;
}

static int parse(const char *text, size_t len)
{
	struct mp_ini ini = mp_ini_begin(text, len);
	enum mp_ini_kind kind;

	while ((kind = mp_ini_next(&ini)) != MP_INI_END)
		if (take_line(kind, &ini))
			return -1;
	return 0;
}

/* Read the whole file, which has a bounded size; EXIT_FAILED with the error printed. */
static int read_text(int fd, char *text)
{
	ssize_t len = mp_file_read(fd, text, FILE_SIZE_MAX + 1, 0);

	if (len < 0)
		return message_error("cannot read '%s': %s", file.path, strerror(errno));
	if (len > FILE_SIZE_MAX)
		return message_error("'%s' is larger than %d bytes", file.path, FILE_SIZE_MAX);
	return parse(text, (size_t)len);
}

static int read_file(void)
{
	static char text[FILE_SIZE_MAX + 1];
	struct mp_error err;
	bool named;
	int fd, status;

	memset(&file, 0, sizeof(file));
	if (!find_file(file.path, &named) || !file.path[0])
		return 0;
	fd = mp_named_file(file.path, NULL);
	if (fd < 0 && !named && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
		return 0;
	if (fd < 0) {
		mp_file_refuse(file.path, &err);
		return message_failure(&err);
	}
	status = read_text(fd, text);
	close(fd); /* read only: no error matters */
	return status;
}

/* Set one option, if it has a default, to a value that the option accepts. */
static int apply(struct options *o, const struct command *command, int i)
{
	const struct option_row *row = option_row(settings[i].option);
	const char *variable = getenv(settings[i].variable);
	bool is_set = variable && *variable;
	const char *value = is_set ? variable : file.lines[i] ? file.values[i] : NULL;

	if (!value)
		return 0;
	/* an option without a value is set by "yes" or "no" */
	if (row->type == VALUE_NONE ? strcmp(value, "yes") != 0 && strcmp(value, "no") != 0
				    : !option_accepts(row, options_words(command, settings[i].option), value)) {
		if (row->type == VALUE_NONE)
			message_error("invalid %s '%s' (yes or no)", settings[i].key, value);
		else
			option_refuse(row, options_words(command, settings[i].option), value);
		if (is_set)
			message_error("this value is that of the variable %s", settings[i].variable);
		else
			message_error("this value is that of '%s' line %d", file.path, file.lines[i]);
		return -1;
	}
	o->values[settings[i].option] = row->type == VALUE_NONE && strcmp(value, "no") == 0 ? NULL : value;
	if (settings[i].option == OPTION_CONFIG)
		o->configs = (struct option_list){.items = {value}, .count = 1};
	return 0;
}

static bool is_wanted(const struct options *o, const struct command *command, const struct setting *setting)
{
	return command_takes(command, setting->option) && !options_has(o, (enum option_id)setting->option) &&
	       !options_has(o, (enum option_id)setting->unless) &&
	       (!setting->of_board || command->needs == NEEDS_BOARD);
}

/* The language of messages that the environment asks for. */
static const char *language_of_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strncmp(value, "zh", 2) == 0 ? "zh" : "en";
	}
	return "en";
}

static int choose_language(const struct options *o)
{
	const char *language = o->values[OPTION_LANG];
	struct mp_error err;

	if (mp_say_language(language ? language : language_of_locale(), &err) == 0)
		return 0;
	return message_failure(&err);
}

int defaults_apply(struct options *o, const struct command *command)
{
	if (read_file())
		return -1;
	for (int i = 0; i < SETTINGS; i++)
		if (is_wanted(o, command, &settings[i]) && apply(o, command, i))
			return -1;
	return command_takes(command, OPTION_LANG) ? choose_language(o) : 0;
}
