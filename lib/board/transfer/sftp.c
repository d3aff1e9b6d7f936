/*
 * sftp.c: makes, sends and receives the packets of the sftp protocol, and assigns answers to requests.
 * The code here knows no files. It checks every received length.
 */
#include "board/transfer/sftp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "board/connection/pipe.h"

/*
 * Out: the largest request (a piece of a file, or three paths) for each slot, twice, so that unsent bytes seldom move
 * to the front. In: the largest packet of common servers.
 */
enum {
	REQUEST_MAX = MP_SFTP_CHUNK + 8192,
	OUT_SIZE = 2 * MP_SFTP_IN_FLIGHT * REQUEST_MAX,
	IN_SIZE = 256 * 1024 + 64,
	PROTOCOL = 3
};

static void put(struct mp_sftp *sftp, const void *bytes, size_t size)
{
	memcpy(sftp->out + sftp->out_len, bytes, size);
	sftp->out_len += size;
}

static void encode(unsigned char bytes[4], uint32_t value)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(value >> (24 - 8 * i));
}

void mp_sftp_put_u32(struct mp_sftp *sftp, uint32_t value)
{
	unsigned char bytes[4];

	encode(bytes, value);
	put(sftp, bytes, 4);
}

void mp_sftp_put_u64(struct mp_sftp *sftp, uint64_t value)
{
	mp_sftp_put_u32(sftp, (uint32_t)(value >> 32));
	mp_sftp_put_u32(sftp, (uint32_t)value);
}

void mp_sftp_put_bytes(struct mp_sftp *sftp, const void *bytes, size_t size)
{
	mp_sftp_put_u32(sftp, (uint32_t)size);
	put(sftp, bytes, size);
}

void mp_sftp_put_path(struct mp_sftp *sftp, const char *dir, const char *path)
{
	size_t dir_len = strnlen(dir, MP_REMOTE_PATH), len = strnlen(path, MP_REMOTE_PATH);

	mp_sftp_put_u32(sftp, (uint32_t)(dir_len + (len ? len + 1 : 0)));
	put(sftp, dir, dir_len);
	if (len) {
		put(sftp, "/", 1);
		put(sftp, path, len);
	}
}

static void begin_packet(struct mp_sftp *sftp, enum mp_sftp_type type)
{
	unsigned char code = (unsigned char)type;

	if (sftp->out_at == sftp->out_len)
		sftp->out_at = sftp->out_len = 0;
	if (sftp->out_len > OUT_SIZE - REQUEST_MAX) {
		memmove(sftp->out, sftp->out + sftp->out_at, sftp->out_len - sftp->out_at);
		sftp->out_len -= sftp->out_at;
		sftp->out_at = 0;
	}
	sftp->packet = sftp->out_len;
	mp_sftp_put_u32(sftp, 0);
	put(sftp, &code, 1);
}

void mp_sftp_end_packet(struct mp_sftp *sftp)
{
	encode((unsigned char *)sftp->out + sftp->packet, (uint32_t)(sftp->out_len - sftp->packet - 4));
}

/* The handler of answers that do not matter. */
static int ignore_answer(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	(void)answer;
	(void)err;
	mp_sftp_release(sftp, request);
	return 0;
}

struct mp_sftp_request *mp_sftp_begin(struct mp_sftp *sftp, enum mp_sftp_type type)
{
	if (sftp->in_flight == MP_SFTP_IN_FLIGHT)
		return NULL;
	for (size_t i = 0; i < MP_SFTP_IN_FLIGHT; i++) {
		struct mp_sftp_request *request = &sftp->requests[i];

		if (request->used)
			continue;
		sftp->next_id += MP_SFTP_IN_FLIGHT;
		*request = (struct mp_sftp_request){
		    .used = true, .id = sftp->next_id + (uint32_t)i, .answered = ignore_answer};
		sftp->in_flight++;
		begin_packet(sftp, type);
		mp_sftp_put_u32(sftp, request->id);
		return request;
	}
	return NULL;
}

