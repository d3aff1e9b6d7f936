/* names.c: a hash table of texts, and one of models, which only grow. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "recorder/arena.h"
#include "recorder/recorder_internal.h"

static const char *find_text(const struct mp_names *names, uint32_t number)
{
	return number < MP_NAMES_MAX ? atomic_load_explicit(&names->texts[number], memory_order_acquire) : NULL;
}

const char *mp_name_known(const struct mp_names *names, uint32_t *number)
{
	const char *text = find_text(names, *number);

	if (!text)
		*number = 0;
	return text ? text : "?";
}

const char *mp_name_text(const struct mp_names *names, uint32_t number)
{
	return mp_name_known(names, &number);
}

static bool is_text(const struct mp_names *names, uint32_t number, const char *text, size_t len)
{
	const char *known = mp_name_text(names, number);

	return strncmp(known, text, len) == 0 && known[len] == '\0';
}

/* Add a text. Returns its number, or 0 when there is no room. */
static uint32_t add(struct mp_names *names, const char *text, size_t len)
{
	char *copy;

	if (names->count == 0)
		names->count = 1;
	if (names->count == MP_NAMES_MAX || names->bytes + len + 1 > MP_NAMES_BYTES_MAX)
		return 0;
	copy = malloc(len + 1);
	if (!copy)
		return 0;
	memcpy(copy, text, len);
	copy[len] = '\0';
	names->bytes += len + 1;
	mp_arena_name(text, len);
	atomic_store_explicit(&names->texts[names->count], copy, memory_order_release);
	return names->count++;
}

/* A text to look up. */
struct name_key {
	const struct mp_names *names;
	const char *text;
	size_t len;
};

static bool same_text(const void *key, uint32_t item)
{
	const struct name_key *w = key;

	return is_text(w->names, item + 1, w->text, w->len);
}

/* Text 0 is "?", so slot contents equal the numbers of texts. */
static uint32_t look_up(struct mp_names *names, uint32_t hash, const char *text, size_t len)
{
	const struct name_key wanted = {names, text, len};
	uint32_t *slot, number;

	pthread_mutex_lock(&names->lock);
	slot = mp_slot_find(names->table, 2 * MP_NAMES_MAX, hash, same_text, &wanted);
	if (!*slot)
		*slot = add(names, text, len);
	number = *slot;
	pthread_mutex_unlock(&names->lock);
	return number;
}

uint32_t mp_name_number(struct mp_names *names, struct mp_name_cache *cache, const char *text, size_t len)
{
	uint32_t hash = (uint32_t)mp_hash_bytes(text, len), number;
	size_t at = hash % MP_NAME_CACHE;

	if (cache && cache->items[at].hash == hash && cache->items[at].number &&
	    is_text(names, cache->items[at].number, text, len))
		return cache->items[at].number;
	number = look_up(names, hash, text, len);
	if (cache && number) {
		cache->items[at].hash = hash;
		cache->items[at].number = number;
	}
	return number;
}

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
