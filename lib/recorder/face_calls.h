/*
 * face_calls.h: the calls of the families, and the names of their parameters for messages: read once by each that
 * defines what a row is, and therefore without a guard. `face` and `vendor` are those of the family, and `family_...`
 * its types. Rows up to GET_OP_DESC_SIZE depend on the mode of the process, and so do all getters behind it.
 *
 *	FACE_CALL(id, result, its name in aclprof*, its name in svp_acl_prof_*, parameters, what does the work)
 *	ASCEND_CALL(id, result, name, parameters, what does the work): svp_acl_prof_* does not have it
 *	FACE_NAME(id, its name in aclprof*, its name in svp_acl_prof_*): its types differ, each family defines it
 *	ASCEND_NAME(id, name)
 *	FACE_PARAM(id, its name in aclprof*, its name in svp_acl_prof_*, or NULL)
 */
#ifdef FACE_CALL
FACE_CALL(ACL_INIT, int, aclInit, svp_acl_init, (const char *path), mp_next_init(&vendor, &face, path))
FACE_CALL(ACL_FINALIZE, int, aclFinalize, svp_acl_finalize, (void), mp_next_finalize(&vendor, &face))
FACE_CALL(INIT, int, aclprofInit, svp_acl_prof_init, (const char *path, size_t length),
    (mp_next_begin_late(&vendor, &face), msprof_control_init(&face, path, length)))
ASCEND_CALL(SET_CONFIG, int, aclprofSetConfig, (aclprofConfigType type, const char *value, size_t length),
    msprof_control_set_config(&face, (int)type, value, length))
FACE_CALL(START, int, aclprofStart, svp_acl_prof_start, (const family_config *config),
    msprof_control_start(&face, (const struct msprof_config *)config))
ASCEND_CALL(WARM_UP, int, aclprofWarmup, (const family_config *config),
    msprof_control_warm_up(&face, (const struct msprof_config *)config))
FACE_CALL(STOP, int, aclprofStop, svp_acl_prof_stop, (const family_config *config),
    msprof_control_stop(&face, (const struct msprof_config *)config))
FACE_CALL(FINALIZE, int, aclprofFinalize, svp_acl_prof_finalize, (void), msprof_control_finalize(&face))
FACE_CALL(SUBSCRIBE, int, aclprofModelSubscribe, svp_acl_prof_model_subscribe,
    (uint32_t model, const family_subscribe_config *config),
    (mp_next_begin_late(&vendor, &face),
	msprof_control_subscribe(&face, model, (const struct msprof_subscribe_config *)config)))
FACE_CALL(UNSUBSCRIBE, int, aclprofModelUnSubscribe, svp_acl_prof_model_unsubscribe, (uint32_t model),
    msprof_control_unsubscribe(&face, model))
FACE_CALL(GET_OP_DESC_SIZE, int, aclprofGetOpDescSize, svp_acl_prof_get_op_desc_size, (size_t * size),
    msprof_op_size(&face, size))
FACE_CALL(GET_OP_NUM, int, aclprofGetOpNum, svp_acl_prof_get_op_num, (const void *data, size_t len, uint32_t *count),
    msprof_op_count(&face, data, len, count))
FACE_CALL(GET_OP_TYPE_LEN, int, aclprofGetOpTypeLen, svp_acl_prof_get_op_type_len,
    (const void *data, size_t len, uint32_t index, size_t *size),
    msprof_op_text_size(&face, MSPROF_OP_TYPE, data, len, index, size))
FACE_CALL(GET_OP_TYPE, int, aclprofGetOpType, svp_acl_prof_get_op_type,
    (const void *data, size_t len, uint32_t index, char *copy, size_t size),
    msprof_op_text_copy(&face, MSPROF_OP_TYPE, data, len, index, copy, size))
FACE_CALL(GET_OP_NAME_LEN, int, aclprofGetOpNameLen, svp_acl_prof_get_op_name_len,
    (const void *data, size_t len, uint32_t index, size_t *size),
    msprof_op_text_size(&face, MSPROF_OP_NAME, data, len, index, size))
FACE_CALL(GET_OP_NAME, int, aclprofGetOpName, svp_acl_prof_get_op_name,
    (const void *data, size_t len, uint32_t index, char *copy, size_t size),
    msprof_op_text_copy(&face, MSPROF_OP_NAME, data, len, index, copy, size))
FACE_CALL(GET_OP_START, uint64_t, aclprofGetOpStart, svp_acl_prof_get_op_start,
    (const void *data, size_t len, uint32_t index), msprof_op_get(&face, MSPROF_OP_START, data, len, index))
