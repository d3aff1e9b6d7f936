/*
 * team.h: several connections to one database, one for each thread that reads.
 *
 * All connections see the same file and the same choice of the user. A team owns all connections but the first, which
 * is the caller's. A connection that cannot be opened is no error: the team is smaller then. The caller's thread
 * begins, grows and ends the team.
 */
#ifndef MP_STORE_TEAM_H
#define MP_STORE_TEAM_H

#include "store/db.h"

enum { MP_TEAM_MAX = 8 };

struct mp_team {
	struct mp_db *dbs[MP_TEAM_MAX]; /* the first connection is the caller's */
	int count, wanted;              /* open connections, and the number to open */
};

/* Returns the number of processors that this process may use, at most MP_TEAM_MAX. */
int mp_team_processors(void);

/* Begin a team of one connection that may grow to `wanted`. End the team before closing the database. */
void mp_team_begin(struct mp_team *team, struct mp_db *db, int wanted);

/* Open the further connections. A private database gets no further connection. */
void mp_team_grow(struct mp_team *team);

/* Close the connections that the team opened. */
void mp_team_end(struct mp_team *team);

#endif
