/* bundles.c: a bundle is a packet with whole packets in it, compressed by zlib's format. */
#include "trace/trace.h"

#include "base/packer.h"
#include "trace/proto.h"

enum { TRACE_PACKET = 1, PACKET_COMPRESSED_PACKETS = 50 };

/* The size of the packets that are whole. */
static size_t cut(const char *bytes, size_t size)
{
	size_t whole = 0;

	for (;;) {
		size_t at = whole + 1, packet = 0; /* behind the tag */
		unsigned shift = 0;

		while (at < size && (bytes[at] & 0x80) && shift < 64) {
			packet |= (size_t)(bytes[at++] & 0x7f) << shift;
			shift += 7;
		}
		if (at >= size || shift >= 64)
			return whole;
		packet |= (size_t)bytes[at++] << shift;
		if (packet > size - at)
			return whole;
		whole = at + packet;
	}
}

static void pack(struct mp_deflate *d, struct mp_packer_piece *p)
{
	const size_t size = mp_zlib_pack(d, p->bytes, p->size, p->packed);
	char head[2 * (MP_PROTO_TAG_MAX + MP_PROTO_VARINT_MAX)], *at = head;
	const size_t inner = (size_t)(mp_proto_put_length(head, PACKET_COMPRESSED_PACKETS, size) - head);

	at = mp_proto_put_length(at, TRACE_PACKET, inner + size);
	at = mp_proto_put_length(at, PACKET_COMPRESSED_PACKETS, size);
	p->packed -= at - head;
	memcpy(p->packed, head, (size_t)(at - head));
	p->packed_size = (size_t)(at - head) + size;
}

int mp_trace_pack(struct mp_out *out, int threads, struct mp_error *err)
{
	static const struct mp_packer_form form = {.cut = cut, .pack = pack};

	return mp_packer_out(out, &form, threads, err);
}
