/*
 * private.h: recognises the files of a project that are never sent to a board: private keys, logins, and inis of
 * boards.
 *
 * Directories and files of logins are recognised by name, all other files by their text. Owns nothing.
 */
#ifndef MP_BOARD_PRIVATE_H
#define MP_BOARD_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Whether a file or directory with this name contains keys or logins. */
bool mp_private_name(const char *name);

/* Whether a text is a private key, or has a line [ssh_config] like every ini of collect. */
bool mp_private_text(const char *text, size_t len);

/*
 * Whether the text of an open file is private. A file of at most MP_INI_SIZE bytes, which may be an ini, is read whole,
 * a larger file only at its beginning. Returns 1 when private, 0 when not, -1 on error; label names the file in errors.
 */
int mp_private_file(int fd, const char *label, struct mp_error *err);

#endif
