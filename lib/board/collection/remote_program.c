/*
 * remote_program.c: starts a program on the board so that it can be stopped as a whole,
 * children and all, whatever becomes of the connection.
 */
#include "board/collection/remote_program.h"

#include "board/connection/script.h"

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
