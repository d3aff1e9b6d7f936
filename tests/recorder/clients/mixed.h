/* mixed.h: uses names of both headers of a test that includes ours and one in the manner of the vendor's. */
static inline aclError use(aclrtStream stream, aclDataBuffer *buffer)
{
	aclDataType type = ACL_FLOAT;
	aclError code = aclprofMarkEx("m", 1, stream);

	if (!buffer)
		buffer = aclCreateDataBuffer(&type, sizeof(type));
	return code == ACL_SUCCESS || code == ACL_ERROR_NONE ? ACL_SUCCESS : ACL_ERROR_INVALID_PARAM;
}
aclError (*const used)(aclrtStream, aclDataBuffer *) = use;
