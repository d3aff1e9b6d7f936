-- What the chips and the recorder of this generation call things.

-- The high half of the type of an acl call.
INSERT INTO acl_mode VALUES
  (1, 'ACL_OP'), (2, 'ACL_MODEL'), (3, 'ACL_RTS'), (4, 'ACL_OTHERS'), (5, 'ACL_NN'), (6, 'ACL_ASCENDC'), (7, 'HOST_HCCL'),
  (9, 'ACL_DVPP'), (10, 'ACL_GRAPH'), (11, 'ACL_ATB');

INSERT INTO task_kind VALUES
  (0, 'AI_CORE'), (1, 'AI_CPU'), (2, 'AIV_SQE'), (3, 'PLACE_HOLDER_SQE'), (4, 'EVENT_RECORD_SQE'),
  (5, 'EVENT_WAIT_SQE'), (6, 'NOTIFY_RECORD_SQE'), (7, 'NOTIFY_WAIT_SQE'), (8, 'WRITE_VALUE_SQE'), (9, 'VQ6_SQE'),
  (10, 'TOF_SQE'), (11, 'SDMA_SQE'), (12, 'VPC_SQE'), (13, 'JPEGE_SQE'), (14, 'JPEGD_SQE'), (15, 'DSA_SQE'),
  (16, 'ROCCE_SQE'), (17, 'PCIE_DMA_SQE'), (18, 'HOST_CPU_SQE'), (19, 'CDQM_SQE'), (20, 'C_CORE_SQE');

INSERT INTO subtask_kind VALUES
  (0, 'AIC'), (1, 'AIV'), (3, 'Notify Wait'), (4, 'Notify Record'), (5, 'Write Value'), (6, 'MIX_AIC'),
  (7, 'MIX_AIV'), (8, 'SDMA'), (9, 'Data Context'), (10, 'Invalidate Data Context'), (11, 'Writeback Data Context'),
  (12, 'AI_CPU'), (13, 'Load Context'), (15, 'DSA');

INSERT INTO node_kind VALUES
  (0, 'AI_CORE'), (1, 'AI_CPU'), (2, 'AI_VECTOR_CORE'), (3, 'WRITE_BACK'), (4, 'MIX_AIC'), (5, 'MIX_AIV'),
  (6, 'FFTS_PLUS'), (7, 'DSA_SQE'), (8, 'DVPP'), (9, 'COMMUNICATION'), (10, 'FUSION'), (11, 'INVALID'),
  (256, 'HCCL_AI_CPU');

INSERT INTO data_type VALUES
  (0, 'FLOAT'), (1, 'FLOAT16'), (2, 'INT8'), (3, 'INT32'), (4, 'UINT8'), (6, 'INT16'), (7, 'UINT16'), (8, 'UINT32'),
  (9, 'INT64'), (10, 'UINT64'), (11, 'DOUBLE'), (12, 'BOOL'), (13, 'STRING'), (14, 'DUAL_SUB_INT8'),
  (15, 'DUAL_SUB_UINT8'), (16, 'COMPLEX64'), (17, 'COMPLEX128'), (18, 'QINT8'), (19, 'QINT16'), (20, 'QINT32'),
  (21, 'QUINT8'), (22, 'QUINT16'), (23, 'RESOURCE'), (24, 'STRING_REF'), (25, 'DUAL'), (26, 'DT_VARIANT'),
  (27, 'DT_BF16'), (28, 'UNDEFINED'), (29, 'DT_INT4'), (30, 'DT_UINT1'), (31, 'DT_INT2'), (32, 'DT_UINT2'),
  (33, 'DT_MAX');