FACE_CALL(GET_OP_END, uint64_t, aclprofGetOpEnd, svp_acl_prof_get_op_end,
    (const void *data, size_t len, uint32_t index), msprof_op_get(&face, MSPROF_OP_END, data, len, index))
FACE_CALL(GET_OP_DURATION, uint64_t, aclprofGetOpDuration, svp_acl_prof_get_op_duration,
    (const void *data, size_t len, uint32_t index), msprof_op_get(&face, MSPROF_OP_DURATION, data, len, index))
FACE_CALL(GET_MODEL_ID, size_t, aclprofGetModelId, svp_acl_prof_get_model_id,
    (const void *data, size_t len, uint32_t index), (size_t)msprof_op_get(&face, MSPROF_OP_MODEL_ID, data, len, index))
ASCEND_CALL(GET_OP_FLAG, aclprofSubscribeOpFlag, aclprofGetOpFlag, (const void *data, size_t len, uint32_t index),
    (aclprofSubscribeOpFlag)msprof_op_flag(&face, data, len, index))
ASCEND_CALL(GET_OP_ATTRIBUTE, const char *, aclprofGetOpAttriValue,
    (const void *data, size_t len, uint32_t index, aclprofSubscribeOpAttri attribute),
    msprof_op_attribute(&face, data, len, index, (int)attribute))
FACE_NAME(CREATE_CONFIG, aclprofCreateConfig, svp_acl_prof_create_config)
FACE_CALL(DESTROY_CONFIG, int, aclprofDestroyConfig, svp_acl_prof_destroy_config, (const family_config *config),
    msprof_config_destroy(&face, (const struct msprof_config *)config))
FACE_NAME(CREATE_SUBSCRIBE_CONFIG, aclprofCreateSubscribeConfig, svp_acl_prof_create_subscribe_config)
FACE_CALL(DESTROY_SUBSCRIBE_CONFIG, int, aclprofDestroySubscribeConfig, svp_acl_prof_destroy_subscribe_config,
    (const family_subscribe_config *config),
    msprof_subscribe_config_destroy(&face, (const struct msprof_subscribe_config *)config))
ASCEND_CALL(CREATE_STAMP, void *, aclprofCreateStamp, (void), msprof_stamp_create(&face))
ASCEND_NAME(DESTROY_STAMP, aclprofDestroyStamp)
ASCEND_CALL(SET_STAMP_MESSAGE, int, aclprofSetStampTraceMessage, (void *stamp, const char *text, uint32_t len),
    msprof_stamp_set_message(&face, stamp, text, len))
ASCEND_CALL(MARK, int, aclprofMark, (void *stamp), msprof_stamp_mark(&face, stamp))
ASCEND_CALL(PUSH, int, aclprofPush, (void *stamp), msprof_stamp_push(&face, stamp))
ASCEND_CALL(POP, int, aclprofPop, (void), msprof_stamp_pop(&face))
ASCEND_CALL(
    RANGE_START, int, aclprofRangeStart, (void *stamp, uint32_t *id), msprof_stamp_range_start(&face, stamp, id))
ASCEND_CALL(RANGE_STOP, int, aclprofRangeStop, (uint32_t id), msprof_stamp_range_stop(&face, id))
ASCEND_CALL(SET_STAMP_TAG, int, aclprofSetStampTagName, (void *stamp, const char *tag, uint16_t len),
    ((void)len, msprof_stamp_set_other(&face, MP_CALL_SET_STAMP_TAG, MP_PARAM_TAG, stamp, tag)))
ASCEND_CALL(SET_STAMP_STACK, int, aclprofSetStampCallStack, (void *stamp, const char *stack, uint32_t len),
    ((void)len, msprof_stamp_set_other(&face, MP_CALL_SET_STAMP_STACK, MP_PARAM_CALL_STACK, stamp, stack)))
ASCEND_CALL(SET_STAMP_PAYLOAD, int, aclprofSetStampPayload, (void *stamp, const int32_t type, void *value),
    ((void)type, msprof_stamp_set_other(&face, MP_CALL_SET_STAMP_PAYLOAD, MP_PARAM_PAYLOAD, stamp, value)))
ASCEND_CALL(SET_STAMP_CATEGORY, int, aclprofSetStampCategory, (void *stamp, uint32_t category),
    msprof_stamp_set_category(&face, stamp, category))
ASCEND_CALL(SET_CATEGORY_NAME, int, aclprofSetCategoryName, (uint32_t category, const char *name),
    ((void)category, msprof_stamp_set_category_name(&face, name)))
