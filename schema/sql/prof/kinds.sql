-- Runs after records.sql: words that do not depend on a job. A database of an earlier version is given them, too.

-- Exports name five levels; they say nothing of the others, whose calls are of no track, and of two of them not even the number.
INSERT INTO level(level, name, track, shown, number) VALUES
  (20000, 'acl', 'AscendCL', 'acl', 20000), (15000, 'model', 'Model', 'model', 15000), (10000, 'node', 'Node', 'node', 10000),
  (5500, 'communication', 'Communication', 'communication', 5500), (5000, 'runtime', 'Runtime', 'runtime', 5000), (30000, 'pytorch', 'Api', '', 65535),
  (25000, 'pta', 'Api', '', 65535), (20500, 'tx', 'Api', '', 65535), (6000, 'aicpu', 'Api', '', 6000), (4500, 'prof', 'Api', '', 4500),
  (4000, 'dpu', 'Api', '', 4000), (3000, 'aic', 'Api', '', 3000);

-- What the host calls its tasks. in_node: an operator in the call of a node; alone: without one an operator by itself, of that kind of
-- node; busy: does not bound the free time of a device; contexts: sub-tasks may be the operators, without a node that of context 0 where
-- by_context; copies: copies memory. Further types that begin with KERNEL are operators in the call of a node.
INSERT INTO host_word(name, in_node, alone, node_kind, busy, contexts, by_context, copies) VALUES
  ('KERNEL_AICORE', 1, 1, 0, 1, 1, 0, 0), ('KERNEL_AICPU', 1, 1, 1, 0, 0, 0, 0), ('KERNEL_AIVEC', 1, 1, 2, 1, 1, 0, 0),
  ('KERNEL_MIX_AIC', 1, 1, 4, 1, 1, 1, 0), ('KERNEL_MIX_AIV', 1, 1, 5, 1, 1, 1, 0), ('KERNEL_SIMT', 1, 1, 2, 0, 1, 0, 0),
  ('FFTS_PLUS', 1, 0, NULL, 1, 1, 0, 0), ('STARS_COMMON', 1, 0, NULL, 0, 0, 0, 0), ('MEMCPY_ASYNC', 0, 0, NULL, 0, 0, 0, 1),
  ('PROFILING_ENABLE', 0, 0, NULL, 1, 0, 0, 0), ('PROFILING_DISABLE', 0, 0, NULL, 1, 0, 0, 0);

-- Chips: names, kinds of metrics, whether "stars" logs their tasks, whether their reports are in the older style, and the curve of
-- the frequency of their cores: none (NULL), of the info file (0), or of changes, each recorded once or twice.
INSERT INTO chip VALUES
  (0, 'Ascend310', 'one', 0, 1, NULL), (1, 'Ascend910A', 'one', 0, 1, NULL), (2, 'UNKNOWN', 'three', 0, 1, NULL), (3, 'UNKNOWN', 'three', 0, 1, NULL),
  (4, 'Ascend310P', 'three', 0, 1, 0), (5, 'Ascend910B', 'two', 1, 0, 2), (7, 'Ascend310B', 'one', 1, 1, 1), (8, 'UNKNOWN', 'one', 1, 1, NULL),
  (9, 'UNKNOWN', 'one', 0, 1, NULL), (11, 'UNKNOWN', 'one', 1, 1, NULL), (15, 'Ascend950', 'two', 1, 0, NULL), (16, 'UNKNOWN', 'two', 1, 0, NULL);

