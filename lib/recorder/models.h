/*
 * models.h: the models that a process has announced, by number.
 *
 * A process may announce at most MP_MODELS_MAX models. Any thread may search without a lock; adding takes a lock.
 * Models and names are never freed.
 */
#ifndef MP_RECORDER_MODELS_H
#define MP_RECORDER_MODELS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "recorder/recorder.h"

enum { MP_MODELS_MAX = 4096 };

struct mp_model {
	_Atomic uint64_t key; /* the model's number + 1; 0: free. Set last */
	_Atomic(const char *) name;
	_Atomic int state; /* enum mp_model_state */
	_Atomic uint32_t executed;
};

struct mp_models {
	pthread_mutex_t lock;
	_Atomic uint32_t count;
	struct mp_model items[MP_MODELS_MAX];
};

/* The model with this number, or NULL. */
struct mp_model *mp_models_find(struct mp_models *models, uint32_t model_id);

/* The model with this number, added when new; NULL when there are too many. `name` must live as long as the process. */
struct mp_model *mp_models_add(struct mp_models *models, uint32_t model_id, const char *name);

#endif
