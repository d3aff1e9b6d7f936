/*
 * work.h: the work that learning may do, so that no bytes make it endless. It is counted in steps: a record or a cell
 * that is looked at. Whoever has used up a share stops, and says what was not searched.
 *
 * A struct mp_work belongs to its caller and one thread. Nothing is allocated.
 */
#ifndef MP_LEARN_WORK_H
#define MP_LEARN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Steps for a job: so many, and so many for each of its records and rows. A job of 100,000 tasks needs a twentieth of
 * it. A step takes about 10 ns.
 */
#define MP_WORK_MIN UINT64_C(150000000)
#define MP_WORK_EACH UINT64_C(1000)

struct mp_work {
	uint64_t total, left;
	uint64_t keep;                                             /* of what is left, the steps of others */
	bool ended;                                                /* a share was used up */
	void (*progress)(void *user, int64_t done, int64_t total); /* called now and then; may be NULL */
	void *user;
};

/* Begin with `total` steps. */
static inline void mp_work_begin(struct mp_work *w, uint64_t total)
{
	w->total = w->left = total;
	w->keep = 0;
	w->ended = false;
}

/* Share out: the next steps may be one of `parts` of what is left, but for `reserve`. */
static inline void mp_work_share(struct mp_work *w, uint64_t reserve, size_t parts)
{
	w->keep = w->left - (w->left > reserve ? (w->left - reserve) / parts : 0);
	w->ended = false;
}

/* Take steps from the share. Returns false, and ends the share, when there are not so many. */
static inline bool mp_work_take(struct mp_work *w, uint64_t steps)
{
	const uint64_t before = w->left;

	if (w->ended || w->left - w->keep < steps) {
		w->ended = true;
		return false;
	}
	w->left -= steps;
	if (w->progress && (before ^ w->left) >> 20)
		w->progress(w->user, (int64_t)(w->total - w->left), (int64_t)w->total);
	return true;
}

#endif
