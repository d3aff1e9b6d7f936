/*
 * heartbeat.c: what is known of a connection: notices a silent peer, and keeps so little under way that a slow link
 * does not look silent.
 *
 * The keepalive is an unknown global request, which the peer must answer. Its answer comes behind all that was sent
 * before: over 2 KB/s 64 KB take longer than the timeout. So at first 16 KiB may be under way; the more, the quicker
 * the answers come.
 */
#include "board/connection/connection_internal.h"

#include <libssh/server.h> /* ssh_send_keepalive, which works for clients, too */
#include <stdio.h>

enum { LEAST_BYTES = 16 * 1024, MOST_BYTES = 4 << 20, QUICK_MS = 1000, SLOW_MS = 4000 };

const char *mp_ssh_reason(ssh_session session)
{
	const char *text = ssh_get_error(session);

	if (text && *text)
		return text;
	return ssh_is_connected(session) ? "it gives no reason" : "it closed the connection";
}

void mp_ssh_heartbeat_begin(struct mp_board *board)
{
	ssh_set_counters(board->session, &board->traffic, &board->packets);
	board->pulse.heard_ms = mp_board_now_ms();
	board->pulse.ahead_bytes = LEAST_BYTES;
}

uint64_t mp_ssh_room_ahead(const struct mp_board *board)
{
	uint64_t ahead = board->traffic.out_bytes - board->pulse.arrived_bytes;

	return ahead < board->pulse.ahead_bytes ? board->pulse.ahead_bytes - ahead : 0;
}

/* The earlier question is answered. The time says something of the link if much was under way then. */
static void take_answer(struct mp_pulse *pulse, int64_t now)
{
	int64_t took_ms = now - pulse->question_ms;
	bool much = pulse->question_bytes - pulse->arrived_bytes >= pulse->ahead_bytes / 2;

	if (much && took_ms < QUICK_MS && pulse->ahead_bytes < MOST_BYTES)
		pulse->ahead_bytes *= 2;
	if (much && took_ms > SLOW_MS && pulse->ahead_bytes > LEAST_BYTES)
		pulse->ahead_bytes /= 2;
	pulse->arrived_bytes = pulse->question_bytes;
}

/*
 * Ask, unless a question is open. libssh does not tell about the answer: a call sends nothing while the question is
 * open, and the first call after the answer sends nothing, either.
 */
static void ask(struct mp_board *board, int64_t now)
{
	struct mp_pulse *pulse = &board->pulse;
	uint64_t sent = board->packets.out_packets;

	(void)ssh_send_keepalive(board->session);
	(void)ssh_send_keepalive(board->session);
	if (board->packets.out_packets == sent)
		return;
	if (pulse->question_ms)
		take_answer(pulse, now);
	pulse->question_ms = now;
	pulse->question_bytes = board->traffic.out_bytes;
}

/* Any byte shows that the peer is alive. The time between two calls is no silence: the pump reads its bytes first. */
int mp_ssh_heartbeat(struct mp_board *board, struct mp_error *err)
{
	struct mp_pulse *pulse = &board->pulse;
	int64_t now = mp_board_now_ms(), timeout_ms = (int64_t)board->timeout_s * 1000;
	char reason[64];

	if (!mp_ssh_room_ahead(board))
		ask(board, now);
	if (board->traffic.in_bytes != pulse->heard_bytes) {
		pulse->heard_bytes = board->traffic.in_bytes;
		pulse->heard_ms = now;
		pulse->asked_ms = 0;
	} else if (pulse->asked_ms && now - pulse->asked_ms > timeout_ms / 3 * 2) {
		snprintf(reason, sizeof(reason), "no answer for %d s", board->timeout_s);
		return mp_board_lost(board, reason, err);
	} else if (!pulse->asked_ms && now - pulse->heard_ms > timeout_ms / 3) {
		ask(board, now);
		pulse->asked_ms = now;
	}
	return 0;
}