-- The metrics of each group, made of events of the core; several events of one metric are added up, each with its weight. Kinds
-- of chips (NULL: all): two (cube and vector cores have their own), one (a core has both units), three (as one, with other vectors).
-- What a metric is: pipe (a time and a ratio), ratio (to the cycles), rate (to another event), bandwidth (weight: bytes, in GB/s),
-- count, or work (counted as long as there are cycles).
INSERT INTO formula(kinds, metrics, place, name, what, event, weight, per) VALUES
  (NULL, 'PipeUtilization', 0, 'vec', 'pipe', 0x8, 1, NULL), (NULL, 'PipeUtilization', 1, 'mac', 'pipe', 0xa, 1, NULL),
  (NULL, 'PipeUtilization', 2, 'scalar', 'pipe', 0x9, 1, NULL), (NULL, 'PipeUtilization', 3, 'mte1', 'pipe', 0xb, 1, NULL),
  (NULL, 'PipeUtilization', 4, 'mte2', 'pipe', 0xc, 1, NULL), (NULL, 'PipeUtilization', 5, 'mte3', 'pipe', 0xd, 1, NULL),
  (NULL, 'PipeUtilization', 6, 'icache_miss_rate', 'rate', 0x55, 1, 0x54), (NULL, 'PipeUtilizationExct', 0, 'mac', 'pipe', 0x416, 1, NULL),
  (NULL, 'PipeUtilizationExct', 0, 'mac', 'pipe', 0x417, 1, NULL), (NULL, 'PipeUtilizationExct', 1, 'scalar', 'pipe', 0x9, 1, NULL),
  (NULL, 'PipeUtilizationExct', 2, 'mte1', 'pipe', 0x302, 1, NULL), (NULL, 'PipeUtilizationExct', 3, 'mte2', 'pipe', 0xc, 1, NULL),
  (NULL, 'PipeUtilizationExct', 4, 'fixpipe', 'pipe', 0x303, 1, NULL),
  (NULL, 'PipeUtilizationExct', 5, 'icache_miss_rate', 'rate', 0x55, 1, 0x54),
  (NULL, 'ArithmeticUtilization', 0, 'mac_fp16_ratio', 'ratio', 0x49, 1, NULL),
  (NULL, 'ArithmeticUtilization', 1, 'mac_int8_ratio', 'ratio', 0x4a, 1, NULL),
  (NULL, 'ArithmeticUtilization', 2, 'vec_fp32_ratio', 'ratio', 0x4b, 1, NULL),
  (NULL, 'ArithmeticUtilization', 3, 'vec_fp16_ratio', 'ratio', 0x4c, 1, NULL),
  (NULL, 'ArithmeticUtilization', 3, 'vec_fp16_ratio', 'ratio', 0x4d, 1, NULL),
  (NULL, 'ArithmeticUtilization', 4, 'vec_int32_ratio', 'ratio', 0x4e, 1, NULL),
  (NULL, 'ArithmeticUtilization', 5, 'vec_misc_ratio', 'ratio', 0x4f, 1, NULL),
  (NULL, 'ArithmeticUtilization', 6, 'cube_fops', 'work', 0x49, 8192, NULL),
  (NULL, 'ArithmeticUtilization', 6, 'cube_fops', 'work', 0x4a, 16384, NULL),
  (NULL, 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4c, 128, NULL),
  (NULL, 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4d, 64, NULL),
  (NULL, 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4b, 64, NULL),
  ('one two', 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4e, 64, NULL),
  ('one two', 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4f, 32, NULL),
  ('three', 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4e, 16, NULL),
  ('three', 'ArithmeticUtilization', 7, 'vector_fops', 'work', 0x4f, 16, NULL),
  (NULL, 'Memory', 0, 'ub_read_bw', 'bandwidth', 0x15, 1024, NULL), (NULL, 'Memory', 1, 'ub_write_bw', 'bandwidth', 0x16, 1024, NULL),
  (NULL, 'Memory', 2, 'l1_read_bw', 'bandwidth', 0x31, 4096, NULL), ('two', 'Memory', 3, 'l1_write_bw', 'bandwidth', 0x32, 1024, NULL),
  ('one three', 'Memory', 3, 'l1_write_bw', 'bandwidth', 0x32, 2048, NULL),
  (NULL, 'Memory', 4, 'main_mem_read_bw', 'bandwidth', 0x12, 64, NULL),
  (NULL, 'Memory', 5, 'main_mem_write_bw', 'bandwidth', 0x13, 64, NULL), ('two', 'Memory', 6, 'l2_read_bw', 'bandwidth', 0xf, 2048, NULL),
  ('two', 'Memory', 7, 'l2_write_bw', 'bandwidth', 0x10, 2048, NULL), (NULL, 'MemoryL0', 0, 'l0a_read_bw', 'bandwidth', 0x1b, 4096, NULL),
  (NULL, 'MemoryL0', 1, 'l0a_write_bw', 'bandwidth', 0x1c, 4096, NULL), ('two', 'MemoryL0', 2, 'l0b_read_bw', 'bandwidth', 0x21, 4096, NULL),
  ('one three', 'MemoryL0', 2, 'l0b_read_bw', 'bandwidth', 0x21, 2048, NULL),
  (NULL, 'MemoryL0', 3, 'l0b_write_bw', 'bandwidth', 0x22, 2048, NULL), (NULL, 'MemoryL0', 4, 'l0c_read_bw', 'bandwidth', 0x27, 2048, NULL),
  (NULL, 'MemoryL0', 5, 'l0c_write_bw', 'bandwidth', 0x29, 2048, NULL),
  ('two', 'MemoryL0', 6, 'l0c_read_bw_cube', 'bandwidth', 0x28, 8192, NULL),
  ('one three', 'MemoryL0', 6, 'l0c_read_bw_cube', 'bandwidth', 0x28, 2048, NULL),
  ('two', 'MemoryL0', 7, 'l0c_write_bw_cube', 'bandwidth', 0x2a, 8192, NULL),
  ('one three', 'MemoryL0', 7, 'l0c_write_bw_cube', 'bandwidth', 0x2a, 2048, NULL),
  (NULL, 'MemoryUB', 0, 'ub_read_bw_vector', 'bandwidth', 0x43, 256, NULL),
  (NULL, 'MemoryUB', 1, 'ub_write_bw_vector', 'bandwidth', 0x44, 256, NULL),
  (NULL, 'MemoryUB', 2, 'ub_read_bw_scalar', 'bandwidth', 0x37, 128, NULL),
  (NULL, 'MemoryUB', 3, 'ub_write_bw_scalar', 'bandwidth', 0x38, 128, NULL),
  (NULL, 'ResourceConflictRatio', 0, 'vec_bankgroup_cflt_ratio', 'ratio', 0x64, 1, NULL),
  (NULL, 'ResourceConflictRatio', 1, 'vec_bank_cflt_ratio', 'ratio', 0x65, 1, NULL),
  (NULL, 'ResourceConflictRatio', 2, 'vec_resc_cflt_ratio', 'ratio', 0x66, 1, NULL),
  (NULL, 'L2Cache', 0, 'write_cache_hit', 'count', 0x500, 1, NULL),
  (NULL, 'L2Cache', 1, 'write_cache_miss_allocate', 'count', 0x502, 1, NULL),
  (NULL, 'L2Cache', 2, 'r0_read_cache_hit', 'count', 0x504, 1, NULL),
  (NULL, 'L2Cache', 3, 'r0_read_cache_miss_allocate', 'count', 0x506, 1, NULL),
  (NULL, 'L2Cache', 4, 'r1_read_cache_hit', 'count', 0x508, 1, NULL),
  (NULL, 'L2Cache', 5, 'r1_read_cache_miss_allocate', 'count', 0x50a, 1, NULL),
  ('two', 'MemoryAccess', 0, 'read_main_memory_datas', 'count', 0x50d, 0.125, NULL),
  ('two', 'MemoryAccess', 0, 'read_main_memory_datas', 'count', 0x50e, 0.125, NULL),
  ('two', 'MemoryAccess', 1, 'write_main_memory_datas', 'count', 0x50c, 0.125, NULL),
  ('two', 'MemoryAccess', 2, 'GM_to_L1_datas', 'count', 0x32, 0.25, NULL),
  ('two', 'MemoryAccess', 2, 'GM_to_L1_datas', 'count', 0x206, -0.25, NULL),
  ('two', 'MemoryAccess', 3, 'L0C_to_L1_datas', 'count', 0x206, 0.125, NULL),
  ('two', 'MemoryAccess', 4, 'L0C_to_GM_datas', 'count', 0x20c, 0.125, NULL),
  ('two', 'MemoryAccess', 4, 'L0C_to_GM_datas', 'count', 0x206, -0.125, NULL),
  ('two', 'MemoryAccess', 5, 'GM_to_UB_datas', 'count', 0x3e, 0.125, NULL),
  ('two', 'MemoryAccess', 6, 'UB_to_GM_datas', 'count', 0x3d, 0.125, NULL);

