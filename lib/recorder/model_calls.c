/* model_calls.c: the calls by which an application announces its models. */
#include <string.h>

#include "recorder/arena.h"
#include "recorder/recorder_internal.h"

int msprof_model_loaded(uint32_t model_id, const char *name)
{
	uint32_t number;
	struct mp_model *m;

	if (!name || !*name || model_id == MSPROF_NO_MODEL)
		return MSPROF_INVALID_PARAM;
	number = msprof_name(name);
	if (!number)
		return MSPROF_BAD_ALLOC;
	m = mp_models_find(&mp_recorder.models, model_id);
	if (m &&
	    strcmp(atomic_load_explicit(&m->name, memory_order_acquire), mp_name_text(&mp_recorder.names, number)) != 0)
		mp_recorder_drain(); /* earlier events belong to the earlier model */
	m = mp_models_add(&mp_recorder.models, model_id, mp_name_text(&mp_recorder.names, number));
	mp_arena_model(model_id, number);
	return m ? MSPROF_OK : MSPROF_BAD_ALLOC;
}

int msprof_model_unloaded(uint32_t model_id)
{
	struct mp_model *m = mp_models_find(&mp_recorder.models, model_id);
	int loaded = MP_MODEL_LOADED;

	if (!m || !atomic_compare_exchange_strong(&m->state, &loaded, MP_MODEL_UNLOADED))
		return MSPROF_INVALID_PARAM;
	return MSPROF_OK;
}

void msprof_model_executed(uint64_t begin_ns, uint32_t name, uint32_t model_id)
{
	uint32_t interval = atomic_load_explicit(&mp_recorder.interval, memory_order_relaxed);
	struct mp_model *m = interval > 1 ? mp_models_find(&mp_recorder.models, model_id) : NULL;

	if (!begin_ns || !mp_recorder_active())
		return;
	if (m && atomic_fetch_add_explicit(&m->executed, 1, memory_order_relaxed) % interval != 0)
		return;
	msprof_api_end(begin_ns, MSPROF_MODEL, name, model_id);
}

void mp_recorder_set_interval(uint32_t interval)
{
	for (int i = 0; i < MP_MODELS_MAX; i++)
		atomic_store_explicit(&mp_recorder.models.items[i].executed, 0, memory_order_relaxed);
	atomic_store_explicit(&mp_recorder.interval, interval, memory_order_relaxed);
}

enum mp_model_state mp_model_state(uint32_t model_id)
{
	struct mp_model *m = mp_models_find(&mp_recorder.models, model_id);

	return m ? (enum mp_model_state)atomic_load_explicit(&m->state, memory_order_relaxed) : MP_MODEL_UNKNOWN;
}

bool mp_model_any(void)
{
	return atomic_load_explicit(&mp_recorder.models.count, memory_order_relaxed) > 0;
}

const char *mp_model_name(uint32_t model_id)
{
	struct mp_model *m = mp_models_find(&mp_recorder.models, model_id);

	return m ? atomic_load_explicit(&m->name, memory_order_acquire) : NULL;
}
