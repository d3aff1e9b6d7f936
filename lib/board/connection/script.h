/*
 * script.h: a short shell script under construction: fixed code, and foreign texts as quoted words. And a command line,
 * split into words.
 *
 * A script is a command in a directory, or an embedded .sh file with its arguments. Scripts stay below dropbear's limit
 * for one command (9000 bytes); long texts, such as lists of names, go through the command's input instead. The buffer
 * is fixed and needs no allocation. An overflow is kept, and mp_script_check reports it at the end.
 */
#ifndef MP_BOARD_SCRIPT_H
#define MP_BOARD_SCRIPT_H

#include "base/error.h"
#include "board/connection/board.h"

struct mp_script {
	size_t len;
	bool overflow;
	char text[8192];
};

/* Make the script empty. */
void mp_script_start(struct mp_script *script);

/* Append shell code: never anything that came from a user, a board or a file. */
void mp_script_code(struct mp_script *script, const char *code);

/* Append any text, as one quoted shell word. */
void mp_script_word(struct mp_script *script, const char *text);

void mp_script_number(struct mp_script *script, int64_t number);

/* Append "cd DIR || exit 100;" for a directory on the board; a leading "~/" is the home directory. */
void mp_script_enter(struct mp_script *script, const char *dir);

/*
 * An embedded .sh file: append its arguments to an empty script, then the text of the file. A directory argument may
 * begin with "~/", or be relative.
 */
void mp_script_argument(struct mp_script *script, const char *text);
void mp_script_directory_argument(struct mp_script *script, const char *dir);
void mp_script_body(struct mp_script *script, const char *file_text);

/* Returns -1 when the script did not fit. */
int mp_script_check(const struct mp_script *script, struct mp_error *err);

/*
 * Split text at blanks and line ends; '...', "..." and \ quote. *words receives a NULL-terminated array of texts; free
 * it with mp_argv_free. An open quote, or a text without words, is an error.
 */
int mp_argv_split(char ***words, size_t *count, const char *text, struct mp_error *err);

/* Free the words; NULL is legal. */
void mp_argv_free(char **words);

#endif
