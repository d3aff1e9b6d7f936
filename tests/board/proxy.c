/*
 * proxy.c: a bad network for tests: forwards connections of 127.0.0.1 to a port of it, and harms them.
 *
 *   proxy [OPTION...] PORT     prints its own port, then serves until it is ended, at most --life seconds
 *
 *   --cut-up N, --cut-down N       close each connection when exactly N bytes went to the server, or to the client
 *   --stall-up N, --stall-down N   from then on move nothing in either direction, but keep the connection
 *   --trickle N                    at most N bytes a millisecond in each direction
 *   --first N                      only the first N connections are cut or stalled
 *   --delay-us N                   a round trip takes N microseconds more
 *   --reset                        a cut is a RST, as a router sends it; else it is a FIN
 *   --life S                       end after S seconds (600)
 *   --log FILE                     one line for each connection that ended: "up BYTES down BYTES"
 *
 * SIGUSR1 cuts what is open, SIGUSR2 stalls it. Each connection is a process of its own, which ends with its parent.
 */
#define _GNU_SOURCE /* ppoll: half a millisecond is too short for poll */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RING_SIZE = 8 << 20, MARKS = 8192, PIECE = 256 << 10, NEVER = -1, LIFE_S = 600, MS_NS = 1000000 };

/* One direction: bytes in a ring, and the time at which they may leave. Positions count from the first byte. */
struct flow {
	int in, out;
	char *ring;
	int64_t read, written;
	struct {
		int64_t end, due_ns;
	} marks[MARKS];
	unsigned first_mark, next_mark;
	int64_t next_write_ns; /* trickling */
	int64_t cut, stall;    /* positions, or NEVER */
	bool ended, told;      /* the source has ended; the sink was told */
};

static struct {
	int64_t cut[2], stall[2]; /* up, down */
	int64_t trickle, delay_ns, first;
	bool reset;
	unsigned life_s;
	const char *log;
	uint16_t port;
} options = {.cut = {NEVER, NEVER}, .stall = {NEVER, NEVER}, .first = INT64_MAX, .life_s = LIFE_S};

static struct flow flows[2];
static volatile sig_atomic_t cut_now, stall_now;

static void on_signal(int number)
{
	if (number == SIGUSR1)
		cut_now = 1;
	else
		stall_now = 1;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "proxy: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Returns 0, or -1 when the source failed. */
static int take(struct flow *f)
{
	int64_t room = RING_SIZE - (f->read - f->written);
	int64_t at = f->read % RING_SIZE;
	int64_t size = room < RING_SIZE - at ? room : RING_SIZE - at;
	ssize_t n;

	if (f->next_mark - f->first_mark == MARKS || f->ended || room == 0)
		return 0;
	n = recv(f->in, f->ring + at, (size_t)(size < PIECE ? size : PIECE), MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	f->ended = n == 0;
	f->read += n;
	f->marks[f->next_mark % MARKS].end = f->read;
	f->marks[f->next_mark++ % MARKS].due_ns = now_ns() + options.delay_ns / 2;
	return 0;
}

/* The bytes that may leave now; *next_ns is lowered to the time when more may leave. */
static int64_t allowed(struct flow *f, int64_t *next_ns)
{
	int64_t now = now_ns(), end = f->written, at = f->written % RING_SIZE, size;

	while (f->first_mark != f->next_mark && f->marks[f->first_mark % MARKS].end <= f->written)
		f->first_mark++;
	for (unsigned m = f->first_mark; m != f->next_mark; m++) {
		if (f->marks[m % MARKS].due_ns > now) {
			if (f->marks[m % MARKS].due_ns < *next_ns)
				*next_ns = f->marks[m % MARKS].due_ns;
			break;
		}
		end = f->marks[m % MARKS].end;
	}
	size = end - f->written;
	if (size && options.trickle && now < f->next_write_ns) {
		if (f->next_write_ns < *next_ns)
			*next_ns = f->next_write_ns;
		return 0;
	}
	if (options.trickle && size > options.trickle)
		size = options.trickle;
	if (size > RING_SIZE - at)
		size = RING_SIZE - at;
	if (f->cut >= 0 && size > f->cut - f->written)
		size = f->cut - f->written;
	if (f->stall >= 0 && size > f->stall - f->written)
		size = f->stall - f->written;
	return size;
}

/* Returns 0, or -1 when the sink failed. */
static int give(struct flow *f, int64_t *next_ns)
{
	int64_t size = allowed(f, next_ns);
	ssize_t n;

	if (size) {
		n = send(f->out, f->ring + f->written % RING_SIZE, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		f->written += n;
		f->next_write_ns = now_ns() + MS_NS;
	}
	if (f->ended && f->written == f->read && !f->told) {
		f->told = true;
		(void)shutdown(f->out, SHUT_WR);
	}
	return 0;
}

static void wait_for_news(int64_t next_ns)
{
	struct pollfd polls[2] = {{.fd = flows[0].in}, {.fd = flows[1].in}};
	struct timespec time = {0};
	sigset_t none;

	for (int i = 0; i < 2; i++) {
		const struct flow *f = &flows[i];
		int64_t ready = allowed(&flows[i], &next_ns); /* sending may make more bytes wait */

		if (!f->ended && f->read - f->written < RING_SIZE && f->next_mark - f->first_mark < MARKS)
			polls[i].events |= POLLIN;
		if (ready > 0)
			polls[1 - i].events |= POLLOUT; /* the sink of one flow is the source of the other */
		if (f->ended && flows[1 - i].told)
			polls[i].fd = -1; /* POLLHUP was handled already */
	}
	if (next_ns != INT64_MAX) {
		int64_t left = next_ns - now_ns();

		time.tv_sec = left > 0 ? left / 1000000000 : 0;
		time.tv_nsec = left > 0 ? left % 1000000000 : 0;
	}
	sigemptyset(&none);
	(void)ppoll(polls, 2, next_ns == INT64_MAX ? NULL : &time, &none);
}

/* Like a pulled cable: neither end hears of the other any more, not even of its end. */
static void stay_silent(void)
{
	sigset_t none;

	sigemptyset(&none);
	while (!cut_now)
		sigsuspend(&none);
}

static void forward(void)
{
	for (;;) {
		int64_t next_ns = INT64_MAX;

		for (int i = 0; i < 2; i++) {
			if (take(&flows[i]) || give(&flows[i], &next_ns) || flows[i].written == flows[i].cut)
				return;
			stall_now |= flows[i].written == flows[i].stall;
		}
		if (cut_now || (flows[0].told && flows[1].told))
			return;
		if (stall_now) {
			stay_silent();
			return;
		}
		wait_for_news(next_ns);
	}
}

static void write_log(void)
{
	char line[80];
	int len = snprintf(
	    line, sizeof(line), "up %lld down %lld\n", (long long)flows[0].written, (long long)flows[1].written);
	int fd = options.log ? open(options.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (options.log && (fd < 0 || write(fd, line, (size_t)len) != len))
		die("log");
}

static void tune(int fd)
{
	const struct linger hard = {.l_onoff = 1};
	int one = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (options.reset)
		(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
}

static void serve(int client, bool harmed)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options.port)};
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof(address)))
		die("connect");
	for (int i = 0; i < 2; i++) {
		flows[i] = (struct flow){.in = i ? server : client,
		    .out = i ? client : server,
		    .ring = malloc(RING_SIZE),
		    .cut = harmed ? options.cut[i] : NEVER,
		    .stall = harmed ? options.stall[i] : NEVER};
		if (!flows[i].ring)
			die("memory");
	}
	tune(client);
	tune(server);
	forward();
	write_log();
}

