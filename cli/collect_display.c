/* collect_display.c: callbacks that print messages, the program's output, and progress with rate and time left. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "collect_plan.h"
#include "process.h"
#include "terminal.h"

enum { SHOW_MS = 200, LINE_MS = 10000, BEGIN_MS = 500 };

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void hide(struct collect_display *v)
{
	if (v->shown && v->progress_fd >= 0)
		dprintf(v->progress_fd, "\n");
	else if (v->shown)
		fputs("\r\033[K", stderr);
	v->shown = false;
}

static void note(void *user, enum mp_collect_note kind, const char *text)
{
	struct collect_display *v = user;
	char safe[4096];

	hide(v);
	switch (kind) {
	case MP_COLLECT_ERROR:
		message_error("%s", text);
		break;
	case MP_COLLECT_WARNING:
		message_warning("%s", text);
		break;
	case MP_COLLECT_INFO:
		message_info(v->options, "%s", text);
		break;
	case MP_COLLECT_PLAN:
		mp_sanitise(safe, sizeof(safe), text, strlen(text));
		puts(safe);
		break;
	}
}

static void failed(void *user, const struct mp_error *err)
{
	hide(user);
	message_failure(err);
}

/* Pass the output of the program on unchanged, as ssh does. */
static void output(void *user, enum mp_stream stream, const void *bytes, size_t size)
{
	int fd = stream == MP_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
	const char *at = bytes;

	hide(user);
	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno != EINTR)
			return; /* nobody reads the output; the data is still collected */
		if (n > 0) {
			at += n;
			size -= (size_t)n;
		}
	}
}

static int interrupts(void *user)
{
	(void)user;
	return interrupt_count();
}

static void print_size(char *text, size_t size, double bytes)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
	size_t unit = 0;

	while (bytes >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1024;
		unit++;
	}
	snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static void print_progress(struct collect_display *v, int64_t done, int64_t total, size_t files, int64_t now)
{
	double seconds = (double)(now - v->begun_ms) / 1000, rate = (double)(done - v->first_done) / seconds;
	char speed[32], amount[32], left[32] = "", line[512];
	int percent = total > 0 ? (int)((double)done / (double)total * 100) : 0;

	print_size(speed, sizeof(speed), rate);
	print_size(amount, sizeof(amount), (double)done);
	if (rate > 0 && total > done && (double)(total - done) / rate < 360000) {
		int s = (int)((double)(total - done) / rate + 0.5);

		snprintf(left, sizeof(left), ", %d:%02d left", s / 60, s % 60);
	}
	snprintf(line, sizeof(line), "%s: %3d %%%s, %s/s, %s, %zu file%s", v->what, percent, left, speed, amount, files,
	    files == 1 ? "" : "s");
	if (v->progress_fd >= 0)
		dprintf(v->progress_fd, "%s\n", line);
	else if (v->terminal) /* a line that wraps cannot be removed */
		fprintf(stderr, "\r%.*s\033[K", v->width > 1 ? v->width - 1 : (int)sizeof(line), line);
	else
		fprintf(stderr, "msprof: %s\n", line);
	v->shown = v->terminal || v->progress_fd >= 0;
}

static void progress(void *user, const char *what, int64_t done, int64_t total, size_t files)
{
	struct collect_display *v = user;
	int64_t now = now_ms();
	char safe[sizeof(v->what)];

	if (options_has(v->options, OPTION_QUIET))
		return;
	if (done < 0) {
		hide(v);
		v->what[0] = '\0';
		return;
	}
	mp_sanitise(safe, sizeof(safe), what, strlen(what));
	if (strcmp(safe, v->what) != 0) {
		strcpy(v->what, safe);
		v->begun_ms = v->last_ms = now;
		v->first_done = done;
	}
	if (now - v->begun_ms < BEGIN_MS || now - v->last_ms < (v->terminal || v->progress_fd >= 0 ? SHOW_MS : LINE_MS))
		return;
	v->last_ms = now;
	print_progress(v, done, total, files, now);
}

static bool consent(void *user, const char *question)
{
	const struct collect_display *v = user;

	return collect_consent(v->plan, question);
}

struct mp_collect_events collect_callbacks(struct collect_display *display, const struct collect_plan *plan)
{
	const struct term term = term_inspect(STDERR_FILENO);

	*display = (struct collect_display){.plan = plan,
	    .options = plan->options,
	    .progress_fd = plan->progress_fd,
	    .width = term.width,
	    .terminal = term.tty};
	return (struct mp_collect_events){note, failed, output, interrupts, progress, consent, display};
}