-- The same groups of chips of version 6 (15 and 16), whose events have other numbers.
INSERT INTO formula(kinds, metrics, place, name, what, event, weight, per) VALUES
  ('two', 'PipeUtilization of version 6', 0, 'vec', 'pipe', 0x501, 1, NULL),
  ('two', 'PipeUtilization of version 6', 1, 'mac', 'pipe', 0x301, 1, NULL),
  ('two', 'PipeUtilization of version 6', 2, 'scalar', 'pipe', 0x1, 1, NULL),
  ('two', 'PipeUtilization of version 6', 3, 'mte1', 'pipe', 0x701, 1, NULL),
  ('two', 'PipeUtilization of version 6', 4, 'mte2', 'pipe', 0x202, 1, NULL),
  ('two', 'PipeUtilization of version 6', 5, 'mte3', 'pipe', 0x203, 1, NULL),
  ('two', 'PipeUtilization of version 6', 6, 'fixpipe', 'pipe', 0x714, 1, NULL),
  ('two', 'PipeUtilization of version 6', 7, 'icache_miss_rate', 'rate', 0x35, 1, 0x34),
  ('two', 'ArithmeticUtilization of version 6', 0, 'mac_fp16_ratio', 'ratio', 0x323, 1, NULL),
  ('two', 'ArithmeticUtilization of version 6', 1, 'mac_int8_ratio', 'ratio', 0x324, 1, NULL),
  ('two', 'ArithmeticUtilization of version 6', 2, 'cube_fops', 'work', 0x323, 8192, NULL),
  ('two', 'ArithmeticUtilization of version 6', 2, 'cube_fops', 'work', 0x324, 16384, NULL),
  ('two', 'Memory of version 6', 0, 'ub_read_bw', 'bandwidth', 0x56f, 1024, NULL),
  ('two', 'Memory of version 6', 0, 'ub_read_bw', 'bandwidth', 0x571, 1024, NULL),
  ('two', 'Memory of version 6', 1, 'ub_write_bw', 'bandwidth', 0x570, 1024, NULL),
  ('two', 'Memory of version 6', 1, 'ub_write_bw', 'bandwidth', 0x572, 1024, NULL),
  ('two', 'Memory of version 6', 2, 'l1_read_bw', 'bandwidth', 0x707, 4096, NULL),
  ('two', 'Memory of version 6', 3, 'l1_write_bw', 'bandwidth', 0x709, 2048, NULL),
  ('two', 'Memory of version 6', 4, 'main_mem_read_bw', 'bandwidth', 0x400, 64, NULL),
  ('two', 'Memory of version 6', 5, 'main_mem_write_bw', 'bandwidth', 0x401, 64, NULL),
  ('two', 'MemoryL0 of version 6', 0, 'l0a_read_bw', 'bandwidth', 0x304, 4096, NULL),
  ('two', 'MemoryL0 of version 6', 1, 'l0a_write_bw', 'bandwidth', 0x703, 4096, NULL),
  ('two', 'MemoryL0 of version 6', 2, 'l0b_read_bw', 'bandwidth', 0x306, 2048, NULL),
  ('two', 'MemoryL0 of version 6', 3, 'l0b_write_bw', 'bandwidth', 0x705, 2048, NULL),
  ('two', 'MemoryL0 of version 6', 4, 'l0c_read_bw', 'bandwidth', 0x712, 2048, NULL),
  ('two', 'MemoryL0 of version 6', 5, 'l0c_read_bw_cube', 'bandwidth', 0x30a, 2048, NULL),
  ('two', 'MemoryL0 of version 6', 6, 'l0c_write_bw_cube', 'bandwidth', 0x308, 2048, NULL),
  ('two', 'MemoryUB of version 6', 0, 'ub_read_bw_mte', 'bandwidth', 0x204, 128, NULL),
  ('two', 'MemoryUB of version 6', 1, 'ub_write_bw_mte', 'bandwidth', 0x206, 128, NULL),
  ('two', 'MemoryUB of version 6', 2, 'ub_read_bw_vector', 'bandwidth', 0x571, 256, NULL),
  ('two', 'MemoryUB of version 6', 3, 'ub_write_bw_vector', 'bandwidth', 0x572, 128, NULL),
  ('two', 'MemoryUB of version 6', 4, 'ub_read_bw_scalar', 'bandwidth', 0x3, 128, NULL),
  ('two', 'MemoryUB of version 6', 5, 'ub_write_bw_scalar', 'bandwidth', 0x5, 128, NULL),
  ('two', 'MemoryUB of version 6', 6, 'fixp2ub_write_bw', 'bandwidth', 0x70c, 2048, NULL),
  ('two', 'ResourceConflictRatio of version 6', 0, 'vec_bank_cflt_ratio', 'ratio', 0x540, 1, NULL),
  ('two', 'ResourceConflictRatio of version 6', 0, 'vec_bank_cflt_ratio', 'ratio', 0x556, 1, NULL),
  ('two', 'ResourceConflictRatio of version 6', 1, 'vec_resc_cflt_ratio', 'rate', 0x528, 1, 0x502),
  ('two', 'L2Cache of version 6', 0, 'read_local_l2_hit', 'count', 0x424, 1, NULL),
  ('two', 'L2Cache of version 6', 1, 'read_local_l2_miss', 'count', 0x425, 1, NULL),
  ('two', 'L2Cache of version 6', 2, 'read_local_l2_victim', 'count', 0x426, 1, NULL),
  ('two', 'L2Cache of version 6', 3, 'write_local_l2_hit', 'count', 0x42a, 1, NULL),
  ('two', 'L2Cache of version 6', 4, 'write_local_l2_miss', 'count', 0x42b, 1, NULL),
  ('two', 'L2Cache of version 6', 5, 'write_local_l2_victim', 'count', 0x42c, 1, NULL);

