/*
 * collection_sh.h: the shell scripts of this folder, as texts; each *.sh file says its arguments.
 * lib/board/embed.sh makes the texts. Start one with mp_script_argument and mp_script_body.
 */
#ifndef MP_BOARD_COLLECTION_SH_H
#define MP_BOARD_COLLECTION_SH_H

extern const char mp_sh_board_stats[];
extern const char mp_sh_claim[];
extern const char mp_sh_guard[];
extern const char mp_sh_is_mounted[];
extern const char mp_sh_list_jobs[];
extern const char mp_sh_mount_nfs[];
extern const char mp_sh_place_stats[];
extern const char mp_sh_run_program[];
extern const char mp_sh_unmount[];

#endif
