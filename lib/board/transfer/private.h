/*
 * private.h: what of a project no board gets: private keys, logins, and the inis that tell where boards are.
 *
 * A name decides about directories and about files of logins, the text about all other files. Owns nothing.
 */
#ifndef MP_BOARD_PRIVATE_H
#define MP_BOARD_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Whether a file or directory of this name holds keys or logins. */
bool mp_private_name(const char *name);

/* Whether a text is a private key, or has a line [ssh_config] as every ini of collect has. */
bool mp_private_text(const char *text, size_t len);

/*
 * The same of an open file: of one that may be an ini (at most MP_INI_SIZE bytes) all of it, of a larger one its
 * beginning. 1, 0, or -1 on error; label names it there.
 */
int mp_private_file(int fd, const char *label, struct mp_error *err);

#endif