-- Metrics that op_summary does not have, though they are counted: a cube core has no vector unit, and a vector core no cube.
INSERT INTO unshown VALUES
  ('aic', 'l0c_read_bw'), ('aic', 'l0c_write_bw'), ('aic', 'ub_read_bw'), ('aic', 'ub_read_bw_vector'),
  ('aic', 'ub_write_bw'), ('aic', 'ub_write_bw_vector'), ('aic', 'vec'), ('aic', 'vec_bank_cflt_ratio'),
  ('aic', 'vec_bankgroup_cflt_ratio'), ('aic', 'vec_fp16_ratio'), ('aic', 'vec_fp32_ratio'),
  ('aic', 'vec_int32_ratio'), ('aic', 'vec_misc_ratio'), ('aic', 'vec_resc_cflt_ratio'), ('aic', 'vector_fops'),
  ('aiv', 'cube_fops'), ('aiv', 'fixpipe'), ('aiv', 'l0a_read_bw'), ('aiv', 'l0a_write_bw'), ('aiv', 'l0b_read_bw'),
  ('aiv', 'l0b_write_bw'), ('aiv', 'l0c_read_bw_cube'), ('aiv', 'l0c_write_bw_cube'), ('aiv', 'l1_read_bw'),
  ('aiv', 'l1_write_bw'), ('aiv', 'mac'), ('aiv', 'mac_fp16_ratio'), ('aiv', 'mac_int8_ratio'), ('aiv', 'mte1');

