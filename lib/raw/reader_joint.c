/* reader_joint.c: completes records that lie across two slices of a stream. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "raw/reader_internal.h"

void mp_reader_join(struct mp_reader *r, struct mp_joint *joint)
{
	int64_t head = joint->head < r->window.size ? joint->head : r->window.size;

	r->joint = joint;
	if (!head) /* a file with a header has no slices */
		return;
	r->offset = head;
	if (joint->head_lost)
		mp_reader_damage(r, 0, head, "the rest of a record whose beginning is not there");
	else if (!r->is_peer)
		r->tally.record_bytes += head;
}

/* Read up to `want` bytes of the next slice at `offset`. */
static size_t read_next(const struct mp_joint *joint, unsigned char *to, size_t want, off_t offset)
{
	size_t used = 0;

	while (used < want) {
		ssize_t n = pread(joint->next_fd, to + used, want - used, offset + (off_t)used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	return used;
}

const struct mp_layout *mp_reader_join_record(struct mp_reader *r, const unsigned char *p, size_t have)
{
	const struct mp_layout *l = r->layout, *owner;
	unsigned char more[MP_RECORD_SIZE_MAX];
	size_t need = l->size - have, after;

	if (!r->joint || r->joint->next_fd < 0)
		return NULL;
	memcpy(r->joined, p, have);
	if (read_next(r->joint, r->joined + have, need, 0) != need)
		return NULL;
	owner = mp_reader_claimant(r, r->joined, l->size);
	after = read_next(r->joint, more, l->size, (off_t)need);
	if (!owner || (after && !mp_reader_claimant(r, more, after)))
		return NULL;
	r->joint->next_head = (int64_t)need;
	return owner;
}

size_t mp_reader_join_piece(struct mp_reader *r, const char *s, size_t len)
{
	const char *separator;
	size_t got;

	if (!r->joint || r->joint->next_fd < 0 || r->layout->kind != MP_RECORD_TEXT || len >= PIECE_MAX)
		return 0;
	memcpy(r->joined, s, len);
	got = read_next(r->joint, r->joined + len, PIECE_MAX - len, 0);
	separator = memchr(r->joined + len, r->layout->separator, got);
	if (!separator)
		return 0;
	r->joint->next_head = (int64_t)(separator - (const char *)r->joined - (ptrdiff_t)len) + 1;
	return (size_t)(separator - (const char *)r->joined);
}
