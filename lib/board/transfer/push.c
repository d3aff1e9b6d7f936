/* push.c: finds the files of a project that a board lacks and sends them, as one tar stream or by sftp. */
#include "board/transfer/transfer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/connection/pipe.h"
#include "board/transfer/archive.h"
#include "board/transfer/sftp.h"
#include "board/transfer/tree.h"

enum { BLOCK_BYTES = 4096, EXIT_MISSING = 100 };

struct push {
	struct mp_board *board;
	const struct mp_remote *remote;
	int projectfd;
	const char *dir;
	const struct mp_push_options *options;
	struct mp_push_result *result;
	struct mp_tree here, there;
	bool *send; /* one for each entry of here */
	struct mp_progress progress;
	struct mp_pipe pipe;
	char what[512];
};

/* p: keep the modes; o: the files belong to the user who logs in. */
static int open_tar(struct push *p, struct mp_error *err)
{
	struct mp_script script;

	mp_script_start(&script);
	mp_script_code(&script, "umask 027; ");
	mp_script_enter(&script, p->dir);
	mp_script_code(&script, "exec tar xpof -");
	if (mp_script_check(&script, err))
		return -1;
	snprintf(p->what, sizeof(p->what), "unpack the project into '%.400s'", p->dir);
	if (mp_pipe_open(&p->pipe, p->board, script.text, p->what, &p->progress, err))
		return -1;
	mp_pipe_budget(&p->pipe, MP_BUDGET_TRANSFER);
	return 0;
}

/* Only in a dry run the directory may be missing: then everything would be sent. */
static int list_there(struct push *p, struct mp_error *err)
{
	const struct mp_tree_request request = {.dir = p->dir,
	    .links = true,
	    .any_name = true,
	    .skip_jobs = true,
	    .sha256 = p->options->checksum,
	    .space = true};
	struct mp_script script;
	char answer[64];
	int missing = 0;

	if (p->options->dry_run) {
		mp_script_start(&script);
		mp_script_enter(&script, p->dir);
		if (mp_script_check(&script, err) || mp_board_run(p->board, script.text, "look for its directory",
							 answer, sizeof(answer), &missing, err))
			return -1;
	}
	if (missing && missing != EXIT_MISSING)
		return mp_fail_board(
		    err, "cannot inspect '%s' (exit status %d)", mp_board_name(p->board), p->dir, missing);
	if (missing)
		return 0;
	return mp_tree_list_remote(&p->there, p->board, p->remote, &request, p->options->watch, err);
}

/* Returns 1 when the file is private, 0 when not, -1 on error. */
static int is_private(struct mp_tree_dir *dir, const struct mp_tree_entry *entry, struct mp_error *err)
{
	const char *name;
	int parent = mp_tree_dir_enter(dir, entry->path, &name, err), fd, status;

	if (parent < 0)
		return -1;
	fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", entry->path);
	status = mp_private_file(fd, entry->path, err);
	close(fd);
	return status;
}

/* Withhold private files. Only files that would be sent are read. */
static int keep_private(struct push *p, struct mp_error *err)
{
	struct mp_tree_dir dir;
	int status = 0;

	mp_tree_dir_start(&dir, p->projectfd, false);
	for (size_t i = 0; i < p->here.count && status >= 0; i++) {
		const struct mp_tree_entry *entry = &p->here.entries[i];

		status = p->send[i] && S_ISREG(entry->mode) ? is_private(&dir, entry, err) : 0;
		if (status <= 0)
			continue;
		p->send[i] = false;
		p->result->withheld++;
		if (p->options->withheld)
			p->options->withheld(p->options->user, entry->path);
	}
	mp_tree_dir_close(&dir);
	return status < 0 ? -1 : 0;
}

static int find_changes(struct push *p, struct mp_error *err)
{
	const struct mp_tree_filter filter = {.patterns = p->options->excludes,
	    .count = p->options->exclude_count,
	    .project = true,
	    .withheld = p->options->withheld,
	    .user = p->options->user};

	if (mp_tree_list_local(&p->here, p->projectfd, &filter, p->options->watch, err) || list_there(p, err))
		return -1;
	p->send = calloc(p->here.count + 1, sizeof(*p->send));
	if (!p->send)
		return mp_fail_memory(err, "a list of files");
	if (mp_tree_compare(&p->here, p->projectfd, &p->there, p->options->checksum, p->send, err) ||
	    keep_private(p, err))
		return -1;
	p->result->refused = p->here.refused;
	for (size_t i = 0; i < p->here.count; i++) {
		const struct mp_tree_entry *entry = &p->here.entries[i];

		if (p->send[i] && p->options->each)
			p->options->each(p->options->user, entry);
		if (S_ISDIR(entry->mode))
			continue;
		p->result->files += p->send[i];
		p->result->unchanged += !p->send[i];
		p->result->bytes += p->send[i] ? entry->size : 0;
	}
	p->result->unchanged -= p->result->withheld; /* recognised by their text */
	p->result->withheld += p->here.withheld;
	p->progress.total = p->result->bytes;
	return 0;
}

