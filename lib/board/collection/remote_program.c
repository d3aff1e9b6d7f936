/* remote_program.c: starts a program on the board so that the guard can stop the program as a whole. */
#include "board/collection/remote_program.h"

#include "board/collection/collection_sh.h"
#include "board/connection/script.h"

int mp_remote_program_start(struct mp_pipe *pipe, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_remote_program *program, struct mp_error *err)
{
	struct mp_script script;

	mp_script_start(&script);
	mp_script_directory_argument(&script, program->dir);
	mp_script_argument(&script, program->pid_file);
	mp_script_argument(&script, program->group_file);
	mp_script_argument(&script, program->mark);
	mp_script_argument(&script, remote->setsid ? "setsid" : "group");
	mp_script_argument(&script, program->stats_file);
	mp_script_argument(&script, program->stats ? mp_sh_board_stats : "");
	for (const char *const *word = program->argv; *word; word++)
		mp_script_argument(&script, *word);
	mp_script_body(&script, mp_sh_run_program);
	*pipe = (struct mp_pipe){0};
	if (mp_script_check(&script, err) || mp_pipe_open(pipe, board, script.text, "run the program", NULL, err))
		return -1;
	mp_pipe_budget(pipe, MP_BUDGET_PROGRAM);
	return 0;
}
