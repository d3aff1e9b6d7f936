/*
 * board.c: the clock, the name and the state of a board of any kind, its commands, and this machine as a board. Only
 * the kinds know SSH and processes.
 */
#include "board/connection/connection_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "board/connection/board.h"

int mp_secret_room(struct mp_secret *s, size_t size, struct mp_error *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t whole = (size + page - 1) / page * page;
	void *map;

	mp_secret_wipe(s);
	if (size == 0 || whole < size)
		return mp_fail(err, "a secret of %zu bytes is too large", size);
	map = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return mp_fail_memory(err, "a secret");
	/* No error matters here: a limit of locked memory must not prevent a login. */
	(void)mlock(map, whole);
#ifdef MADV_DONTDUMP
	(void)madvise(map, whole, MADV_DONTDUMP);
#endif
#ifdef MADV_DONTFORK
	(void)madvise(map, whole, MADV_DONTFORK);
#endif
	s->text = map;
	s->size = whole;
	return 0;
}

int mp_secret_set(struct mp_secret *s, const char *text, size_t len, struct mp_error *err)
{
	if (mp_secret_room(s, len + 1, err))
		return -1;
	memcpy(s->text, text, len);
	s->text[len] = '\0';
	return 0;
}

void mp_secret_wipe(struct mp_secret *s)
{
	if (s->text) {
		explicit_bzero(s->text, s->size);
		(void)munmap(s->text, s->size); /* also unlocks */
	}
	s->text = NULL;
	s->size = 0;
}

int64_t mp_board_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool mp_board_is_local(const struct mp_board *board)
{
	return board->kind->local;
}

const char *mp_board_name(const struct mp_board *board)
{
	return board->name;
}

bool mp_board_is_broken(const struct mp_board *board)
{
	return board->broken;
}

void mp_board_attend(struct mp_board *board, enum mp_board_wish (*wish)(void *user), void *user, int patience_percent)
{
	board->wish = wish;
	board->wish_user = user;
	board->patience_percent = patience_percent;
}

enum mp_board_wish mp_board_wish(const struct mp_board *board)
{
	return board->wish ? board->wish(board->wish_user) : MP_BOARD_GO_ON;
}

int mp_board_patience(const struct mp_board *board)
{
	return board->patience_percent ? board->patience_percent : 100;
}

bool mp_board_interrupted(const struct mp_board_ask *ask)
{
	return ask->interrupted && ask->interrupted(ask->user);
}

int mp_board_lost(struct mp_board *board, const char *reason, struct mp_error *err)
{
	if (!board->broken)
		snprintf(board->why_broken, sizeof(board->why_broken), "%s", reason);
	board->broken = true;
	return mp_fail_board(err, "the connection broke: %s", board->name, board->why_broken);
}

int mp_board_local(struct mp_board **board, void (*in_child)(void), struct mp_error *err)
{
	struct mp_board *b = calloc(1, sizeof(*b));

	*board = NULL;
	if (!b)
		return mp_fail_memory(err, "a board");
	b->kind = &mp_command_local;
	b->in_child = in_child;
	snprintf(b->name, sizeof(b->name), "this machine");
	*board = b;
	return 0;
}

void mp_board_close(struct mp_board *board)
{
	if (!board)
		return;
	for (struct mp_command *c = board->commands; c; c = c->next) {
		c->kind->close(c);
		c->board = NULL;
	}
	if (board->kind->hang_up)
		board->kind->hang_up(board);
	free(board);
}

int mp_board_own_address(const struct mp_board *board, char *text, size_t size, struct mp_error *err)
{
	text[0] = '\0';
	return board->kind->own_address ? board->kind->own_address(board, text, size, err) : 0;
}

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
    struct mp_command *command, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err)
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

#ifdef MSPROF_WITHOUT_SSH
/* A build for boards: this machine is the only board. */
int mp_board_connect(struct mp_board **board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err)
{
	(void)ask;
	*board = NULL;
	*failure = MP_BOARD_UNREACHABLE;
	return mp_fail_board(
	    err, "this msprof was built without SSH (WITH_SSH=0): it collects with --local", config->ip);
}

bool mp_board_may_overlap(const struct mp_board *board)
{
	(void)board;
	return true;
}
#endif
