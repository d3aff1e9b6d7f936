/* slots.c: the names of the fields of task records in the layouts. */
#include "slots.h"

const char *const gen_slot_names[GEN_CORE_SLOTS] = {"task_id", "stream_id", "start_tick", "end_tick", "mac_busy",
    "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld", "ddr_read_bytes", "ddr_write_bytes",
    "icache_miss", "icache_access"};
