/*
 * without_gssapi.c: stands for Kerberos in a static program, because Debian has no static library of it. libssh names
 * these functions, but msprof never asks for a login by them. Each refuses.
 */
const void *GSS_C_NT_HOSTBASED_SERVICE;
const void *GSS_C_NT_USER_NAME;

enum { FAILURE = 13 << 16 }; /* GSS_S_FAILURE of RFC 2744 */

#define REFUSE(function)                                                                                               \
	unsigned function(void);                                                                                       \
	unsigned function(void)                                                                                        \
	{                                                                                                              \
		return FAILURE;                                                                                        \
	}

REFUSE(gss_accept_sec_context)
REFUSE(gss_acquire_cred)
REFUSE(gss_add_oid_set_member)
REFUSE(gss_create_empty_oid_set)
REFUSE(gss_display_name)
REFUSE(gss_display_status)
REFUSE(gss_get_mic)
REFUSE(gss_import_name)
REFUSE(gss_indicate_mechs)
REFUSE(gss_init_sec_context)
REFUSE(gss_inquire_cred)
REFUSE(gss_inquire_cred_by_mech)
REFUSE(gss_release_buffer)
REFUSE(gss_release_cred)
REFUSE(gss_release_name)
REFUSE(gss_release_oid_set)
REFUSE(gss_test_oid_set_member)
REFUSE(gss_verify_mic)
