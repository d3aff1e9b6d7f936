/* svp_acl_base.h: a header in the manner of the vendor's for boards, for tests that include both. */
#ifndef SVP_ACL_BASE_H
#define SVP_ACL_BASE_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *svp_acl_rt_stream;
typedef int svp_acl_error;
typedef struct svp_acl_data_buffer svp_acl_data_buffer;

#define SVP_ACL_ERROR_NONE 0
#define SVP_ACL_SUCCESS 0

#define SVP_ACL_ERROR_INVALID_PARAM 100000
#define SVP_ACL_ERROR_PROF_API_CONFLICT 148047
#define SVP_ACL_ERROR_RT_REPORT_TIMEOUT 507012

svp_acl_data_buffer *svp_acl_create_data_buffer(void *data, size_t size, size_t stride);
svp_acl_error svp_acl_init(const char *config_path);

#ifdef __cplusplus
}
#endif
#endif