ASCEND_CALL(REPORT_STAMP, int, aclprofReportStamp,
    (const char *tag, unsigned tag_len, unsigned char *data, unsigned data_len),
    ((void)tag_len, (void)data_len, msprof_stamp_report(&face, tag, data)))
/* The stream of the next two belongs to the device, which is not recorded. */
ASCEND_CALL(MARK_EX, int, aclprofMarkEx, (const char *text, size_t len, aclrtStream stream),
    ((void)stream, msprof_mark_ex(&face, text, len)))
ASCEND_CALL(STEP_TIMESTAMP, int, aclprofGetStepTimestamp,
    (aclprofStepInfo * step, aclprofStepTag tag, aclrtStream stream),
    ((void)stream, msprof_step_timestamp(&face, step, (int)tag)))
ASCEND_CALL(
    RANGE_PUSH, int, aclprofRangePushEx, (aclprofEventAttributes * attributes), msprof_range_push(&face, attributes))
ASCEND_CALL(RANGE_POP, int, aclprofRangePop, (void), msprof_range_pop(&face))
ASCEND_CALL(CREATE_STEP, aclprofStepInfo *, aclprofCreateStepInfo, (void), (aclprofStepInfo *)msprof_step_create(&face))
ASCEND_NAME(DESTROY_STEP, aclprofDestroyStepInfo)
ASCEND_CALL(GET_FEATURES, int, aclprofGetSupportedFeatures, (size_t * size, void **data),
    msprof_features(&face, MP_CALL_GET_FEATURES, size, data))
ASCEND_CALL(GET_FEATURES_V2, int, aclprofGetSupportedFeaturesV2, (size_t * size, void **data),
    msprof_features(&face, MP_CALL_GET_FEATURES_V2, size, data))
#endif
#ifdef FACE_PARAM
FACE_PARAM(RESULT_PATH, "profilerResultPath", "result_path")
FACE_PARAM(LENGTH, "length", "length")
FACE_PARAM(DEVICE_LIST, "deviceIdList", "device_id_list")
FACE_PARAM(DEVICE_COUNT, "deviceNums", "device_nums")
FACE_PARAM(METRICS, "aicoreMetrics", "aicore_metrics")
FACE_PARAM(EVENTS, "aicoreEvents", "aicore_events")
FACE_PARAM(CONFIG, "profilerConfig", "profiler_config")
FACE_PARAM(CONFIG_TYPE, "configType", NULL)
FACE_PARAM(CONFIG_VALUE, "config", NULL)
FACE_PARAM(CONFIG_LENGTH, "configLength", NULL)
FACE_PARAM(MODEL_ID, "modelId", "model_id")
FACE_PARAM(SUBSCRIBE_CONFIG, "profSubscribeConfig", "subscribe_config")
FACE_PARAM(FD, "fd", "fd")
FACE_PARAM(OP_INFO, "opInfo", "op_info")
FACE_PARAM(OP_INFO_LEN, "opInfoLen", "op_info_len")
FACE_PARAM(INDEX, "index", "index")
FACE_PARAM(OP_DESC_SIZE, "opDescSize", "op_desc_size")
FACE_PARAM(OP_NUMBER, "opNumber", "op_number")
FACE_PARAM(OP_TYPE, "opType", "op_type")
FACE_PARAM(OP_TYPE_LEN, "opTypeLen", "op_type_len")
FACE_PARAM(OP_NAME, "opName", "op_name")
FACE_PARAM(OP_NAME_LEN, "opNameLen", "op_name_len")
FACE_PARAM(STAMP, "stamp", NULL)
FACE_PARAM(MESSAGE, "msg", NULL)
FACE_PARAM(MESSAGE_LEN, "msgLen", NULL)
FACE_PARAM(RANGE_ID, "rangeId", NULL)
FACE_PARAM(ATTRIBUTE, "attri", NULL)
FACE_PARAM(TAG, "tag", NULL)
FACE_PARAM(CALL_STACK, "callStack", NULL)
FACE_PARAM(PAYLOAD, "value", NULL)
FACE_PARAM(CATEGORY_NAME, "categoryName", NULL)
FACE_PARAM(RANGE_ATTRIBUTES, "attr", NULL)
FACE_PARAM(STEP, "stepInfo", NULL)
FACE_PARAM(STEP_TAG, "tag", NULL)
FACE_PARAM(FEATURES_SIZE, "featuresSize", NULL)
FACE_PARAM(FEATURES, "featuresData", NULL)
#endif
#undef FACE_CALL
#undef ASCEND_CALL
#undef FACE_NAME
#undef ASCEND_NAME
#undef FACE_PARAM
