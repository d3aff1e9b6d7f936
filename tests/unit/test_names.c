/* test_names.c: numbers of texts, and the models of a process. */
#include "recorder/recorder_internal.h"
#include "support.h"

static struct mp_names *new_names(void)
{
	struct mp_names *names = calloc(1, sizeof(*names));

	assert_non_null(names);
	assert_int_equal(pthread_mutex_init(&names->lock, NULL), 0);
	return names;
}

static void free_names(struct mp_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free((void *)(uintptr_t)atomic_load(&names->texts[i]));
	free(names);
}

static uint32_t number_of(struct mp_names *names, struct mp_name_cache *cache, const char *text)
{
	return mp_name_number(names, cache, text, strlen(text));
}

static void the_same_text_has_the_same_number_with_a_cache_and_without(void **state)
{
	struct mp_names *names = new_names();
	struct mp_name_cache cache = {0};
	char copy[] = "aclrtMalloc";
	uint32_t malloc_number = number_of(names, &cache, "aclrtMalloc"),
		 free_number = number_of(names, NULL, "aclrtFree");

	(void)state;
	assert_int_not_equal(malloc_number, 0);
	assert_int_not_equal(malloc_number, free_number);
	assert_int_equal(number_of(names, &cache, copy), malloc_number);
	assert_int_equal(number_of(names, NULL, copy), malloc_number);
	copy[0] = 'x'; /* the caller's text was copied, and caches do not compare addresses */
	assert_int_not_equal(number_of(names, &cache, copy), malloc_number);
	assert_string_equal(mp_name_text(names, malloc_number), "aclrtMalloc");
	assert_string_equal(mp_name_text(names, 0), "?");
	assert_string_equal(mp_name_text(names, 65535), "?");
	assert_string_equal(mp_name_text(names, 70000), "?");
	free_names(names);
}

static void there_is_an_end_to_names(void **state)
{
	struct mp_names *names = new_names();
	struct mp_name_cache cache = {0};
	char text[32];
	uint32_t last = 0;

	(void)state;
	for (int i = 0; i < MP_NAMES_MAX + 10; i++) {
		snprintf(text, sizeof(text), "%d", i);
		last = number_of(names, &cache, text);
		assert_int_equal(last, i < MP_NAMES_MAX - 1 ? i + 1 : 0);
	}
	assert_int_equal(number_of(names, &cache, "77"), 78);
	free_names(names);
}

static void there_is_an_end_to_their_bytes(void **state)
{
	struct mp_names *names = new_names();
	char text[300] = "";
	uint32_t given = 0;

	(void)state;
	memset(text, 'n', 256);
	for (int i = 0; i < 20000; i++) {
		text[snprintf(text, 12, "%05d", i)] = 'n';
		given += number_of(names, NULL, text) != 0;
	}
	assert_int_equal(given, MP_NAMES_BYTES_MAX / 257);
	free_names(names);
}

static void models_are_found_by_number(void **state)
{
	struct mp_models *models = calloc(1, sizeof(*models));

	(void)state;
	assert_non_null(models);
	assert_int_equal(pthread_mutex_init(&models->lock, NULL), 0);
	assert_null(mp_models_find(models, 0));
	for (uint32_t i = 0; i < MP_MODELS_MAX; i++)
		assert_non_null(mp_models_add(models, i * 7919, "model"));
	assert_null(mp_models_add(models, 1, "too many"));
	assert_non_null(mp_models_add(models, 7919, "again"));
	assert_string_equal(atomic_load(&mp_models_find(models, 7919)->name), "again");
	assert_null(mp_models_find(models, 1));
	assert_int_equal(atomic_load(&models->count), MP_MODELS_MAX);
	free(models);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_same_text_has_the_same_number_with_a_cache_and_without),
	    cmocka_unit_test(there_is_an_end_to_names),
	    cmocka_unit_test(there_is_an_end_to_their_bytes),
	    cmocka_unit_test(models_are_found_by_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
