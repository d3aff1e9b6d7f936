/* without_ssh.c: stands for the files of the SSH kind in a build for boards (WITH_SSH=0): this machine is the only
 * board. */
#include "board/connection/connection_internal.h"

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