static bool has_work(const struct push *p)
{
	for (size_t i = 0; i < p->here.count; i++)
		if (p->send[i])
			return true;
	return false;
}

/* Check the space on the board, which stores files in whole blocks. */
static int check_space(struct push *p, struct mp_error *err)
{
	int64_t need = 0, room = p->there.space;

	for (size_t i = 0; i < p->here.count; i++)
		if (p->send[i])
			need += (p->here.entries[i].size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
	if (room < 0 || need <= room)
		return 0;
	return mp_fail_board(err, "the project needs %lld bytes in '%s', but only %lld are free",
	    mp_board_name(p->board), (long long)need, p->dir, (long long)room);
}

static int write_stream(void *user, const void *bytes, size_t size, struct mp_error *err)
{
	struct push *p = user;

	if (mp_progress_tell(&p->progress, false, err))
		return -1;
	return mp_pipe_write(&p->pipe, bytes, size, err);
}

static int send_archive(struct push *p, struct mp_error *err)
{
	const struct mp_archive_sink sink = {write_stream, p};
	struct mp_archive *archive;
	struct mp_tree_dir dir;
	int status = 0;

	if (mp_archive_open(&archive, &sink, err))
		return -1;
	mp_tree_dir_start(&dir, p->projectfd, false);
	for (size_t i = 0; i < p->here.count && !status; i++) {
		if (!p->send[i])
			continue;
		status = mp_archive_add(archive, &dir, &p->here.entries[i], &p->progress.done, err);
		p->progress.files += !S_ISDIR(p->here.entries[i].mode);
	}
	mp_tree_dir_close(&dir);
	if (!status)
		status = mp_archive_finish(archive, err);
	mp_archive_free(archive);
	return status;
}

static int send_by_tar(struct push *p, struct mp_error *err)
{
	int status;

	if (!p->pipe.command && open_tar(p, err))
		return -1;
	status = send_archive(p, err);
	return status ? -1 : mp_pipe_succeed(&p->pipe, err);
}

static int send_by_sftp(struct push *p, struct mp_error *err)
{
	struct mp_sftp_item *items = calloc(p->here.count + 1, sizeof(*items));
	struct mp_sftp *sftp = NULL;
	size_t count = 0;
	int status;

	if (!items)
		return mp_fail_memory(err, "a list of files");
	for (size_t i = 0; i < p->here.count; i++)
		if (p->send[i])
			items[count++] = (struct mp_sftp_item){.entry = &p->here.entries[i],
			    .replaces = mp_tree_find(&p->there, p->here.entries[i].path) != NULL};
	status = mp_sftp_open(&sftp, p->board, p->remote, &p->progress, err);
	if (!status)
		status = mp_sftp_send(sftp, p->dir, p->projectfd, items, count, err);
	mp_sftp_close(sftp);
	free(items);
	return status;
}

int mp_push_project(struct mp_board *board, const struct mp_remote *remote, int projectfd, const char *dir,
    const struct mp_push_options *options, struct mp_push_result *result, struct mp_error *err)
{
	struct push p = {.board = board,
	    .remote = remote,
	    .projectfd = projectfd,
	    .dir = dir,
	    .options = options,
	    .result = result,
	    .progress = {.watch = options->watch}};
	enum mp_transfer_way way = options->way;
	struct mp_error ignored;
	int status, code;

	*result = (struct mp_push_result){0};
	if (way == MP_TRANSFER_BEST)
		way = remote->tar ? MP_TRANSFER_TAR : MP_TRANSFER_SFTP;
	/* Start early, because a board may take longer to start a command than to run it. A failure occurs again below.
	 */
	if (way == MP_TRANSFER_TAR && !options->dry_run && mp_board_may_overlap(board))
		(void)open_tar(&p, err);
	status = find_changes(&p, err);
	if (!status && !options->dry_run && has_work(&p)) {
		status = check_space(&p, err);
		if (!status)
			status = way == MP_TRANSFER_TAR ? send_by_tar(&p, err) : send_by_sftp(&p, err);
		if (!status)
			status = mp_progress_tell(&p.progress, true, err);
	}
	/* some servers hang up when a running command is closed: finish the command, even without files to send */
	if (!status && p.pipe.command)
		(void)mp_pipe_finish(&p.pipe, &code, &ignored);
	mp_pipe_close(&p.pipe);
	mp_tree_free(&p.here);
	mp_tree_free(&p.there);
	free(p.send);
	return status;
}
