/*
 * command.c: the commands of a board of any kind, and short scripts that run to their end.
 * Only the kinds know SSH and processes.
 */
#include "board/connection/connection_internal.h"

#include <stdlib.h>
#include <string.h>

enum { DRAIN_SIZE = 4096, WAIT_MS = 1000 };

static int start(struct mp_command **command, struct mp_board *board,
    int (*how)(struct mp_command *command, const char *text, struct mp_error *err), const char *text,
    struct mp_error *err)
{
	struct mp_command *c = calloc(1, board->kind->size);

	*command = NULL;
	if (!c)
		return mp_fail_memory(err, "a command");
	c->board = board;
	c->kind = board->kind;
	c->next = board->commands;
	board->commands = c;
	if (how(c, text, err)) {
		mp_command_close(c);
		return -1;
	}
	*command = c;
	return 0;
}

int mp_command_start(struct mp_command **command, struct mp_board *board, const char *script, struct mp_error *err)
{
	return start(command, board, board->kind->start, script, err);
}

int mp_command_start_subsystem(
    struct mp_command **command, struct mp_board *board, const char *name, struct mp_error *err)
{
	return start(command, board, board->kind->start_subsystem, name, err);
}

static int closed(struct mp_error *err)
{
	return mp_fail(err, "the board of this command is closed");
}

ssize_t mp_command_write(struct mp_command *command, const void *bytes, size_t size, struct mp_error *err)
{
	return command->board ? command->kind->write(command, bytes, size, err) : closed(err);
}

int mp_command_end_input(struct mp_command *command, struct mp_error *err)
{
	return command->board ? command->kind->end_input(command, err) : closed(err);
}

ssize_t mp_command_read(
    struct mp_command *command, enum mp_stream stream, void *bytes, size_t size, struct mp_error *err)
{
	return command->board ? command->kind->read(command, stream, bytes, size, err) : closed(err);
}

int mp_command_wait(struct mp_command *command, bool want_write, int timeout_ms, struct mp_error *err)
{
	return command->board ? command->kind->wait(command, want_write, timeout_ms, err) : closed(err);
}

int mp_command_finish(struct mp_command *command, int *status, struct mp_error *err)
{
	return command->board ? command->kind->finish(command, status, err) : closed(err);
}

void mp_command_close(struct mp_command *command)
{
	if (!command)
		return;
	if (command->board) {
		struct mp_command **link = &command->board->commands;

		while (*link != command)
			link = &(*link)->next;
		*link = command->next;
		command->kind->close(command);
	}
	free(command);
}

/* Read one stream into text[size] and drop the rest. Returns 1 when more may come, 0 at the end, -1 on error. */
static int drain(
    struct mp_command *command, enum mp_stream stream, char *text, size_t size, size_t *len, struct mp_error *err)
{
	char bytes[DRAIN_SIZE];
	ssize_t n;

	while ((n = mp_command_read(command, stream, bytes, sizeof(bytes), err)) > 0) {
		size_t room = size - *len;
		size_t take = (size_t)n < room ? (size_t)n : room;

		if (take)
			memcpy(text + *len, bytes, take);
		*len += take;
	}
	return n == 0 ? 1 : n == -2 ? 0 : -1;
}

static int run_to_end(
    struct mp_command *command, char *out, size_t size, size_t *len, int timeout_ms, int *status, struct mp_error *err)
{
	int64_t deadline = mp_board_now_ms() + timeout_ms;
	size_t none = 0;

	if (mp_command_end_input(command, err))
		return -1;
	for (;;) {
		int64_t left = deadline - mp_board_now_ms();
		int a = drain(command, MP_STDOUT, out, size, len, err);
		int b = a < 0 ? -1 : drain(command, MP_STDERR, NULL, 0, &none, err);
		int over = b < 0 ? -1 : mp_command_finish(command, status, err);

		if (over)
			return over < 0 ? -1 : 0;
		if (left <= 0)
			return mp_fail(
			    err, "board '%s': a script took longer than %d ms", command->board->name, timeout_ms);
		if (mp_command_wait(command, false, left < WAIT_MS ? (int)left : WAIT_MS, err))
			return -1;
	}
}

int mp_board_run(struct mp_board *board, const char *script, char *out, size_t size, int timeout_ms, int *status,
    struct mp_error *err)
{
	struct mp_command *command;
	size_t len = 0;
	int result;

	out[0] = '\0';
	if (mp_command_start(&command, board, script, err))
		return -1;
	result = run_to_end(command, out, size - 1, &len, timeout_ms, status, err);
	out[len] = '\0';
	mp_command_close(command);
	return result;
}
