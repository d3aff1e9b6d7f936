/* board.c: the clock, the name of a board, and the state of its connection, for all files of this folder. */
#include "board/connection/connection_internal.h"

#include <stdio.h>
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

int mp_board_lost(struct mp_board *board, const char *reason, struct mp_error *err)
{
	if (!board->broken)
		snprintf(board->why_broken, sizeof(board->why_broken), "%s", reason);
	board->broken = true;
	return mp_fail(err, "board '%s': the connection broke: %s", board->name, board->why_broken);
}