-- Metrics that the cores with both units of "stars" chips lack.
INSERT INTO half_unit VALUES ('vec'), ('ub_read_bw'), ('ub_write_bw'), ('l0c_write_bw'), ('l2_write_bw'), ('vec_fp32_ratio'), ('vec_fp16_ratio'),
  ('vec_int32_ratio'), ('vec_misc_ratio'), ('vec_bankgroup_cflt_ratio'), ('vec_bank_cflt_ratio'), ('vec_resc_cflt_ratio');

INSERT INTO os_call_word VALUES
  ('accept'), ('acct'), ('alarm'), ('bind'), ('bpf'), ('brk'), ('chroot'), ('connect'), ('copy_file_range'), ('creat'), ('dup'), ('fallocate'), ('fcntl'),
  ('flock'), ('fork'), ('futex'), ('ioctl'), ('ioperm'), ('iopl'), ('kill'), ('listen'), ('membarrier'), ('mlock'), ('mmap'), ('mount'), ('move_pages'),
  ('mprotect'), ('mq_notify'), ('mq_receive'), ('mq_timedreceive'), ('mremap'), ('msgctl'), ('msgget'), ('msgrcv'), ('msgsnd'), ('munmap'), ('nanosleep'),
  ('nfsservctl'), ('open'), ('pause'), ('pipe'), ('pivot_root'), ('poll'), ('prctl'), ('ptrace'), ('read'), ('reboot'), ('recv'), ('rt_sigqueueinfo'),
  ('sched_yield'), ('seccomp'), ('select'), ('semctl'), ('semget'), ('semop'), ('semtimedop'), ('send'), ('shmat'), ('shmctl'), ('shmdt'), ('shmget'),
  ('shutdown'), ('sigaction'), ('sigsuspend'), ('socket'), ('splice'), ('swapoff'), ('swapon'), ('sync'), ('tee'), ('tgsigqueueinfo'), ('truncate'),
  ('unshare'), ('uselib'), ('vhangup'), ('wait'), ('write'), ('_sysctl');
