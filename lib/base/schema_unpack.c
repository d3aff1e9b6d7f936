/* schema_unpack.c: unpacks the texts of a static program with zlib. */

#define ZLIB_CONST /* zlib takes const bytes */
#include <zlib.h>

#include "base/schema.h"

enum { GZIP = 15 + 16 }; /* the largest window, and gzip's header and trailer */

int mp_schema_unpack(struct mp_error *err)
{
	const struct mp_schema_pack *pack = &mp_schema_pack;
	z_stream stream = {.next_in = pack->packed,
	    .avail_in = (uInt)pack->packed_size,
	    .next_out = (Bytef *)pack->texts,
	    .avail_out = (uInt)pack->size};
	int status;

	if (!pack->packed_size)
		return 0;
	if (inflateInit2(&stream, GZIP) != Z_OK)
		return mp_fail_memory(err, "the schema");
	status = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return status == Z_STREAM_END && !stream.avail_out ? 0 : mp_fail(err, "the schema of this program is damaged");
}
