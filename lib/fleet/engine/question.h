/* question.h: the ready questions of schema/fleet/ask. */
#ifndef MP_FLEET_QUESTION_H
#define MP_FLEET_QUESTION_H

#include <stdint.h>

#include "fleet/url.h"

/* Read a question as a frame from `in`, ask it at the first host, and write the answer, of so many bytes at most, as
 * frames to `out`. Returns 0, or -1 with err. */
int mp_question_ask(
    const char *text, const struct mp_fleet_url *url, int64_t bytes_max, int in, int out, struct mp_error *err);

#endif