void mp_sftp_release(struct mp_sftp *sftp, struct mp_sftp_request *request)
{
	free(request->held);
	*request = (struct mp_sftp_request){0};
	sftp->in_flight--;
}

uint32_t mp_sftp_get_u32(struct mp_sftp_cursor *c)
{
	uint32_t value = 0;

	if (c->end - c->at < 4) {
		c->bad = true;
		return 0;
	}
	for (int i = 0; i < 4; i++)
		value = value << 8 | *c->at++;
	return value;
}

uint64_t mp_sftp_get_u64(struct mp_sftp_cursor *c)
{
	uint64_t high = mp_sftp_get_u32(c);

	return high << 32 | mp_sftp_get_u32(c);
}

const char *mp_sftp_get_bytes(struct mp_sftp_cursor *c, size_t *size)
{
	const unsigned char *bytes;

	*size = mp_sftp_get_u32(c);
	if (c->bad || (size_t)(c->end - c->at) < *size) {
		c->bad = true;
		*size = 0;
		return "";
	}
	bytes = c->at;
	c->at += *size;
	return (const char *)bytes;
}

static int fail_protocol(const struct mp_sftp *sftp, const char *reason, struct mp_error *err)
{
	return mp_fail_board(err, "the sftp server sends %s", mp_board_name(sftp->pipe.board), reason);
}

static int take_answer(struct mp_sftp *sftp, struct mp_sftp_cursor *c, uint8_t type, struct mp_error *err)
{
	struct mp_sftp_answer answer = {.type = type};
	struct mp_sftp_request *request;
	uint32_t id;

	if (!sftp->greeted) {
		if (type != MP_SFTP_VERSION || mp_sftp_get_u32(c) < PROTOCOL || c->bad)
			return fail_protocol(sftp, "an unsupported version", err);
		sftp->greeted = true;
		return 0;
	}
	id = mp_sftp_get_u32(c);
	request = &sftp->requests[id % MP_SFTP_IN_FLIGHT];
	if (c->bad || !request->used || request->id != id || request->held)
		return fail_protocol(sftp, "an answer without a request", err);
	if (type == MP_SFTP_STATUS) {
		answer.status = mp_sftp_get_u32(c);
		if (!c->bad && c->at < c->end) /* old servers send no message */
			answer.bytes = mp_sftp_get_bytes(c, &answer.size);
	} else if (type == MP_SFTP_HANDLE || type == MP_SFTP_DATA) {
		answer.bytes = mp_sftp_get_bytes(c, &answer.size);
	} else {
		answer.bytes = (const char *)c->at;
		answer.size = (size_t)(c->end - c->at);
	}
	if (c->bad || (type == MP_SFTP_HANDLE && (answer.size == 0 || answer.size > MP_SFTP_HANDLE_SIZE)))
		return fail_protocol(sftp, "a damaged packet", err);
	return request->answered(sftp, request, &answer, err);
}

static int take_packets(struct mp_sftp *sftp, struct mp_error *err)
{
	size_t at = 0;
	int status = 0;

	while (!status && sftp->in_len - at >= 4) {
		const unsigned char *bytes = (const unsigned char *)sftp->in + at;
		struct mp_sftp_cursor c = {.at = bytes, .end = bytes + 4};
		uint32_t len = mp_sftp_get_u32(&c);

		if (len < 5 || len > IN_SIZE - 4)
			return fail_protocol(sftp, "a packet of an invalid size", err);
		if (sftp->in_len - at - 4 < len)
			break;
		c.at = bytes + 5;
		c.end = bytes + 4 + len;
		status = take_answer(sftp, &c, bytes[4], err);
		at += 4 + len;
	}
	sftp->in_len -= at;
	memmove(sftp->in, sftp->in + at, sftp->in_len);
	return status;
}

