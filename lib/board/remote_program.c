/*
 * remote_program.c: starts a program on the board so that it can be stopped as a whole,
 * children and all, whatever becomes of the connection.
 */
#include <stdio.h>
#include <string.h>

#include "board/remote.h"
#include "board/remote_script.h"

enum { STOP_MS = 15000 };

/*
 * setsid does not fork here, because the shell's child never leads a group: process
 * and session have one number, which is written before the program begins. Where there
 * is no setsid, the group that sshd gave to this shell serves; it is read from /proc.
 * The line after the program keeps the shell from replacing itself by its last command.
 */
static const char RECORD_OWN[] = "echo \"$$\"";
static const char RECORD_GROUP[] = "{ read -r l </proc/$$/stat; l=${l##*) }; set -- $l; echo \"$3\"; }";

int mp_remote_program_start(struct mp_command **command, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_remote_program *program, struct mp_error *err)
{
	struct mp_script script;

	mp_script_start(&script);
	mp_script_code(&script, "umask 027; ");
	mp_script_enter(&script, program->dir);
	mp_script_code(&script, "f=");
	mp_script_word(&script, program->pid_file);
	mp_script_code(&script, "; ");
	if (remote->setsid) {
		mp_script_code(&script, "setsid sh -c '");
		mp_script_code(&script, RECORD_OWN);
		mp_script_code(&script, " >\"$0\" || exit 100; exec \"$@\"' \"$f\"");
	} else {
		mp_script_code(&script, "(");
		mp_script_code(&script, RECORD_GROUP);
		mp_script_code(&script, " >\"$f\") || exit 100; ");
	}
	for (const char *const *word = program->argv; *word; word++) {
		mp_script_code(&script, " ");
		mp_script_word(&script, *word);
	}
	mp_script_code(&script, " </dev/null; s=$?; rm -f \"$f\"; exit $s");
	if (mp_script_check(&script, err))
		return -1;
	return mp_command_start(command, board, script.text, err);
}

/*
 * kill -0 on a group that has only zombies left succeeds until they are reaped, thus
 * the end of the wait is no error when KILL was sent. A process number of 1 or less
 * would mean every process; a hostile or damaged file must not reach kill.
 */
int mp_remote_program_stop(struct mp_board *board, const char *pid_file, int grace_s, struct mp_error *err)
{
	struct mp_script script;
	char answer[64];
	int status;

	mp_script_start(&script);
	mp_script_code(&script, "f=");
	mp_script_word(&script, pid_file);
	mp_script_code(&script, "; [ -f \"$f\" ] || exit 0; read -r p <\"$f\"; "
				"case $p in ''|*[!0-9]*|0|1|0*) rm -f \"$f\"; exit 101;; esac; "
				"if kill -TERM \"-$p\" 2>/dev/null; then n=");
	mp_script_number(&script, (int64_t)grace_s * 10);
	mp_script_code(&script, "; while [ $n -gt 0 ] && kill -0 \"-$p\" 2>/dev/null; do n=$((n - 1)); "
				"sleep 0.1 2>/dev/null || { sleep 1; n=$((n - 9)); }; done; "
				"kill -KILL \"-$p\" 2>/dev/null; fi; rm -f \"$f\"; exit 0");
	if (mp_script_check(&script, err) ||
	    mp_board_run(board, script.text, answer, sizeof(answer), grace_s * 2000 + STOP_MS, &status, err))
		return -1;
	if (status == 101)
		return mp_fail(err, "board '%s': '%s' holds no process number", mp_board_name(board), pid_file);
	return 0;
}
