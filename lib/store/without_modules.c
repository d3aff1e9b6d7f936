/*
 * without_modules.c: stands for modules of SQLite that no statement of msprof uses, in a static program. The linker
 * takes these functions before those of the library, so the modules stay out. A SQLite that asks for no such function
 * ignores it.
 */
#define NO_MODULE(function)                                                                                            \
	int function(void *handle);                                                                                    \
	int function(void *handle)                                                                                     \
	{                                                                                                              \
		(void)handle;                                                                                          \
		return 0; /* SQLITE_OK */                                                                              \
	}

NO_MODULE(sqlite3Fts3Init)
NO_MODULE(sqlite3Fts5Init)
NO_MODULE(sqlite3RtreeInit)
NO_MODULE(sqlite3StmtVtabInit)
NO_MODULE(sqlite3DbstatRegister)
