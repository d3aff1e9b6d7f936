/* models.c: a hash table of models that only grows. */
#include "recorder/models.h"

static struct mp_model *place_of(struct mp_models *models, uint32_t model_id)
{
	uint32_t at = model_id * 2654435761u % MP_MODELS_MAX;

	for (uint32_t i = 0; i < MP_MODELS_MAX; i++) {
		struct mp_model *m = &models->items[(at + i) % MP_MODELS_MAX];
		uint64_t key = atomic_load_explicit(&m->key, memory_order_acquire);

		if (!key || key == (uint64_t)model_id + 1)
			return m;
	}
	return NULL;
}

struct mp_model *mp_models_find(struct mp_models *models, uint32_t model_id)
{
	struct mp_model *m = place_of(models, model_id);

	return m && atomic_load_explicit(&m->key, memory_order_acquire) ? m : NULL;
}

struct mp_model *mp_models_add(struct mp_models *models, uint32_t model_id, const char *name)
{
	struct mp_model *m;

	pthread_mutex_lock(&models->lock);
	m = place_of(models, model_id);
	if (m) {
		atomic_store_explicit(&m->name, name, memory_order_release);
		atomic_store_explicit(&m->state, MP_MODEL_LOADED, memory_order_relaxed);
		if (!atomic_load_explicit(&m->key, memory_order_relaxed)) {
			atomic_store_explicit(&m->key, (uint64_t)model_id + 1, memory_order_release);
			atomic_fetch_add_explicit(&models->count, 1, memory_order_relaxed);
		}
	}
	pthread_mutex_unlock(&models->lock);
	return m;
}
