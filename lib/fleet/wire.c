/* wire.c: reads and writes frames. */
#include "fleet/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"

static int write_all(int fd, const char *bytes, size_t size, struct mp_error *err)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return mp_fail_errno(err, "cannot write to the other process");
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

int mp_wire_write(int fd, enum mp_wire_kind kind, const void *bytes, size_t size, struct mp_error *err)
{
	const struct mp_wire_head head = {(uint32_t)kind, (uint32_t)size};

	return write_all(fd, (const char *)&head, sizeof(head), err) || write_all(fd, bytes, size, err) ? -1 : 0;
}

int mp_wire_read(int fd, void *bytes, size_t size, struct mp_error *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, (char *)bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return mp_fail_errno(err, "cannot read from the other process");
		if (n == 0 && done)
			return mp_fail(err, "the other process ended in the middle of a message");
		if (n == 0)
			return 0;
		done += (size_t)n;
	}
	return 1;
}

int mp_wire_head(int fd, struct mp_wire_head *head, struct mp_error *err)
{
	int status = mp_wire_read(fd, head, sizeof(*head), err);

	if (status == 1 && head->size > MP_WIRE_SIZE_MAX)
		return mp_fail(err, "the other process sent a message of %u bytes", head->size);
	return status;
}

/* PostgreSQL's numbers are big-endian with their length before them, those of ClickHouse little-endian. */

const char *mp_fleet_type_next(struct mp_fleet_type *type, const char *list)
{
	static const char *const words[] = {
	    [MP_FLEET_INT] = "int", [MP_FLEET_REAL] = "real", [MP_FLEET_TEXT] = "text", [MP_FLEET_WORD] = "word"};
	size_t len = strcspn(list, " ");

	type->nullable = len && list[len - 1] == '?';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == len - type->nullable && strncmp(words[i], list, len - type->nullable) == 0) {
			type->kind = (enum mp_fleet_kind)i;
			return list + len + strspn(list + len, " ");
		}
	return NULL;
}

static char *put_big(char *dst, uint64_t value, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--)
		*dst++ = (char)(value >> (8 * i));
	return dst;
}

static char *put_little(char *dst, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		*dst++ = (char)(value >> (8 * i));
	return dst;
}

static char *put_number(char *dst, enum mp_fleet_engine engine, uint64_t value)
{
	if (engine == MP_FLEET_CLICKHOUSE)
		return put_little(dst, value, 8);
	return put_big(put_big(dst, 8, 4), value, 8);
}

char *mp_fleet_put_row(char *dst, enum mp_fleet_engine engine, int columns)
{
	if (engine == MP_FLEET_LAKE)
		*dst++ = '{';
	return engine == MP_FLEET_POSTGRESQL ? put_big(dst, (uint64_t)columns, 2) : dst;
}

char *mp_fleet_put_key(char *dst, enum mp_fleet_engine engine, const char *name)
{
	if (engine != MP_FLEET_LAKE)
		return dst;
	return dst +
	       snprintf(dst, MP_FLEET_KEY_MAX, "%s\"%.*s\":", dst[-1] == '{' ? "" : ",", MP_FLEET_KEY_MAX - 8, name);
}

char *mp_fleet_put_end(char *dst, enum mp_fleet_engine engine)
{
	if (engine == MP_FLEET_LAKE) {
		*dst++ = '}';
		*dst++ = '\n';
	}
	return dst;
}

char *mp_fleet_put_word(char *dst, enum mp_fleet_engine engine, uint32_t value)
{
	if (engine == MP_FLEET_LAKE)
		return dst + snprintf(dst, MP_NUMBER_SIZE, "%" PRIu32, value);
	if (engine == MP_FLEET_CLICKHOUSE)
		return put_little(dst, value, 4);
	return put_big(put_big(dst, 4, 4), value, 4);
}