int mp_sftp_turn(struct mp_sftp *sftp, struct mp_error *err)
{
	bool moved = false;
	ssize_t n = 1;

	while (sftp->out_at < sftp->out_len && n > 0) {
		n = mp_pipe_send(&sftp->pipe, sftp->out + sftp->out_at, sftp->out_len - sftp->out_at, err);
		if (n < 0)
			return mp_pipe_blame(&sftp->pipe, err);
		sftp->out_at += (size_t)n;
		moved = moved || n > 0;
	}
	n = mp_pipe_peek(&sftp->pipe, MP_STDOUT, sftp->in + sftp->in_len, IN_SIZE - sftp->in_len, err);
	if (n == -1)
		return -1;
	if (n == -2)
		return fail_protocol(sftp, "no more data: it ended", err);
	if (n > 0) {
		sftp->in_len += (size_t)n;
		return take_packets(sftp, err);
	}
	if (moved)
		return 0;
	return mp_pipe_wait(&sftp->pipe, sftp->out_at < sftp->out_len, err);
}

int mp_sftp_drain(struct mp_sftp *sftp, struct mp_error *err)
{
	while (sftp->in_flight)
		if (mp_sftp_turn(sftp, err))
			return -1;
	return 0;
}

int mp_sftp_blame(const struct mp_sftp_answer *answer, const char *verb, const char *path, struct mp_error *err)
{
	char reason[200] = "an answer of the wrong kind";

	if (answer->type == MP_SFTP_STATUS)
		snprintf(reason, sizeof(reason), "status %u", (unsigned)answer->status);
	if (answer->type == MP_SFTP_STATUS && answer->size)
		mp_sanitise(reason, sizeof(reason), answer->bytes, answer->size);
	return mp_fail(err, "cannot %s '%.400s' on the board: %s", verb, path, reason);
}

void mp_sftp_close_handle(struct mp_sftp *sftp, const char *handle, size_t len)
{
	if (!mp_sftp_begin(sftp, MP_SFTP_CLOSE))
		return;
	mp_sftp_put_bytes(sftp, handle, len);
	mp_sftp_end_packet(sftp);
}

/* Start the program of the server if it was found, otherwise the subsystem. */
static int open_pipe(struct mp_sftp *sftp, struct mp_board *board, const struct mp_remote *remote,
    struct mp_progress *progress, struct mp_error *err)
{
	static const char what[] = "talk to its sftp server";
	struct mp_script script;

	if (!remote->sftp_server[0])
		return mp_pipe_open_subsystem(&sftp->pipe, board, "sftp", what, progress, err);
	mp_script_start(&script);
	mp_script_code(&script, "umask 027; exec ");
	mp_script_word(&script, remote->sftp_server);
	if (mp_script_check(&script, err))
		return -1;
	return mp_pipe_open(&sftp->pipe, board, script.text, what, progress, err);
}

int mp_sftp_open(struct mp_sftp **sftp, struct mp_board *board, const struct mp_remote *remote,
    struct mp_progress *progress, struct mp_error *err)
{
	struct mp_sftp *s = calloc(1, sizeof(*s));

	*sftp = NULL;
	if (!s)
		return mp_fail_memory(err, "an sftp connection");
	s->out = malloc(OUT_SIZE);
	s->in = malloc(IN_SIZE);
	if (!s->out || !s->in) {
		mp_fail_memory(err, "an sftp connection");
		goto fail;
	}
	if (open_pipe(s, board, remote, progress, err))
		goto fail;
	mp_pipe_budget(&s->pipe, MP_BUDGET_TRANSFER);
	begin_packet(s, MP_SFTP_INIT);
	mp_sftp_put_u32(s, PROTOCOL);
	mp_sftp_end_packet(s);
	while (!s->greeted)
		if (mp_sftp_turn(s, err))
			goto fail;
	*sftp = s;
	return 0;
fail:
	mp_sftp_close(s);
	return -1;
}

void mp_sftp_close(struct mp_sftp *sftp)
{
	if (!sftp)
		return;
	for (size_t i = 0; i < MP_SFTP_IN_FLIGHT; i++)
		free(sftp->requests[i].held);
	mp_pipe_close(&sftp->pipe);
	free(sftp->out);
	free(sftp->in);
	free(sftp);
}
