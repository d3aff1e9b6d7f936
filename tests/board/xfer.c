/*
 * xfer.c: push and pull on their own, for tests and figures: over a board's ini, or with
 * "-" as the ini this machine as the board. Prints one line with what was moved and how long it took.
 * Exit status: 0; 1 for an error of the transfer; 100 + enum mp_board_failure without a connection; 2 usage.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "board/collection/collect_internal.h"
#include "board/connection/board.h"
#include "board/transfer/transfer.h"

struct xfer {
	struct mp_board *board;
	struct mp_remote remote;
	struct mp_watch watch;
	enum mp_transfer_way way;
	bool checksum, dry_run;
	int64_t stop_after; /* bytes, for tests of resuming; -1: never */
	struct mp_error err;
};

static const char usage[] = "usage: xfer [-s] [-n] [-w tar|sftp] [-x BYTES] INI probe\n"
			    "       xfer ... INI push DIR REMOTE_DIR [EXCLUDE...]\n"
			    "       xfer ... INI pull JOB OUTPUT_DIR\n"
			    "       xfer ... INI slices JOB OUTPUT_DIR\n"
			    "       xfer ... INI jobs DIR...\n"
			    "       xfer ... INI list DIR\n"
			    "-s compare sums, -n send nothing, -x stop after so many bytes\n";

static void note(void *user, const char *text)
{
	char clean[1024];

	(void)user;
	mp_sanitise(clean, sizeof(clean), text, strlen(text));
	fprintf(stderr, "xfer: note: %s\n", clean);
}

static bool progress(void *user, int64_t bytes_done, int64_t bytes_total, size_t files)
{
	const struct xfer *x = user;

	(void)bytes_total;
	(void)files;
	return x->stop_after < 0 || bytes_done < x->stop_after;
}

static bool accept_host(void *user, const char *host, const char *sha256)
{
	(void)user;
	(void)host;
	(void)sha256;
	return getenv("XFER_ACCEPT") != NULL;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int open_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		perror(path);
	return fd;
}

static long peak_kb(void)
{
	struct rusage usage_now;

	return getrusage(RUSAGE_SELF, &usage_now) ? 0 : usage_now.ru_maxrss;
}

static int push(struct xfer *x, char **args, int count)
{
	struct mp_push_options options = {
	    .way = x->way, .checksum = x->checksum, .dry_run = x->dry_run, .watch = &x->watch};
	struct mp_push_result result;
	char dir[MP_REMOTE_PATH];
	double start = seconds();
	int fd, status;

	if (count < 2 || (fd = open_dir(args[0])) < 0)
		return -1;
	options.excludes = (const char *const *)args + 2;
	options.exclude_count = (size_t)count - 2;
	snprintf(dir, sizeof(dir), "%s", args[1]);
	status = x->dry_run ? 0 : mp_remote_dir_make(x->board, args[1], dir, &x->err);
	if (!status)
		status = mp_push_project(x->board, &x->remote, fd, dir, &options, &result, &x->err);
	close(fd);
	if (!status)
		printf("push files=%zu unchanged=%zu refused=%zu bytes=%lld seconds=%.3f rss_kb=%ld\n", result.files,
		    result.unchanged, result.refused, (long long)result.bytes, seconds() - start, peak_kb());
	return status;
}

static int pull(struct xfer *x, char **args, int count, bool slices)
{
	const struct mp_pull_options options = {.way = x->way, .checksum = x->checksum, .watch = &x->watch};
	struct mp_pull_result r;
	double start = seconds();
	int fd, status;

	if (count < 2 || (fd = open_dir(args[1])) < 0)
		return -1;
	status = (slices ? mp_pull_slices : mp_pull_job)(x->board, &x->remote, args[0], fd, &options, &r, &x->err);
	close(fd);
	printf(
	    "pull files=%zu kept=%zu refused=%zu looks=%zu bytes=%lld already=%d summed=%d seconds=%.3f rss_kb=%ld\n",
	    r.files, r.kept, r.refused, r.looks, (long long)r.bytes, r.already, r.summed, seconds() - start, peak_kb());
	return status;
}

