/* board.c: the clock, the name and the state of a board of any kind, and this machine as a board. */
#include "board/connection/connection_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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
