/* reader_account.c: the account of a raw file: damaged bytes, the portions of the file, and its end. */
#include <stdio.h>

#include "raw/reader_internal.h"

/* Adjacent damage with the same reason is one entry. Damage beyond the last entry is added to that entry. */
/* The next record has none before it with which rules compare it. */
static void forget_record(struct mp_reader *r)
{
	for (int i = 0; i < r->layout->holds_count; i++)
		r->limits[i].known = false;
}

void mp_reader_damage(struct mp_reader *r, int64_t offset, int64_t bytes, const char *reason)
{
	struct mp_tally *t = &r->tally;
	struct mp_damage *last = t->damage_count ? &t->damage[t->damage_count - 1] : NULL;

	forget_record(r);
	if (r->is_peer)
		return;
	t->damaged_bytes += bytes;
	if (last && t->damage_count == MP_DAMAGE_MAX) {
		last->bytes += bytes;
		snprintf(last->reason, sizeof(last->reason), "this and further damage after it, summed up");
	} else if (last && last->offset + last->bytes == offset && strcmp(last->reason, reason) == 0) {
		last->bytes += bytes;
	} else {
		last = &t->damage[t->damage_count++];
		last->offset = offset;
		last->bytes = bytes;
		snprintf(last->reason, sizeof(last->reason), "%s", reason);
	}
}

/* Begin the portion at `portion_at`. */
static void begin_portion(struct mp_reader *r)
{
	r->pace_sum = 0;
	r->end_ns = r->portions[r->portion_at].start_ns;
	forget_record(r);
}

void mp_reader_divide(struct mp_reader *reader, struct mp_portion *portions, size_t count)
{
	reader->portions = portions;
	reader->portion_count = count;
	reader->portion_at = 0;
	begin_portion(reader);
}

/* What was counted since the end of the portion before belongs to the current portion. */
static void close_portion(struct mp_reader *r)
{
	struct mp_portion *p = &r->portions[r->portion_at], *b = &r->before;
	const struct mp_tally *t = &r->tally;

	p->records = t->records - b->records;
	p->record_bytes = t->record_bytes - b->record_bytes;
	p->blank_bytes = t->blank_bytes - b->blank_bytes;
	p->damaged_bytes = t->damaged_bytes - b->damaged_bytes;
	b->records = t->records;
	b->record_bytes = t->record_bytes;
	b->blank_bytes = t->blank_bytes;
	b->damaged_bytes = t->damaged_bytes;
}

void mp_reader_close_portions(struct mp_reader *r)
{
	for (; r->portion_at < r->portion_count; r->portion_at++)
		close_portion(r);
}

void mp_reader_enter_portion(struct mp_reader *r, int64_t offset)
{
	while (r->portion_at + 1 < r->portion_count && offset >= r->portions[r->portion_at].end) {
		close_portion(r);
		r->portion_at++;
		begin_portion(r);
	}
}

bool mp_reader_end(struct mp_reader *r)
{
	int64_t lost = r->window.size - r->window.limit;
	char reason[64];

	if (lost > 0) {
		r->tally.read_errno = r->window.read_errno;
		if (r->window.read_errno)
			snprintf(reason, sizeof(reason), "read error: %s", strerror(r->window.read_errno));
		else
			snprintf(reason, sizeof(reason), "the file shrank while it was read");
		mp_reader_damage(r, r->window.limit, lost, reason);
		r->window.size = r->window.limit;
	}
	r->record = NULL;
	mp_reader_close_portions(r);
	return false;
}
