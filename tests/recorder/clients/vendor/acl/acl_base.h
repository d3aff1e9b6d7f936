/* acl_base.h: a header in the manner of the vendor's, with the same names, for tests that include both. */
#ifndef INC_EXTERNAL_ACL_ACL_BASE_H_
#define INC_EXTERNAL_ACL_ACL_BASE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *aclrtStream;
typedef int aclError;
typedef struct aclDataBuffer aclDataBuffer;

static const int ACL_ERROR_NONE = 0;
static const int ACL_SUCCESS = 0;
static const int ACL_ERROR_INVALID_PARAM = 100000;

typedef enum { ACL_DT_UNDEFINED = -1, ACL_FLOAT = 0 } aclDataType;

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
