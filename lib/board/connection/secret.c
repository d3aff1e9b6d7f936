/*
 * secret.c: memory for passwords: locked where the system allows it, excluded from core files and child processes,
 * and wiped before it is freed.
 */
#include "board/connection/board.h"
#include "board/connection/connection_internal.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int mp_secret_room(struct mp_secret *s, size_t size, struct mp_error *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t whole = (size + page - 1) / page * page;
	void *map;

	mp_secret_wipe(s);
	if (size == 0 || whole < size)
		return mp_fail(err, "a secret of %zu bytes is too large", size);
	map = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return mp_fail_memory(err, "a secret");
	/* No error matters here: a limit of locked memory must not prevent a login. */
	(void)mlock(map, whole);
#ifdef MADV_DONTDUMP
	(void)madvise(map, whole, MADV_DONTDUMP);
#endif
#ifdef MADV_DONTFORK
	(void)madvise(map, whole, MADV_DONTFORK);
#endif
	s->text = map;
	s->size = whole;
	return 0;
}

int mp_secret_set(struct mp_secret *s, const char *text, size_t len, struct mp_error *err)
{
	if (mp_secret_room(s, len + 1, err))
		return -1;
	memcpy(s->text, text, len);
	s->text[len] = '\0';
	return 0;
}

void mp_secret_wipe(struct mp_secret *s)
{
	if (s->text) {
		explicit_bzero(s->text, s->size);
		(void)munmap(s->text, s->size); /* also unlocks */
	}
	s->text = NULL;
	s->size = 0;
}