/* Copy a code point of n bytes, escaped where it is not one, or where JSON wants it. Returns the bytes written. */
static size_t copy_code_point(char *dst, const char *text, size_t n, int32_t cp, bool json)
{
	if (cp <= 0)
		return (size_t)snprintf(dst, 6, json ? "\\\\x%02x" : "\\x%02x", (unsigned char)*text);
	if (json && cp < 0x20)
		return (size_t)snprintf(dst, 7, "\\u%04x", (unsigned)cp);
	if (json && (cp == '"' || cp == '\\'))
		*dst++ = '\\', *dst = (char)cp;
	else
		memcpy(dst, text, n);
	return json && (cp == '"' || cp == '\\') ? 2 : n;
}

/* Copy a text that is UTF-8 then, of at most MP_FLEET_TEXT_MAX bytes of the original. Returns the bytes written. */
static size_t copy_text(char *dst, const char *text, size_t len, bool json)
{
	size_t kept = len > MP_FLEET_TEXT_MAX ? MP_FLEET_TEXT_MAX : len, used = 0;
	int32_t cp;

	for (int i = 0; i < 3 && kept < len && ((unsigned char)text[kept] & 0xc0) == 0x80; i++)
		kept--; /* whole code points */
	if (!json && mp_utf8_valid(text, kept) && !memchr(text, '\0', kept)) {
		memcpy(dst, text, kept);
		used = kept;
	} else {
		for (size_t i = 0; i < kept;) {
			size_t n = mp_utf8_next(text + i, kept - i, &cp);

			used += copy_code_point(dst + used, text + i, n, cp, json);
			i += n;
		}
	}
	if (kept < len)
		used += (size_t)snprintf(dst + used, 48, " [cut, %zu bytes]", len);
	return used;
}

static char *put_string(char *dst, const char *text, size_t len)
{
	size_t used = copy_text(dst + 1, text, len, true);

	dst[0] = dst[used + 1] = '"';
	return dst + used + 2;
}

static char *put_text(char *dst, enum mp_fleet_engine engine, const char *text, size_t len)
{
	/* its length takes four bytes, or up to four of seven bits: moved behind when known */
	char *body = dst + 4;
	size_t used = copy_text(body, text, len, false), size = used;
	char *at = dst;

	if (engine == MP_FLEET_POSTGRESQL) {
		put_big(dst, used, 4);
		return body + used;
	}
	for (; size >= 0x80; size >>= 7)
		*at++ = (char)(size | 0x80);
	*at++ = (char)size;
	memmove(at, body, used);
	return at + used;
}

/* A value of JSON, which has no numbers that are not finite. */
static char *put_json(char *dst, struct mp_fleet_type type, const struct mp_value *value)
{
	double number = value->type == MP_INT ? (double)value->i : value->d;

	if (value->type == MP_NULL && type.nullable)
		return memcpy(dst, "null", 4), dst + 4;
	switch (type.kind) {
	case MP_FLEET_INT:
		return value->type == MP_INT ? dst + mp_number_int(dst, value->i) : NULL;
	case MP_FLEET_REAL:
		if ((value->type != MP_INT && value->type != MP_REAL) || !isfinite(number))
			return NULL;
		return dst + mp_number_real(dst, number);
	default:
		return value->type == MP_TEXT ? put_string(dst, value->text, value->len) : NULL;
	}
}

char *mp_fleet_put(char *dst, enum mp_fleet_engine engine, struct mp_fleet_type type, const struct mp_value *value)
{
	double number = value->type == MP_INT ? (double)value->i : value->d;
	uint64_t bits;

	if (engine == MP_FLEET_LAKE)
		return put_json(dst, type, value);
	if (value->type == MP_NULL) {
		if (!type.nullable)
			return NULL;
		return engine == MP_FLEET_CLICKHOUSE ? put_little(dst, 1, 1) : put_big(dst, UINT32_MAX, 4);
	}
	if (type.nullable && engine == MP_FLEET_CLICKHOUSE)
		*dst++ = 0;
	switch (type.kind) {
	case MP_FLEET_INT:
		return value->type == MP_INT ? put_number(dst, engine, (uint64_t)value->i) : NULL;
	case MP_FLEET_REAL:
		if (value->type != MP_INT && value->type != MP_REAL)
			return NULL;
		memcpy(&bits, &number, sizeof(bits));
		return put_number(dst, engine, bits);
	default:
		return value->type == MP_TEXT ? put_text(dst, engine, value->text, value->len) : NULL;
	}
}
