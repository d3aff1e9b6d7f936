/*
 * guard.c: a shell on the board that holds the lock of a collection and clears up behind it.
 *
 * It reads its input: "stop" stops the program, "end" ends it. When the input ends without a word the connection
 * is gone, or this process is; a resume says so by USR1. Then the guard does what is left to do: stop the program,
 * unmount, restore acl.json. So these are done in every case, whatever happens to msprof.
 */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_LOCKED = 75, EXIT_RUNNING = 76, EXIT_UNWRITABLE = 73, EXIT_MOUNTED = 77 };

/*
 * A group number of 1 or less would mean every process. TERM comes first so that the program can write its data. A
 * group that has only zombies left seems alive to kill, so /proc is asked where it is there, and the wait is limited.
 * A board without setsid may have the program in the group of this shell and of the server, as dropbear puts all of a
 * connection into one: then the signal goes to each process of it but these two; no other command may run meanwhile.
 * The number of the group is the third word after the name in a stat file.
 */
static const char FUNCTIONS[] =
    "num() { p=; [ -f $1 ] && read -r p <$1; case $p in ''|*[!0-9]*|0*|1) return 1;; esac; }; "
    "fields() { t=; read -r t </proc/$1/stat && t=${t##*) }; } 2>/dev/null; "
    "own() { fields $$; set -- $t; here=$3; }; own; "
    "is_his() { [ \"$3\" = \"$p\" ] && [ \"$1\" != Z ]; }; "
    "hit() { if [ \"$p\" != \"$here\" ] && [ \"$1$here\" != \"0${here:-x}\" ]; then kill -$1 -$p 2>/dev/null; return; fi; h=1; "
    "for d in /proc/[0-9]*; do q=${d#/proc/}; case $q in $$|$PPID) continue;; esac; "
    "fields $q && is_his $t && kill -$1 $q 2>/dev/null && h=0; done; return $h; }; "
    "alive() { num $1 && hit 0; }; "
    /* also one that is killed takes its time on a busy board, and may write until then */
    "gone() { n=$1; while [ $n -gt 0 ] && hit 0; do n=$((n-1)); sleep 0.1 2>/dev/null || { sleep 1; n=$((n-9)); }; done; }; "
    "stop() { for f in .msprof.pid .msprof.group; do if num $f && hit TERM; then gone 50; hit KILL && gone 20; fi; "
    "rm -f $f; done; }; "
    /* the x keeps line ends of the name */
    "restore() { rm -f $m.new; [ -f $m.name ] || return 0; a=$(cat $m.name; printf x); a=${a%x}; "
    "if [ -e $m.saved ] || [ -L $m.saved ]; then mv -f $m.saved \"$a\"; else rm -f \"$a\"; fi && rm -f $m.name; }; "
    "m=.msprof.acl; ";

/* Who holds the lock writes its number into it. A board without flock has nothing else; on a full one flock must do. */
static const char LOCK_FLOCK[] =
    "(: >>\"$l\") || exit 73; exec 9>>\"$l\"; take() { flock -n 9 && { echo $$ >\"$l\" || :; } 2>/dev/null; }; ";
static const char LOCK_PID[] =
    "take() { (set -C; echo $$ >\"$l\") 2>/dev/null && return; p=; read -r p <\"$l\"; "
    "case $p in ''|*[!0-9]*) ;; *) kill -0 $p 2>/dev/null && return 1;; esac; echo $$ >\"$l\" || exit 73; }; ";

/*
 * The guard of a collect that was cut may still be clearing up; twelve seconds are longer than a program has to end.
 * Where the board has not noticed the cut, the guard that this collection itself left is told by a signal; $g is its
 * number.
 */
static const char LOCK_WAIT[] =
    "n=120; until take; do [ $n -gt 0 ] || exit 75; if [ $n = 120 ]; then echo busy; p=; read -r p <\"$l\"; "
    "[ -n \"$g\" ] && [ \"$p\" = \"$g\" ] && kill -USR1 $p; fi; "
    "n=$((n-1)); sleep 0.1 2>/dev/null || { sleep 1; n=$((n-9)); }; done; ";

static const char WATCH[] =
    "for f in .msprof.pid .msprof.group; do alive $f && exit 76; rm -f $f; done; restore; echo \"held $$\"; w=; "
    "while [ \"$w\" != end ] && read -r w; do [ \"$w\" != stop ] || { stop; echo stopped; }; done; stop; "
    /* what was in it may take a moment to go; the marker goes first, see mount.c */
    "s=0; if [ -f .msprof.mount ]; then p=$HOME/profiling; rm -f .msprof.mount; "
    "umount \"$p\" 2>/dev/null || { sleep 1; umount \"$p\"; } || s=77; fi; restore || s=$?; ";

/* One lock a board where the place is the usual one: two programs on one device spoil each other's data. */
static void write_lock(struct mp_collect *c, struct mp_script *script)
{
	char dir[MP_REMOTE_PATH];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", c->real);
	slash = strrchr(dir, '/');
	if (!c->options->remote_dir && slash && slash != dir)
		*slash = '\0';
	mp_script_code(script, "l=");
	mp_script_word(script, dir);
	mp_script_code(script, "/.msprof.lock; ");
	mp_script_code(script, c->remote.flock ? LOCK_FLOCK : LOCK_PID);
	mp_script_code(script, "g=");
	if (c->guard_id > 1)
		mp_script_number(script, c->guard_id);
	mp_script_code(script, "; ");
	mp_script_code(script, LOCK_WAIT);
}