/* SIGUSR1 and SIGUSR2 arrive only during ppoll; the parent passes them on to the connections. */
static void accept_all(int listener, pid_t parent)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};
	const struct timespec at_once = {0};
	int64_t count = 0;
	sigset_t none, both;

	sigemptyset(&none);
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	for (;;) {
		int n = ppoll(&p, 1, NULL, &none), client;

		if (cut_now || stall_now) {
			kill(0, cut_now ? SIGUSR1 : SIGUSR2);
			while (sigtimedwait(&both, NULL, &at_once) > 0) /* the group contains this process too */
				continue;
			cut_now = stall_now = 0;
		}
		if (n <= 0)
			continue;
		client = accept(listener, NULL, NULL);
		if (client < 0)
			continue;
		count++;
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(1);
			close(listener);
			alarm(options.life_s);
			serve(client, count <= options.first);
			_exit(0);
		}
		close(client);
	}
}

static int64_t number(const char *text)
{
	char *end = NULL;
	long long value = text ? strtoll(text, &end, 10) : -1;

	if (value < 0 || end == text || *end) {
		fprintf(stderr, "proxy: '%s' is no number\n", text ? text : "");
		exit(2);
	}
	return value;
}

static void read_options(char **argv)
{
	static const char *const names[] = {
	    "--cut-up", "--cut-down", "--stall-up", "--stall-down", "--trickle", "--first"};
	int64_t *const values[] = {
	    &options.cut[0], &options.cut[1], &options.stall[0], &options.stall[1], &options.trickle, &options.first};

	for (argv++; *argv; argv++) {
		int64_t *value = NULL;

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strcmp(*argv, names[i]) == 0)
				value = values[i];
		if (value)
			*value = number(*++argv);
		else if (strcmp(*argv, "--delay-us") == 0)
			options.delay_ns = number(*++argv) * 1000;
		else if (strcmp(*argv, "--life") == 0)
			options.life_s = (unsigned)number(*++argv);
		else if (strcmp(*argv, "--log") == 0)
			options.log = *++argv;
		else if (strcmp(*argv, "--reset") == 0)
			options.reset = true;
		else
			options.port = (uint16_t)number(*argv);
	}
}

static void handle(int number_of_signal)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number_of_signal);
	if (sigaction(number_of_signal, &action, NULL) || sigprocmask(SIG_BLOCK, &set, NULL))
		die("signals");
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)argc;
	read_options(argv);
	if (!options.port) {
		fputs("usage: proxy [OPTION...] PORT; see the head of proxy.c\n", stderr);
		return 2;
	}
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 64) ||
	    getsockname(listener, (struct sockaddr *)&address, &len))
		die("listen");
	(void)setpgid(0, 0); /* a signal to the group reaches nobody else */
	prctl(PR_SET_TIMERSLACK, 1UL);
	signal(SIGCHLD, SIG_IGN);
	handle(SIGUSR1);
	handle(SIGUSR2);
	alarm(options.life_s);
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	if (!freopen("/dev/null", "w", stdout)) /* the reader of the port reads to the end */
		die("/dev/null");
	accept_all(listener, getpid());
}
