/*
 * remote.c: asks a board for its programs, makes directories there and asks for their free space.
 * No answer of the board is trusted.
 */
#include "board/transfer/remote.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/connection/pipe.h"
#include "board/transfer/sftp.h"

static void take_word(struct mp_remote *remote, const char *word)
{
	const struct {
		const char *name;
		bool *flag;
	} words[] = {{"tar", &remote->tar}, {"tail", &remote->tail}, {"sha256sum", &remote->sha256sum},
	    {"flock", &remote->flock}, {"setsid", &remote->setsid}, {"list", &remote->list},
	    {"find_plus", &remote->find_plus}, {"xargs_null", &remote->xargs_null}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i].name) == 0)
			*words[i].flag = true;
}

/* The last line ends in "//", which no other has. Without it the answer was cut: what it does not say is unknown. */
static bool take_answer(struct mp_remote *remote, char *answer)
{
	while (*answer) {
		char *end = strchr(answer, '\n');
		size_t len = strlen(answer);

		if (strncmp(answer, "home ", 5) == 0) {
			if (len < 8 || strcmp(answer + len - 3, "//\n") != 0 || len - 8 >= sizeof(remote->home))
				return false;
			answer[len - 3] = '\0';
			strcpy(remote->home, answer + 5);
			return true;
		}
		if (!end)
			return false;
		*end = '\0';
		if (strncmp(answer, "have ", 5) == 0)
			take_word(remote, answer + 5);
		else if (strncmp(answer, "sftp ", 5) == 0)
			snprintf(remote->sftp_server, sizeof(remote->sftp_server), "%s", answer + 5);
		answer = end + 1;
	}
	return false;
}

int mp_remote_probe(struct mp_remote *remote, struct mp_board *board, struct mp_error *err)
{
	char answer[MP_REMOTE_PATH + 1024];
	struct mp_error why;
	struct mp_sftp *sftp = NULL;
	int status;

	*remote = (struct mp_remote){0};
	if (mp_board_run(board, mp_sh_probe, "find out what it can do", answer, sizeof(answer), &status, err))
		return -1;
	if (status || !take_answer(remote, answer))
		return mp_fail_board(err, "cannot find out what it can do (exit status %d)%s", mp_board_name(board),
		    status, status ? "" : ": its answer is not whole");
	remote->sftp = remote->sftp_server[0] != '\0';
	/* A server within sshd has no program. The question costs a channel, so it is only asked when sftp is needed.
	 */
	if (!remote->sftp && !(remote->tar && remote->list) && !mp_sftp_open(&sftp, board, remote, NULL, &why)) {
		remote->sftp = true;
		mp_sftp_close(sftp);
	}
	if (!remote->tar && !remote->sftp)
		return mp_fail_board(err, "has neither tar nor an sftp server", mp_board_name(board));
	if (!remote->list && !remote->sftp)
		return mp_fail_board(err, "has neither find and stat nor an sftp server", mp_board_name(board));
	return 0;
}

int mp_remote_dir_make(struct mp_board *board, const char *dir, char *real, struct mp_error *err)
{
	struct mp_script script;
	struct mp_pipe pipe;
	char what[512];
	size_t len = 0;
	ssize_t n;
	int status = -1;

	snprintf(what, sizeof(what), "make the directory '%.400s'", dir);
	mp_script_start(&script);
	mp_script_directory_argument(&script, dir);
	mp_script_body(&script, mp_sh_make_dir);
	if (mp_script_check(&script, err) || mp_pipe_open(&pipe, board, script.text, what, NULL, err))
		return -1;
	while (len < MP_REMOTE_PATH && (n = mp_pipe_read(&pipe, real + len, MP_REMOTE_PATH - len, err)) != 0) {
		if (n < 0)
			goto out;
		len += (size_t)n;
	}
	if (mp_pipe_succeed(&pipe, err))
		goto out;
	if (len < 2 || len >= MP_REMOTE_PATH || real[0] != '/' || real[len - 1] != '\n' || memchr(real, '\0', len)) {
		mp_fail_board(err, "invalid path for '%s'", mp_board_name(board), dir);
		goto out;
	}
	real[len - 1] = '\0'; /* the line end of pwd */
	status = 0;
out:
	mp_pipe_close(&pipe);
	return status;
}

/* "FILESYSTEM 1024-blocks USED AVAILABLE CAPACITY% MOUNT": names may contain blanks, so the '%' is the anchor. */
int64_t mp_remote_space_parse(char *line)
{
	char *percent = strchr(line, '%'), *number;
	long long kilobytes;

	if (!percent)
		return -1;
	while (percent > line && !isspace((unsigned char)percent[-1]))
		percent--;
	while (percent > line && isspace((unsigned char)percent[-1]))
		*--percent = '\0';
	for (number = percent; number > line && isdigit((unsigned char)number[-1]);)
		number--;
	errno = 0;
	kilobytes = strtoll(number, NULL, 10);
	if (number == percent || errno || kilobytes > INT64_MAX / 1024)
		return -1;
	return kilobytes * 1024;
}

int mp_remote_space(struct mp_board *board, const char *dir, int64_t *bytes, struct mp_error *err)
{
	struct mp_script script;
	char answer[2 * MP_REMOTE_PATH], what[512], *line;
	int status;

	*bytes = -1;
	snprintf(what, sizeof(what), "find out the free space of '%.400s'", dir);
	mp_script_start(&script);
	mp_script_enter(&script, dir);
	mp_script_code(&script, "df -Pk . 2>/dev/null");
	if (mp_script_check(&script, err) ||
	    mp_board_run(board, script.text, what, answer, sizeof(answer), &status, err))
		return -1;
	if (status == 0 && (line = strchr(answer, '\n')) != NULL)
		*bytes = mp_remote_space_parse(line);
	return 0;
}

int mp_remote_remove(struct mp_board *board, const struct mp_remote *remote, const char *dir, const char *names,
    size_t size, struct mp_error *err)
{
	struct mp_script script;
	struct mp_pipe pipe;
	char what[512];
	int status;

	snprintf(what, sizeof(what), "remove fetched files from '%.400s'", dir);
	if (!remote->xargs_null)
		return mp_fail_board(err, "has no xargs -0 to remove files with", mp_board_name(board));
	mp_script_start(&script);
	mp_script_enter(&script, dir);
	mp_script_code(&script, "exec xargs -0 rm -f --");
	if (mp_script_check(&script, err) || mp_pipe_open(&pipe, board, script.text, what, NULL, err))
		return -1;
	mp_pipe_feed(&pipe, names, size);
	status = mp_pipe_succeed(&pipe, err);
	mp_pipe_close(&pipe);
	return status;
}
