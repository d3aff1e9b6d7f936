/* fuzz_baseline.c: any text as a baseline file: what is accepted is written and read again, and compares with itself.
 */
#include "fuzz.h"

#include "compare/diff_write.h"
#include "compare/side.h"

/* The kept output as a text. */
static char *text_of(const struct mp_side *side, size_t *size)
{
	struct mp_out *out;
	struct mp_error err;
	char *text = malloc(MP_BASELINE_MAX + 1);
	int fd = memfd_create("baseline", MFD_CLOEXEC);
	ssize_t got;

	CHECK(text && fd >= 0 && mp_out_fd(&out, fd, "baseline", &err) == 0);
	mp_baseline_write(side, out);
	CHECK(mp_out_flush(out, &err) == 0);
	mp_out_abort(out);
	got = pread(fd, text, MP_BASELINE_MAX, 0);
	CHECK(got > 0);
	text[got] = '\0';
	*size = (size_t)got;
	close(fd);
	return text;
}

/* Against itself nothing has changed. */
static void check_diff(const struct mp_side *side)
{
	struct mp_diff diff;
	struct mp_error err;

	if (mp_diff_make(&diff, side, side, &err) == 0)
		for (size_t i = 0; i < diff.group_count; i++) {
			const struct mp_group_diff *g = &diff.groups[i];

			CHECK(g->total.verdict == MP_SAME && g->total.base_ns == g->total.new_ns);
			CHECK(g->new_ns == 0 && g->gone_ns == 0 && g->calls_ns + g->each_ns == 0);
		}
	mp_diff_free(&diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_side side, again;
	struct mp_error err;
	char *input = malloc(size + 1), *text, *second;
	size_t len, second_len;

	CHECK(input);
	memcpy(input, data, size);
	input[size] = '\0';
	if (mp_baseline_parse(&side, input, size, "input", &err) == 0) {
		text = text_of(&side, &len);
		CHECK(mp_baseline_parse(&again, text, len, "written", &err) == 0);
		second = text_of(&again, &second_len);
		CHECK(len == second_len && memcmp(text, second, len) == 0);
		check_diff(&again);
		free(text);
		free(second);
		mp_side_free(&again);
	}
	mp_side_free(&side);
	free(input);
	return 0;
}
