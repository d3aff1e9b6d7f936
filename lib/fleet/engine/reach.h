/*
 * reach.h: what a client of a database may reach from the moment when it reads the first byte of a server: the network,
 * and the files that resolvers, TLS and Kerberos read. It writes no file and starts no program.
 */
#ifndef MP_FLEET_REACH_H
#define MP_FLEET_REACH_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Confine the process, unless *is_confined, which becomes true; `files`, which ends with NULL, may be read or listed,
 * too. Returns 0, or -1 with err.
 */
int mp_reach_confine(const char *const *files, bool *is_confined, struct mp_error *err);

#endif