INSERT INTO copy_kind VALUES
  (0, 'host to host'), (1, 'host to device'), (2, 'device to host'), (3, 'device to device'), (4, 'managed memory'),
  (5, 'addr device to device'), (6, 'host to device ex'), (7, 'device to host ex');

-- Modules of the driver by number.
INSERT INTO module VALUES
  (0, 'SLOG'), (1, 'IDEDD'), (2, 'SCC'), (3, 'HCCL'), (4, 'FMK'), (5, 'CCU'), (6, 'DVPP'), (7, 'RUNTIME'),
  (8, 'CCE'), (9, 'HDC'), (10, 'DRV'), (11, 'NET'), (22, 'DEVMM'), (23, 'KERNEL'), (24, 'LIBMEDIA'), (25, 'CCECPU'),
  (27, 'ROS'), (28, 'HCCP'), (29, 'ROCE'), (30, 'TEFUSION'), (31, 'PROFILING'), (32, 'DP'), (33, 'APP'), (34, 'TS'),
  (35, 'TSDUMP'), (36, 'AICPU'), (37, 'LP'), (38, 'TDT'), (39, 'FE'), (40, 'MD'), (41, 'MB'), (42, 'ME'),
  (43, 'IMU'), (44, 'IMP'), (45, 'GE'), (47, 'CAMERA'), (48, 'ASCENDCL'), (49, 'TEEOS'), (50, 'ISP'), (51, 'SIS'),
  (52, 'HSM'), (53, 'DSS'), (54, 'PROCMGR'), (55, 'BBOX'), (56, 'AIVECTOR'), (57, 'TBE'), (58, 'FV'), (60, 'TUNE'),
  (61, 'HSS'), (62, 'FFTS'), (63, 'OP'), (64, 'UDF'), (65, 'HICAID'), (66, 'TSYNC'), (67, 'AUDIO'), (68, 'TPRT'),
  (69, 'ASCENDCKERNEL'), (70, 'ASYS'), (71, 'ATRACE'), (72, 'RTC'), (73, 'SYSMONITOR'), (74, 'AMP'), (75, 'ADETECT'),
  (76, 'MBUFF'), (77, 'CUSTOM');

-- Samples of a device: see tables.sql.
INSERT INTO sample_chip VALUES
  (0, 128, 4, 0, NULL), (1, 256, 4, 0, NULL), (2, 256, 4, 0, NULL), (3, 256, 4, 0, NULL), (4, 256, 4, 0, NULL), (5, 128, 2, 1, 24), (7, 128, 1, 0, 0),
  (8, 128, 1, 0, 0), (9, 128, 4, 0, NULL), (11, 128, 1, 0, 0),
  (15, 128, 4, 0, 35), (16, 128, 4, 0, 35);

INSERT INTO llc_event VALUES
  ('read', 0x00, 0), ('read', 0x01, 1), ('read', 0x02, 2), ('read', 0x13, 3), ('read', 0x20, 4), ('read', 0x22, 5), ('read', 0x34, 6), ('read', 0x36, 7),
  ('write', 0x00, 0), ('write', 0x01, 1), ('write', 0x03, 2), ('write', 0x14, 3), ('write', 0x21, 4), ('write', 0x23, 5), ('write', 0x35, 6), ('write', 0x37, 7);

