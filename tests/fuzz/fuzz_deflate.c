/*
 * fuzz_deflate.c: a text made by operations is compressed in one of three forms, and zlib gives it back.
 *
 * The first byte is the form: bytes in zlib's format, a gzip file, or bundles of a trace. Operations follow. Each is a
 * byte of its kind, a byte of length and one by how many bits to shift it, and what it needs: bytes as they are; bytes
 * from earlier, at a distance of two bytes; noise of a byte's seed; one byte again and again; packets of a trace of one
 * length. With the highest bit of the kind the writer writes what there is so far.
 */
#include "fuzz.h"

#include <zlib.h>

#include "base/packer.h"
#include "trace/trace.h"

enum {
	TEXT_MAX = 900 * 1024,
	WRITTEN_NOW = 0x80,
	PACKET_TAG = 0x0a,
	LITERAL = 0,
	EARLIER,
	NOISE,
	AGAIN,
	PACKETS,
	KINDS
};

const char *__asan_default_options(void);

/* Each execution allocates some MB: freed memory is not kept. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:max_malloc_fill_size=0";
}

static char text[TEXT_MAX], packed[TEXT_MAX + 65536], back[TEXT_MAX + 1];
static size_t text_size;

static void add(char byte)
{
	if (text_size < TEXT_MAX)
		text[text_size++] = byte;
}

/* Packets of `size` bytes, as many as go into `length`. */
static void add_packets(size_t length, size_t size)
{
	for (; length > size; length -= size + 1) {
		add(PACKET_TAG);
		for (size_t left = size; left || size == 0; left >>= 7) {
			add((char)((left & 0x7f) | (left >> 7 ? 0x80 : 0)));
			if (!(left >> 7))
				break;
		}
		for (size_t i = 0; i < size; i++)
			add((char)(i * length));
	}
}

/* Do one operation. Returns how many bytes of the input it took. */
static size_t operate(const uint8_t *op, size_t size)
{
	const size_t length = (size_t)op[1] << op[2] % 10;
	const size_t distance = size > 4 ? op[3] | (size_t)op[4] << 8 : 0;
	const size_t literal = length % 64 < size - 3 ? length % 64 : size - 3;
	uint32_t noise = size > 3 ? op[3] : 0;

	switch ((op[0] & ~WRITTEN_NOW) % KINDS) {
	case LITERAL:
		for (size_t i = 0; i < literal; i++)
			add((char)op[3 + i]);
		return 3 + literal;
	case EARLIER:
		for (size_t i = 0; i < length; i++)
			add(distance < text_size ? text[text_size - 1 - distance] : 'x');
		return 5;
	case NOISE:
		for (size_t i = 0; i < length; i++) {
			noise = noise * 1103515245 + 12345;
			add((char)(noise >> 16));
		}
		return 4;
	case AGAIN:
		for (size_t i = 0; i < length; i++)
			add((char)noise);
		return 4;
	default:
		add_packets(length, distance);
		return 5;
	}
}

/* Inflate a stream that begins at `at` to the end of what came back. Returns how many bytes the stream has. */
static size_t inflate_at(const char *at, size_t size, int window, size_t *back_size)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)at,
	    .avail_in = (uInt)size,
	    .next_out = (Bytef *)back + *back_size,
	    .avail_out = (uInt)(sizeof(back) - *back_size)};

	CHECK(inflateInit2(&z, window) == Z_OK);
	CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
	*back_size += z.total_out;
	CHECK(inflateEnd(&z) == Z_OK);
	return z.total_in;
}

/* Skip a field's tag and length. */
static size_t skip_head(const char *at, size_t size)
{
	size_t used = 0;

	for (int numbers = 0; numbers < 2; numbers++)
		do
			CHECK(used < size);
		while (at[used++] & 0x80);
	return used;
}

static size_t unpack(int form, size_t size)
{
	size_t back_size = 0, used = 0;

	if (form != 2)
		CHECK(inflate_at(packed, size, form == 1 ? 15 + 16 : 15, &back_size) == size);
	while (form == 2 && used < size) {
		used += skip_head(packed + used, size - used);
		used += skip_head(packed + used, size - used);
		used += inflate_at(packed + used, size - used, 15, &back_size);
	}
	return back_size;
}

/* Begin a file in memory that is compressed. */
static struct mp_out *begin(int form, int *fd)
{
	struct mp_out *out;
	struct mp_error err;

	*fd = memory_file("", 0);
	CHECK(mp_out_fd(&out, *fd, "memory", &err) == 0);
	CHECK((form == 1 ? mp_gzip_out(out, 1, &err) : mp_trace_pack(out, 1, &err)) == 0);
	return out;
}

/* End the file, and read it. */
static size_t end(struct mp_out *out, int fd)
{
	struct mp_error err;
	off_t size;

	CHECK(mp_out_commit(out, &err) == 0);
	size = lseek(fd, 0, SEEK_END);
	CHECK(size >= 0 && (size_t)size <= sizeof(packed) && pread(fd, packed, (size_t)size, 0) == size);
	close(fd);
	return (size_t)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int form = size ? data[0] % 3 : 0;
	struct mp_deflate *d = mp_deflate_new();
	struct mp_out *out = NULL;
	size_t packed_size, written = 0;
	int fd = -1;

	CHECK(d);
	text_size = 0;
	if (form)
		out = begin(form, &fd);
	for (size_t at = 1; at + 3 <= size;) {
		const bool now = data[at] & WRITTEN_NOW;

		at += operate(data + at, size - at);
		if (out && now) {
			mp_out_write(out, text + written, text_size - written);
			written = text_size;
		}
	}
	if (out) {
		mp_out_write(out, text + written, text_size - written);
		packed_size = end(out, fd);
	} else {
		packed_size = mp_zlib_pack(d, text, text_size, packed);
		CHECK(packed_size <= mp_deflate_room(text_size) + MP_ZLIB_ROOM);
	}
	CHECK(unpack(form, packed_size) == text_size);
	CHECK(memcmp(back, text, text_size) == 0);
	mp_deflate_free(d);
	return 0;
}
