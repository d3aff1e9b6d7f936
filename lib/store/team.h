/*
 * team.h: connections to one database, for threads that read it at the same time: one each.
 *
 * They see the same file and the same choice of the user. There are as many as can be had: at least the caller's.
 */
#ifndef MP_STORE_TEAM_H
#define MP_STORE_TEAM_H

#include "store/db.h"

enum { MP_TEAM_MAX = 8 };

struct mp_team {
	struct mp_db *dbs[MP_TEAM_MAX]; /* the first one is the caller's and stays his */
	int count, wanted;
};

/* How many threads have a processor, at most MP_TEAM_MAX. */
int mp_team_processors(void);

/* A team of one that may grow to `wanted`. Close it before the database. */
void mp_team_begin(struct mp_team *team, struct mp_db *db, int wanted);

/* Open what is wanted. A private database stays alone. */
void mp_team_grow(struct mp_team *team);

void mp_team_end(struct mp_team *team);

#endif