INSERT INTO sample_die VALUES
  (5, 0, 'die 0'), (5, 1, 'die 1'), (7, 0, 'die 0'), (7, 1, 'die 1'), (15, 0, 'D-DIE0'), (15, 2, 'U-DIE0'), (15, 3, 'U-DIE1'), (16, 0, 'D-DIE0'),
  (16, 2, 'U-DIE0'), (16, 3, 'U-DIE1');

INSERT INTO l2_event
SELECT chip.value, column1, column2, column3 FROM (VALUES ('request', 0x59, 1), ('hit', 0x5b, 1), ('victim', 0x5c, 1)), json_each('[1]') chip
UNION ALL SELECT chip.value, column1, column2, column3
FROM (VALUES ('request', 0x78, 1), ('request', 0x79, 1), ('hit', 0x6a, 1), ('victim', 0x71, 1)), json_each('[2,3,4]') chip
UNION ALL SELECT chip.value, column1, column2, column3
FROM (VALUES ('request', 0xfb, 1), ('request', 0xfc, 1), ('hit', 0x90, 1), ('hit', 0x91, 1), ('victim', 0x9c, 1)), json_each('[5,7,8,11]') chip
UNION ALL SELECT chip.value, column1, column2, column3
FROM (VALUES ('request', 0x00, 1), ('hit', 0x00, 1), ('hit', 0x81, -1), ('hit', 0x82, -1), ('hit', 0x83, -1), ('hit', 0x74, -1), ('hit', 0x75, -1),
  ('victim', 0x74, 1), ('victim', 0x75, 1)), json_each('[15,16]') chip
UNION ALL SELECT chip.value, column1, column2, column3
FROM (VALUES ('tlb request', 0x8a, 1), ('tlb hit', 0x8c, 1), ('tlb hit', 0x8d, 1), ('tlb victim', 0x02, 1)), json_each('[5,15,16]') chip;

-- Which option makes files that no layout reads, or not those of every chip.
INSERT INTO file_option VALUES
  ('*/SystemCpuUsage.data.*', '--sys-profiling=on'), ('*/Memory.data.*', '--sys-profiling=on'),
  ('*/nic.data.*', '--sys-io-profiling=on'), ('*/roce.data.*', '--sys-io-profiling=on'), ('*/dvpp.data.*', '--dvpp-profiling=on'), ('*/hccs.data.*', '--sys-interconnection-profiling=on'),
  ('*/pcie.data.*', '--sys-interconnection-profiling=on'), ('*/ddr.data.*', '--sys-hardware-mem=on'), ('*/hbm.data.*', '--sys-hardware-mem=on'), ('*/llc.data.*', '--sys-hardware-mem=on'),
  ('*/qos.data.*', '--sys-hardware-mem=on'), ('*/npu_mem.*', '--sys-hardware-mem=on'), ('*/npu_module_mem.*', '--sys-hardware-mem=on'), ('*/instr.*', '--instr-profiling=on'),
  ('*/l2_cache.data.*', '--l2=on'), ('*/aicore.data.*', '--ai-core=on'), ('*/aiVectorCore.data.*', '--ai-core=on'), ('*/ffts_profile.data.*', '--ai-core=on'), ('*/hwts.*', '--task-time=on'),
  ('*/stars_soc.data.*', '--task-time=on'), ('*/ts_track.*', '--task-time=on'), ('*aging.additional.memory_application.*', '--task-memory=on'),
  ('*aging.variable.capture_op_info.*', '--task-time=on'), ('*/host_platform_uncore.bin*', '--host-sys=mem');