INSERT INTO data_format VALUES
  (0, 'NCHW'), (1, 'NHWC'), (2, 'ND'), (3, 'NC1HWC0'), (4, 'FRACTAL_Z'), (5, 'NC1C0HWPAD'), (6, 'NHWC1C0'),
  (7, 'FSR_NCHW'), (8, 'FRACTAL_DECONV'), (9, 'C1HWNC0'), (10, 'FRACTAL_DECONV_TRANSPOSE'),
  (11, 'FRACTAL_DECONV_SP_STRIDE_TRANS'), (12, 'NC1HWC0_C04'), (13, 'FRACTAL_Z_C04'), (14, 'CHWN'),
  (15, 'FRACTAL_DECONV_SP_STRIDE8_TRANS'), (16, 'HWCN'), (17, 'NC1KHKWHWC0'), (18, 'BN_WEIGHT'), (19, 'FILTER_HWCK'),
  (20, 'HASHTABLE_LOOKUP_LOOKUPS'), (21, 'HASHTABLE_LOOKUP_KEYS'), (22, 'HASHTABLE_LOOKUP_VALUE'),
  (23, 'HASHTABLE_LOOKUP_OUTPUT'), (24, 'HASHTABLE_LOOKUP_HITS'), (25, 'C1HWNCoC0'), (26, 'FORMAT_MD'),
  (27, 'NDHWC'), (28, 'FRACTAL_ZZ'), (29, 'FRACTAL_NZ'), (30, 'NCDHW'), (31, 'DHWCN'), (32, 'NDC1HWC0'),
  (33, 'FRACTAL_Z_3D'), (34, 'FORMAT_CN'), (35, 'FORMAT_NC'), (36, 'DHWNC'), (37, 'FRACTAL_Z_3D_TRANSPOSE'),
  (38, 'FRACTAL_ZN_LSTM'), (39, 'FRACTAL_Z_G'), (40, 'RESERVED'), (41, 'ALL'), (42, 'NULL'), (43, 'ND_RNN_BIAS'),
  (44, 'FRACTAL_ZN_RNN'), (45, 'END'), (255, 'MAX');

-- What steps of collective operations call their kinds.
INSERT INTO hccl_kind VALUES
  ('data', 0, 'INT8'), ('data', 1, 'INT16'), ('data', 2, 'INT32'), ('data', 3, 'FP16'), ('data', 4, 'FP32'),
  ('data', 5, 'INT64'), ('data', 6, 'UINT64'), ('data', 7, 'UINT8'), ('data', 8, 'UINT16'), ('data', 9, 'UINT32'),
  ('data', 10, 'FP64'), ('data', 11, 'BFP16'), ('data', 12, 'INT128'), ('data', 14, 'HIF8'), ('data', 15, 'FP8E4M3'),
  ('data', 16, 'FP8E5M2'), ('data', 17, 'FP8E8M0'), ('data', 255, 'RESERVED'), ('data', 65534, 'N/A'),
  ('data', 65535, 'INVALID_TYPE');
INSERT INTO hccl_kind VALUES
  ('link', 0, 'ON_CHIP'), ('link', 1, 'HCCS'), ('link', 2, 'PCIE'), ('link', 3, 'ROCE'), ('link', 4, 'SIO'),
  ('link', 5, 'HCCS_SW'), ('link', 6, 'STANDARD_ROCE'), ('link', 7, 'UB'), ('link', 8, 'UBoE'),
  ('link', 255, 'RESERVED'), ('link', 65534, 'N/A'), ('link', 65535, 'INVALID_TYPE');
INSERT INTO hccl_kind VALUES
  ('rdma', 0, 'RDMA_SEND_NOTIFY'), ('rdma', 1, 'RDMA_SEND_PAYLOAD'), ('rdma', 255, 'RESERVED'),
  ('rdma', 65534, 'N/A'), ('rdma', 65535, 'INVALID_TYPE');
INSERT INTO hccl_kind VALUES
  ('op', 0, 'SUM'), ('op', 1, 'MUL'), ('op', 2, 'MAX'), ('op', 3, 'MIN'), ('op', 255, 'RESERVED'),
  ('reduce', 0, 'SUM'), ('reduce', 1, 'PROD'), ('reduce', 2, 'MAX'), ('reduce', 3, 'MIN'), ('reduce', 255, 'RESERVED');
INSERT INTO hccl_kind VALUES
  ('transport', 0, 'SDMA'), ('transport', 1, 'RDMA'), ('transport', 2, 'LOCAL'), ('transport', 3, 'UB'),
  ('transport', 4, 'ROCE'), ('transport', 255, 'RESERVED'), ('transport', 65534, 'N/A'),
  ('transport', 65535, 'INVALID_TYPE');