static int explain(struct mp_collect *c, struct mp_error *err)
{
	const char *name = mp_board_name(c->board);
	int status = 0;

	if (mp_pipe_finish(&c->guard, &status, err))
		return -1;
	if (status == EXIT_LOCKED)
		return mp_fail(err, "board '%s': another collect is at work there; wait for it, and try again", name);
	if (status == EXIT_RUNNING)
		return mp_fail(err,
		    "board '%s': the program of an earlier collect is still running (its number is in '%s/%s')", name,
		    c->real, MP_COLLECT_PID);
	if (status == EXIT_UNWRITABLE)
		mp_fail(err, "board '%s': cannot write to '%s'", name, c->real);
	else
		mp_fail(err, "board '%s': cannot take the lock in '%s' (exit status %d)", name, c->real, status);
	return mp_pipe_blame(&c->guard, err);
}

/* Nobody has to wait for the lock; what is to be cleared up is waited for, but not by who asks to stop twice. */
static bool may_wait(void *user, int64_t done, int64_t total, size_t files)
{
	const struct mp_collect *c = user;

	(void)done;
	(void)total;
	(void)files;
	return mp_collect_interrupts(c) < (c->guarded ? 2 : 1);
}

/* A line of its answer. 0, 1 when it has ended, -1. */
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
	return mp_fail(err, "board '%s': invalid answer of the guard process", mp_board_name(c->board));
}

/* Until the guard has the lock. */
static int wait_for_lock(struct mp_collect *c, struct mp_error *err)
{
	char line[64];
	int status;

	while ((status = read_line(c, line, sizeof(line), err)) == 0) {
		if (strncmp(line, "held ", 5) == 0) {
			c->guard_id = strtoll(line + 5, NULL, 10);
			c->guarded = true;
			return 0;
		}
		mp_collect_say(c, MP_COLLECT_INFO,
		    "board '%s': another collect is at work there, or the board is clearing up "
		    "after one: waiting for up to 12 s",
		    mp_board_name(c->board));
	}
	return status < 0 ? -1 : explain(c, err);
}

int mp_collect_guard_start(struct mp_collect *c, struct mp_error *err)
{
	struct mp_script script;

	c->guard_watch = (struct mp_watch){.progress = may_wait, .user = c};
	c->guard_progress = (struct mp_progress){.watch = &c->guard_watch};
	mp_script_start(&script);
	mp_script_code(&script, "umask 027; trap '' HUP INT TERM PIPE; trap w=end USR1; ");
	mp_script_enter(&script, c->real);
	mp_script_code(&script, FUNCTIONS);
	write_lock(c, &script);
	mp_script_code(&script, WATCH);
	if (!c->remote.flock)
		mp_script_code(&script, "rm -f \"$l\"; ");
	mp_script_code(&script, "exit $s");
	if (mp_script_check(&script, err) ||
	    mp_pipe_open(&c->guard, c->board, script.text, "clear up", &c->guard_progress, err))
		return -1;
	if (!wait_for_lock(c, err))
		return 0;
	mp_pipe_drop(&c->guard);
	return -1;
}

int mp_collect_guard_stop(struct mp_collect *c, struct mp_error *err)
{
	c->guard_stops++;
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
			return mp_fail(
			    err, "board '%s': the guard process on the board has ended", mp_board_name(c->board));
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
	if (mp_pipe_write(&c->guard, "end\n", 4, err) || mp_pipe_finish(&c->guard, &status, err))
		return -1;
	if (status == 0)
		return 0;
	if (status == EXIT_MOUNTED)
		mp_fail(err, "board '%s': cannot unmount '%s': unmount it there", name, c->mount.point);
	else
		mp_fail(err, "board '%s': cannot clear up '%s' (exit status %d)", name, c->real, status);
	return mp_pipe_blame(&c->guard, err);
}

/*
 * The project's own file is copied with its time before the new one is renamed over it: a cut at any point leaves one
 * of the two, and the next push finds the project's unchanged.
 */
int mp_collect_acl_install(struct mp_collect *c, const char *text, struct mp_error *err)
{
	struct mp_script script;
	struct mp_pipe pipe;
	int status;

	mp_script_start(&script);
	mp_script_code(&script, "umask 027; ");
	mp_script_enter(&script, c->real);
	mp_script_code(&script, "m=.msprof.acl; a=./");
	mp_script_word(&script, c->acl_rel);
	mp_script_code(&script,
	    "; cat >$m.new || exit 1; rm -f $m.saved; if [ -e \"$a\" ] || [ -L \"$a\" ]; then "
	    "cp -pP \"$a\" $m.saved || exit 1; fi; printf %s \"$a\" >$m.name && mv -f $m.new \"$a\"");
	if (mp_script_check(&script, err) || mp_pipe_open(&pipe, c->board, script.text, "write acl.json", NULL, err))
		return -1;
	mp_pipe_feed(&pipe, text, strlen(text));
	status = mp_pipe_succeed(&pipe, err);
	mp_pipe_close(&pipe);
	return status;
}
