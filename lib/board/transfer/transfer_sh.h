/*
 * transfer_sh.h: the shell scripts of this folder, as texts; each *.sh file says its arguments.
 * lib/board/embed.sh makes the texts. Start one with mp_script_argument and mp_script_body.
 */
#ifndef MP_BOARD_TRANSFER_SH_H
#define MP_BOARD_TRANSFER_SH_H

extern const char mp_sh_list_tree[];
extern const char mp_sh_make_dir[];
extern const char mp_sh_probe[];

#endif
