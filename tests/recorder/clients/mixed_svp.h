/* mixed_svp.h: uses names of our header for boards, and of one in the manner of the vendor's. */
static inline svp_acl_error use(svp_acl_rt_stream stream, svp_acl_data_buffer *buffer)
{
	svp_acl_error code = stream ? svp_acl_prof_finalize() : svp_acl_init(NULL);

	if (!buffer)
		buffer = svp_acl_create_data_buffer(&code, sizeof(code), 1);
	return code == SVP_ACL_SUCCESS || code == SVP_ACL_ERROR_NONE ? SVP_ACL_SUCCESS : SVP_ACL_ERROR_INVALID_PARAM;
}
svp_acl_error (*const used)(svp_acl_rt_stream, svp_acl_data_buffer *) = use;
