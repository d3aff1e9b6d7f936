/* record_set.c: records of a fixed size in a hash table. */
#include "recorder/record_set.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/slots.h"
#include "recorder/data_file.h"
#include "recorder/table.h"

static int make_room(struct mp_record_set *seen, size_t more)
{
	unsigned char *records = realloc(seen->records, (seen->count + more) * seen->size + 1);

	if (!records)
		return -1;
	seen->records = records;
	return 0;
}

int64_t mp_record_set_add(
    struct mp_record_set *seen, int dirfd, const char *name, int64_t end, int64_t most, struct mp_error *err)
{
	int64_t size = (int64_t)seen->size, count = end / size < most ? end / size : most;
	struct stat st;
	unsigned char *at;
	int fd;

	if (make_room(seen, (size_t)count))
		return mp_fail_memory(err, name);
	fd = mp_data_file_reopen(dirfd, name, O_RDONLY, &st, err);
	if (fd < 0)
		return -1;
	at = seen->records + seen->count * seen->size;
	for (int64_t done = 0; done < count * size;) {
		ssize_t n = pread(fd, at + done, (size_t)(count * size - done), (off_t)(end - count * size + done));

		if (n <= 0) {
			mp_fail_errno(err, "cannot read '%s'", name);
			mp_fd_drop(fd);
			return -1;
		}
		done += n;
	}
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	seen->count += (size_t)count;
	return count;
}

/* A record to look up. */
struct key {
	const struct mp_record_set *seen;
	const void *record;
};

static bool same(const void *key, uint32_t item)
{
	const struct key *k = key;
	const struct mp_record_set *seen = k->seen;

	return memcmp(seen->records + item * seen->size, k->record, seen->size) == 0;
}

static uint32_t *find(const struct mp_record_set *seen, const void *record)
{
	const struct key key = {seen, record};

	return mp_slot_find(seen->table, seen->slots, mp_hash_bytes(record, seen->size), same, &key);
}

/* Equal records share a slot, so that many of them do not make searches long. */
static bool make_table(struct mp_record_set *seen)
{
	for (seen->slots = 64; seen->slots < 2 * seen->count;)
		seen->slots *= 2;
	seen->left = calloc(seen->count, sizeof(*seen->left));
	seen->table = seen->left ? calloc(seen->slots, sizeof(*seen->table)) : NULL;
	for (size_t i = 0; seen->table && i < seen->count; i++) {
		uint32_t *slot = find(seen, seen->records + i * seen->size);

		if (!*slot)
			*slot = (uint32_t)i + 1;
		seen->left[*slot - 1]++;
	}
	return seen->table != NULL;
}

bool mp_record_set_take(struct mp_record_set *seen, const void *record)
{
	uint32_t number;

	if (!seen->count || (!seen->table && !make_table(seen)))
		return false;
	number = *find(seen, record);
	if (!number || !seen->left[number - 1])
		return false;
	seen->left[number - 1]--;
	return true;
}

void mp_record_set_free(struct mp_record_set *seen)
{
	free(seen->records);
	free(seen->left);
	free(seen->table);
	memset(seen, 0, sizeof(*seen));
}
