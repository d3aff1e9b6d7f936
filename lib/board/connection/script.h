/*
 * script.h: a short shell script under construction.
 *
 * Scripts stay below what dropbear takes for one command (9000 bytes); whatever can
 * be long, lists of names above all, goes through the command's input instead.
 * A fixed buffer without allocation; overflow is kept and reported once, at the end.
 */
#ifndef MP_BOARD_SCRIPT_H
#define MP_BOARD_SCRIPT_H

#include "board/connection/board.h"

struct mp_script {
	size_t len;
	bool overflow;
	char text[8192];
};

void mp_script_start(struct mp_script *script);

/* Shell text, as it is: never anything that came from a user, a board or a file. */
void mp_script_code(struct mp_script *script, const char *code);

/* Any text, as one quoted shell word. */
void mp_script_word(struct mp_script *script, const char *text);

void mp_script_number(struct mp_script *script, int64_t number);

/* "cd DIR || exit 100;" for a directory on the board; a leading "~/" is the home directory. */
void mp_script_enter(struct mp_script *script, const char *dir);

/* -1 when the script did not fit. */
int mp_script_check(const struct mp_script *script, struct mp_error *err);

#endif
