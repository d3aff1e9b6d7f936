/*
 * guard.c: speaks with the guard, a shell on the board that holds the lock of a collection and clears up behind it.
 *
 * The guard (guard.sh) ends by "end", by the end of its input, and by a signal from a resume. The input ends without
 * "end" when the connection breaks or this process dies. In every case the guard stops the program, unmounts and
 * restores acl.json, which it has put there itself.
 */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_LOCKED = 75, EXIT_RUNNING = 76, EXIT_UNWRITABLE = 73, EXIT_MOUNTED = 77 };

/* The usual place has one lock for the whole board: two programs on one device spoil each other's data. */
static void lock_path(const struct mp_collect *c, char path[MP_REMOTE_PATH + 16])
{
	char *slash;

	snprintf(path, MP_REMOTE_PATH, "%s", c->real);
	slash = strrchr(path, '/');
	if (!c->options->remote_dir && slash && slash != path)
		*slash = '\0';
	strcat(path, "/.msprof.lock");
}

static void write_script(const struct mp_collect *c, struct mp_script *script)
{
	char lock[MP_REMOTE_PATH + 16], number[24];

	lock_path(c, lock);
	snprintf(number, sizeof(number), "%lld", (long long)c->guard_id);
	mp_script_make(script, mp_sh_guard,
	    (const char *const[]){c->real, lock, c->remote.flock ? "flock" : "pid", c->guard_id > 1 ? number : "",
		c->acl_rel ? c->acl_rel : "", NULL});
}

static int explain(struct mp_collect *c, struct mp_error *err)
{
	const char *name = mp_board_name(c->board);
	int status = 0;

	if (mp_pipe_finish(&c->guard, &status, err))
		return -1;
	if (status == EXIT_LOCKED)
		return mp_fail_board(err, "another collect is running there; wait for its end, and try again", name);
	if (status == EXIT_RUNNING)
		return mp_fail_board(err,
		    "the program of an earlier collect is still running (its number is in '%s/%s')", name, c->real,
		    MP_COLLECT_PID);
	if (status == EXIT_UNWRITABLE)
		mp_fail_board(err, "cannot write to '%s'", name, c->real);
	else
		mp_fail_board(err, "cannot take the lock in '%s' (exit status %d)", name, c->real, status);
	return mp_pipe_blame(&c->guard, err);
}

/* Read a line of the guard. Returns 0, 1 when the guard has ended, -1 on error. */
static int read_line(struct mp_collect *c, char *line, size_t size, struct mp_error *err)
{
	for (size_t len = 0; len < size; len++) {
		ssize_t n = mp_pipe_read(&c->guard, line + len, 1, err);

		if (n <= 0)
			return n < 0 ? -1 : 1;
		if (line[len] == '\n') {
			line[len] = '\0';
			return 0;
		}
	}
	return mp_fail_board(err, "invalid answer of the guard process", mp_board_name(c->board));
}

/* Wait until the guard has the lock. */
static int wait_for_lock(struct mp_collect *c, struct mp_error *err)
{
	char line[64], mark[48];
	bool told = false;
	int status;

	while ((status = read_line(c, line, sizeof(line), err)) == 0) {
		if (strncmp(line, "held ", 5) == 0) {
			c->guard_id = strtoll(line + 5, NULL, 10);
			snprintf(mark, sizeof(mark), ".msprof.guard.%lld", (long long)c->guard_id);
			return mp_collect_remote_path(c, mark, c->guard_mark, err);
		}
		if (told)
			continue;
		told = true;
		mp_collect_say(c, MP_COLLECT_INFO,
		    "board '%s': another collect is running there, or the board is cleaning up: "
		    "waiting for up to 12 s",
		    mp_board_name(c->board));
	}
	return status < 0 ? -1 : explain(c, err);
}

int mp_collect_guard_start(struct mp_collect *c, struct mp_error *err)
{
	struct mp_script script;

	write_script(c, &script);
	snprintf(c->guard_what, sizeof(c->guard_what), "hear the guard of '%.400s'", c->real);
	if (mp_script_check(&script, err) || mp_pipe_open(&c->guard, c->board, script.text, c->guard_what, NULL, err))
		return -1;
	mp_pipe_budget(&c->guard, MP_BUDGET_GUARD);
	if (!wait_for_lock(c, err))
		return 0;
	mp_pipe_drop(&c->guard);
	return -1;
}

int mp_collect_guard_output(struct mp_collect *c, const char *path, struct mp_error *err)
{
	char line[64];
	int status;

	mp_pipe_budget(&c->guard, MP_BUDGET_GUARD);
	if (mp_pipe_write(&c->guard, "output ", 7, err) || mp_pipe_write(&c->guard, path, strlen(path), err) ||
	    mp_pipe_write(&c->guard, "\n", 1, err))
		return -1;
	status = read_line(c, line, sizeof(line), err);
	if (status > 0)
		mp_fail_board(err, "the guard process on the board has ended", mp_board_name(c->board));
	return status ? -1 : 0;
}

int mp_collect_guard_stop(struct mp_collect *c, struct mp_error *err)
{
	c->guard_stops++;
	mp_pipe_budget(&c->guard, MP_BUDGET_GUARD);
	return mp_pipe_write(&c->guard, "stop\n", 5, err);
}

int mp_collect_guard_settle(struct mp_collect *c, struct mp_error *err)
{
	char line[64];
	int status;

	if (mp_collect_guard_stop(c, err))
		return -1;
	while (c->guard_stops > 0) {
		status = read_line(c, line, sizeof(line), err);
		if (status < 0)
			return -1;
		if (status > 0)
			return mp_fail_board(err, "the guard process on the board has ended", mp_board_name(c->board));
		c->guard_stops--;
	}
	return 0;
}

int mp_collect_guard_end(struct mp_collect *c, struct mp_error *err)
{
	const char *name = mp_board_name(c->board);
	int status = 0;

	if (!c->guard.command)
		return 0;
	mp_pipe_budget(&c->guard, MP_BUDGET_GUARD);
	if (mp_pipe_write(&c->guard, "end\n", 4, err) || mp_pipe_finish(&c->guard, &status, err))
		return -1;
	if (status == 0)
		return 0;
	if (status == EXIT_MOUNTED)
		mp_fail_board(err, "cannot unmount '%s': unmount it there", name, c->mount.point);
	else
		mp_fail_board(err, "cannot clean up '%s' (exit status %d)", name, c->real, status);
	return mp_pipe_blame(&c->guard, err);
}

/* Each line with a "+" in front, then ".": a text that came in part has no such end. */
static int send_text(struct mp_pipe *guard, const char *text, struct mp_error *err)
{
	if (mp_pipe_write(guard, "acl\n", 4, err))
		return -1;
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (mp_pipe_write(guard, "+", 1, err) || mp_pipe_write(guard, text, len, err) ||
		    mp_pipe_write(guard, "\n", 1, err))
			return -1;
		text += len + (text[len] == '\n');
	}
	return mp_pipe_write(guard, ".\n", 2, err);
}

int mp_collect_acl_install(struct mp_collect *c, const char *text, struct mp_error *err)
{
	char line[64];
	int status;

	mp_pipe_budget(&c->guard, MP_BUDGET_GUARD);
	if (send_text(&c->guard, text, err))
		return -1;
	status = read_line(c, line, sizeof(line), err);
	if (status < 0)
		return -1;
	if (status == 0 && strcmp(line, "installed") == 0)
		return 0;
	mp_fail_board(err, "cannot write '%s/%s'", mp_board_name(c->board), c->real, c->acl_rel);
	return mp_pipe_blame(&c->guard, err);
}