-- Events of ARM processors.
INSERT INTO cpu_event VALUES
  (0x00, 'Sw_incr'), (0x01, 'L1i_cache_refill'), (0x02, 'L1i_tlb_refill'), (0x03, 'L1d_cache_refill'), (0x04, 'L1d_cache'), (0x05, 'L1d_tlb_refill'), (0x06,
  'Ld_retired'), (0x07, 'St_retired'), (0x08, 'Inst_retired'), (0x09, 'Exc_taken'), (0x0a, 'Exc_return'), (0x0b, 'Cid_write_retired'), (0x0c,
  'Pc_write_retired'), (0x0d, 'Br_immed_retired'), (0x0e, 'Br_return_retired'), (0x0f, 'Unaligned_ldst_retired'), (0x10, 'Br_mis_pred'), (0x11, 'Cpu_cycles'),
  (0x12, 'Br_pred'), (0x13, 'Mem_access'), (0x14, 'L1i_cache'), (0x15, 'L1d_cache_wb'), (0x19, 'Bus_access'), (0x1a, 'Memory_error'), (0x1b, 'Inst_spec'),
  (0x1c, 'Ttbr_write_retired'), (0x1d, 'Bus_cycles'), (0x1e, 'Chain'), (0x21, 'Br_retired'), (0x22, 'Br__mis_pred_retired'), (0x23, 'Stall_frontend'), (0x24,
  'Stall_backend'), (0x25, 'L1d_tlb'), (0x26, 'L1i_tlb'), (0x34, 'Dtlb_walk'), (0x35, 'Itlb_walk'), (0x36, 'Ll_cache_rd'), (0x37, 'Ll_cache_miss_rd'), (0x38,
  'Remote_access_rd'), (0x40, 'L1d_cache_ld'), (0x41, 'L1d_cache_st'), (0x42, 'L1d_cache_refill_ld'), (0x43, 'L1d_cache_refill_st'), (0x44,
  'L1d_cache_refill_inner'), (0x45, 'L1d_cache_refill_outer'), (0x60, 'Bus_access_ld'), (0x61, 'Bus_access_st'), (0x66, 'Mem_access_ld'), (0x67,
  'Mem_access_st'), (0x70, 'Ld_spec'), (0x71, 'St_spec'), (0x72, 'Ldst_spec'), (0x73, 'Dp_spec'), (0x74, 'Ase_spec'), (0x75, 'Vfp_spec'), (0x76,
  'Pc_write_spec'), (0x77, 'Crypto_spec'), (0x78, 'Br_immed_spec'), (0x79, 'Br_return_spec'), (0x7a, 'Br_indirect_spec'), (0x86, 'Exc_irq'), (0x87,
  'Exc_fiq'), (0xc2, 'L1d_cache_refill_prefetch'), (0xc4, 'L1d_ws_mode_entry'), (0xc5, 'L1d_ws_mode'), (0xc6, 'Predecode_error'), (0xc9, 'Br_cond_pred'),
  (0xca, 'Br_indirect_mis_pred'), (0xcb, 'Br_indirect_addr_mis_pred'), (0xcc, 'Br_cond_mis_pred'), (0xcd, 'Br_indirect_addr_pred'), (0xce,
  'Br_return_addr_pred'), (0xcf, 'Br_return_addr_mis_pred'), (0xe1, 'Stall_frontend_cache'), (0xe2, 'Stall_frontend_tlb'), (0xe3, 'Stall_frontend_pderr'),
  (0xe4, 'Stall_backend_ilock'), (0xe5, 'Stall_backend_ilock_agu'), (0xe6, 'Stall_backend_ilock_fpu'), (0xe7, 'Stall_backend_ld'), (0xe8, 'Stall_backend_st'),
  (0xe9, 'Stall_backend_ld_cache'), (0xea, 'Stall_backend_ld_tlb'), (0xeb, 'Stall_backend_st_stb'), (0xec, 'Stall_backend_st_tlb'),
  (0x16, 'L2d_cache'), (0x17, 'L2d_cache_refill'), (0x18, 'L2d_cache_wb'), (0x20, 'L2d_cache_allocate'), (0x2d, 'L2d_tlb_refill'), (0x2f, 'L2d_tlb'),
  (0x50, 'L2d_cache_ld'), (0x51, 'L2d_cache_st'), (0x52, 'L2d_cache_refill_ld'), (0x53, 'L2d_cache_refill_st'), (0xc1, 'L2d_cache_refill_prefetch'),
  (0xc3, 'L2d_ws_mode'), (0xd0, 'L2d_llwalk_tlb'), (0xd1, 'L2d_llwalk_tlb_refill'), (0xd2, 'L2d_l2walk_tlb'), (0xd3, 'L2d_l2walk_tlb_refill'),
  (0xd4, 'L2d_s2_tlb'), (0xd5, 'L2d_s2_tlb_refill'), (0xd6, 'L2d_cache_stash_dropped');
