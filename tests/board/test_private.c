/* test_private.c: which names and texts count as private keys, logins and inis. */
#include "../unit/support.h"

#include "board/transfer/tree.h"

static void test_names(void **state)
{
	static const char *const private[] = {".ssh", ".gnupg", ".aws", ".netrc", ".pgpass", ".git-credentials",
	    "id_rsa", "id_ed25519", "id_ed25519_sk", "id_ecdsa.old", "id_rsa-work"};
	static const char *const others[] = {
	    "ssh", ".sshd", "netrc", "id_map", "id", "id_", "id_rsa.pub", "id_ed25519.pub", ""};

	(void)state;
	for (size_t i = 0; i < COUNT(private); i++)
		if (!mp_private_name(private[i]))
			fail_msg("not private: '%s'", private[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		if (mp_private_name(others[i]))
			fail_msg("private: '%s'", others[i]);
}

static void test_texts(void **state)
{
	static const char *const private[] = {"[ssh_config]", "\xef\xbb\xbf[ssh_config]\n",
	    "# a\r\n\t [ssh_config] \r\nip = x\n", "-----BEGIN OPENSSH PRIVATE KEY-----\n",
	    "Bag Attributes\n-----BEGIN ENCRYPTED PRIVATE KEY-----\n", "-----BEGIN PGP PRIVATE KEY BLOCK-----",
	    "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n", "PuTTY-User-Key-File-2: x\n"};
	static const char *const others[] = {"", "\n\n", "[ssh]\n", "x[ssh_config]\n",
	    "-----BEGIN CERTIFICATE-----\nPRIVATE KEY\n", "-----BEGIN PUBLIC KEY-----\n",
	    "\"-----BEGIN RSA PRIVATE KEY-----\"\n", "-----BEGIN", "[ssh_config"};

	(void)state;
	for (size_t i = 0; i < COUNT(private); i++)
		if (!mp_private_text(private[i], strlen(private[i])))
			fail_msg("not private: '%s'", private[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		if (mp_private_text(others[i], strlen(others[i])))
			fail_msg("private: '%s'", others[i]);
	assert_false(mp_private_text("\x7f"
				     "ELF\0\n[ssh_config]\n",
	    19)); /* a program: no ini may have a NUL */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_texts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
