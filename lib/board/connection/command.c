/*
 * command.c: the commands of a board of any kind.
 * Only the kinds know SSH and processes.
 */
#include "board/connection/connection_internal.h"

#include <stdlib.h>

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