static int jobs(struct xfer *x, char **args, int count)
{
	struct mp_remote_jobs list;

	if (mp_remote_jobs_list(&list, x->board, &x->remote, (const char *const *)args, (size_t)count, NULL, &x->err))
		return -1;
	for (size_t i = 0; i < list.count; i++)
		printf("%s\n", list.items[i].path);
	mp_remote_jobs_free(&list);
	return 0;
}

static int list(struct xfer *x, const char *dir)
{
	const struct mp_tree_request request = {.dir = dir, .links = true, .any_name = true, .sha256 = x->checksum};
	struct mp_tree tree;

	if (!dir || mp_tree_list_remote(&tree, x->board, &x->remote, &request, &x->watch, &x->err))
		return -1;
	for (size_t i = 0; i < tree.count; i++) {
		const struct mp_tree_entry *e = &tree.entries[i];

		printf("%o %lld %lld %s %s%s%s\n", e->mode, (long long)e->size, (long long)e->mtime_s,
		    e->sha256[0] ? e->sha256 : "-", e->path, e->target ? " -> " : "", e->target ? e->target : "");
	}
	mp_tree_free(&tree);
	return 0;
}

static int probe(const struct mp_remote *r)
{
	printf("tar=%d tail=%d list=%d find_plus=%d xargs_null=%d sha256sum=%d flock=%d setsid=%d sftp=%d "
	       "sftp_server=%s home=%s\n",
	    r->tar, r->tail, r->list, r->find_plus, r->xargs_null, r->sha256sum, r->flock, r->setsid, r->sftp,
	    r->sftp_server, r->home);
	return 0;
}

static int run(struct xfer *x, char **args, int count)
{
	const char *verb = args[0];

	if (mp_remote_probe(&x->remote, x->board, &x->err))
		return -1;
	if (strcmp(verb, "probe") == 0)
		return probe(&x->remote);
	if (strcmp(verb, "push") == 0)
		return push(x, args + 1, count - 1);
	if (strcmp(verb, "pull") == 0 || strcmp(verb, "slices") == 0)
		return pull(x, args + 1, count - 1, *verb == 's');
	if (strcmp(verb, "jobs") == 0)
		return jobs(x, args + 1, count - 1);
	if (strcmp(verb, "list") == 0)
		return list(x, args[1]);
	return mp_fail(&x->err, "unknown verb '%s'", verb);
}

/* Returns 0, or the exit status. */
static int reach(struct xfer *x, const char *ini)
{
	struct mp_board_config config;
	const struct mp_board_ask ask = {.accept_host = accept_host};
	enum mp_board_failure failure = MP_BOARD_FINE;
	int status;

	if (strcmp(ini, "-") == 0)
		return mp_board_local(&x->board, NULL, &x->err) ? 1 : 0;
	if (mp_board_ini_read(&config, ini, &x->err))
		return 2;
	status = mp_board_connect(&x->board, &config, &ask, &failure, &x->err);
	mp_board_config_free(&config);
	return status ? 100 + (int)failure : 0;
}

int main(int argc, char **argv)
{
	struct xfer x = {.stop_after = -1};
	int option, status;

	x.watch = (struct mp_watch){note, progress, &x};
	while ((option = getopt(argc, argv, "+snw:x:")) != -1) {
		if (option == 's')
			x.checksum = true;
		else if (option == 'n')
			x.dry_run = true;
		else if (option == 'w')
			x.way = strcmp(optarg, "sftp") == 0 ? MP_TRANSFER_SFTP : MP_TRANSFER_TAR;
		else if (option == 'x')
			x.stop_after = strtoll(optarg, NULL, 10);
		else
			return 2;
	}
	if (argc - optind < 2) {
		fputs(usage, stderr);
		return 2;
	}
	status = reach(&x, argv[optind]);
	if (!status && run(&x, argv + optind + 1, argc - optind - 1))
		status = 1;
	mp_board_close(x.board);
	if (status)
		fprintf(stderr, "xfer: %s\n", x.err.text);
	return status;
}
