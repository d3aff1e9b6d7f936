/*
 * sandbox.c: landlock rules for files, and a seccomp filter of system calls. Both use numbers, because older headers
 * lack the names.
 */
#define _GNU_SOURCE /* O_PATH, syscall */
#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"

/* ---------------------------------------------------------------- files: linux/landlock.h */

enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 }; /* the same on all processors */
enum { LANDLOCK_VERSION = 1, LANDLOCK_BENEATH = 1 }; /* a flag of LANDLOCK_CREATE; a type of LANDLOCK_ADD */

enum {
	RIGHT_EXECUTE = 1,
	RIGHT_WRITE_FILE = 1 << 1,
	RIGHT_READ_FILE = 1 << 2,
	RIGHT_READ_DIR = 1 << 3,
	RIGHT_REMOVE_DIR = 1 << 4,
	RIGHT_REMOVE_FILE = 1 << 5,
	RIGHT_MAKE_DIR = 1 << 7,
	RIGHT_MAKE_REG = 1 << 8,
	RIGHT_TRUNCATE = 1 << 14
};

/* All rights that each version knows. The process asks for all, so that every right without a rule is refused. */
static const uint64_t handled[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff};

static const uint64_t rights[] = {
    [MP_REACH_LIST] = RIGHT_READ_DIR,
    [MP_REACH_READ] = RIGHT_READ_DIR | RIGHT_READ_FILE,
    [MP_REACH_TEMPORARY] = RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_TRUNCATE | RIGHT_MAKE_REG | RIGHT_REMOVE_FILE,
    [MP_REACH_WRITE] = RIGHT_READ_DIR | RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_TRUNCATE | RIGHT_MAKE_REG |
		       RIGHT_MAKE_DIR | RIGHT_REMOVE_FILE | RIGHT_REMOVE_DIR,
};

/* The rights that a rule for a file may have: with others the kernel refuses the rule. */
static const uint64_t of_files = RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_TRUNCATE;

struct beneath {
	uint64_t allowed;
	int32_t parent;
};

/* Allow a place. A path of no file gets no rule: to open it fails without one, or needs none, as that of a pipe. */
static int add_place(int rules, uint64_t known, const struct mp_sandbox_place *place, struct mp_error *err)
{
	struct beneath rule = {
	    .allowed = rights[place->reach] & known, .parent = open(place->path, O_PATH | O_CLOEXEC)};
	struct stat st;
	bool failed;

	if (rule.parent < 0)
		return errno == EMFILE || errno == ENFILE || errno == ENOMEM
			   ? mp_fail_errno(err, "cannot open '%s' for the sandbox", place->path)
			   : 0;
	failed = fstat(rule.parent, &st) != 0;
	if (!failed && !S_ISDIR(st.st_mode))
		rule.allowed &= of_files;
	if (!failed && rule.allowed)
		failed = syscall(LANDLOCK_ADD, rules, LANDLOCK_BENEATH, &rule, 0) && errno != EBADFD;
	if (failed)
		mp_fail_errno(err, "cannot allow '%s' in the sandbox", place->path);
	close(rule.parent); /* only its path was used */
	return failed ? -1 : 0;
}

static int add_places(
    int rules, uint64_t known, const struct mp_sandbox_place *places, size_t count, struct mp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++)
		status = add_place(rules, known, &places[i], err);
#ifdef MSPROF_COUNTERS /* a build of `make coverage` writes its counters to files when it ends */
	if (!status)
		status = add_place(rules, known, &(struct mp_sandbox_place){MSPROF_COUNTERS, MP_REACH_WRITE}, err);
#endif
	return status;
}

static int guard_files(const struct mp_sandbox_place *places, size_t count, struct mp_error *err)
{
	long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
	long last = (long)(sizeof(handled) / sizeof(handled[0])) - 1;
	uint64_t known = version < 1 ? 0 : handled[version > last ? last : version];
	int rules, status;

	if (!known)
		return 0;
	rules = (int)syscall(LANDLOCK_CREATE, &known, sizeof(known), 0);
	if (rules < 0)
		return mp_fail_errno(err, "cannot make the sandbox");
	status = add_places(rules, known, places, count, err);
	if (!status && syscall(LANDLOCK_RESTRICT, rules, 0))
		status = mp_fail_errno(err, "cannot enter the sandbox");
	close(rules); /* only a set of rules */
	return status ? -1 : MP_SANDBOX_FILES;
}

/* ---------------------------------------------------------------- system calls */

/* The processors of hosts and boards. Other processors run without the filter. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__) && !defined(__ILP32__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#ifdef PROCESSOR
static const int refused[] = {
    /* programs */
    SYS_execve,
    SYS_execveat,
    /* the network, and sockets of other programs */
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    /* other processes */
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_tkill,
    SYS_setns,
    SYS_unshare,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_mq_unlink,
    424 /* pidfd_send_signal */,
    434 /* pidfd_open */,
    438 /* pidfd_getfd */,
    440 /* process_madvise */,
    /* a way around this filter: io_uring */
    425,
    426,
    427,
    /* files by name: landlock does not guard modes, owners, attributes and times, nor lengths before Linux 6.2 */
    SYS_truncate,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_open_by_handle_at,
    452 /* fchmodat2 */,
    463 /* setxattrat */,
    466 /* removexattrat */,
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    /* mounts */
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_swapon,
    SYS_swapoff,
    SYS_quotactl,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    467 /* open_tree_attr */,
    /* the kernel, the clock, keys */
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_acct,
    SYS_syslog,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_personality,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
};

enum { REFUSED = sizeof(refused) / sizeof(refused[0]) };

/* Calls above that remain where the process may do more. */
static const struct {
	unsigned may;
	int call;
} remaining[] = {{MP_MAY_CONNECT, SYS_socket}, {MP_MAY_CONNECT, SYS_socketpair}, {MP_MAY_CONNECT, SYS_connect},
    {MP_MAY_CONNECT, SYS_sendto}, {MP_MAY_CONNECT, SYS_sendmsg}, {MP_MAY_CONNECT, SYS_sendmmsg},
    {MP_MAY_USE_KEYS, SYS_add_key}, {MP_MAY_USE_KEYS, SYS_request_key}, {MP_MAY_USE_KEYS, SYS_keyctl}};

static bool remains(int call, unsigned may)
{
	for (size_t i = 0; i < sizeof(remaining) / sizeof(remaining[0]); i++)
		if (remaining[i].call == call && (remaining[i].may & may))
			return true;
	return false;
}

struct filter {
	struct sock_filter code[2 * REFUSED + 48];
	unsigned short length;
};

static void add(struct filter *f, struct sock_filter instruction)
{
	f->code[f->length++] = instruction;
}

#define LOAD(field) (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)
#define SKIP_UNLESS(value, n) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, n)
#define SKIP_IF(value, n) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), n, 0)
#define SKIP_BELOW(value, n) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(value), 0, n)
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)

/*
 * Allow signals to this process only; raise() and abort() need them. All processors above store the lower half first.
 */
static void add_signals(struct filter *f)
{
	static const int calls[] = {SYS_kill, SYS_tgkill};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		add(f, SKIP_UNLESS(calls[i], 4));
		add(f, LOAD(args[0]));
		add(f, SKIP_IF(getpid(), 1));
		add(f, RETURN(REFUSE));
		add(f, RETURN(SECCOMP_RET_ALLOW));
	}
}

/* Refuse pushing characters into a terminal: after the program ends they would run as the user's input. */
static void add_terminal(struct filter *f)
{
	static const uint32_t pushes[] = {TIOCSTI, TIOCLINUX};
	const unsigned count = sizeof(pushes) / sizeof(pushes[0]);

	add(f, SKIP_UNLESS(SYS_ioctl, (uint8_t)(2 * count + 1)));
	add(f, LOAD(args[1]));
	for (unsigned i = 0; i < count; i++) {
		add(f, SKIP_UNLESS(pushes[i], 1));
		add(f, RETURN(REFUSE));
	}
}

/*
 * Sockets of the network alone: through those of this machine a service may be asked to start a program. A pair is
 * connected already, unless it is of datagrams, which may be sent elsewhere.
 */
static void add_sockets(struct filter *f)
{
	enum { KIND = 0xf }; /* the rest of a type is flags */

	add(f, SKIP_UNLESS(SYS_socket, 5));
	add(f, LOAD(args[0]));
	add(f, SKIP_IF(AF_INET, 2));
	add(f, SKIP_IF(AF_INET6, 1));
	add(f, RETURN(REFUSE));
	add(f, RETURN(SECCOMP_RET_ALLOW));
	add(f, SKIP_UNLESS(SYS_socketpair, 5));
	add(f, LOAD(args[1]));
	add(f, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, KIND));
	add(f, SKIP_IF(SOCK_STREAM, 1));
	add(f, RETURN(REFUSE));
	add(f, RETURN(SECCOMP_RET_ALLOW));
}

static int guard_calls(unsigned may)
{
	struct filter f = {.length = 0};
	struct sock_fprog program;

	add(&f, LOAD(arch));
	add(&f, SKIP_IF(PROCESSOR, 1));
	add(&f, RETURN(REFUSE)); /* calls of another kind of processor, which the kernel may accept too */
	add(&f, LOAD(nr));
#ifdef __x86_64__
	add(&f, SKIP_BELOW(0x40000000, 1)); /* the same calls under other numbers (x32) */
	add(&f, RETURN(REFUSE));
#endif
	for (int i = 0; i < REFUSED; i++) {
		if (remains(refused[i], may))
			continue;
		add(&f, SKIP_UNLESS(refused[i], 1));
		add(&f, RETURN(REFUSE));
	}
	if ((may & MP_MAY_CONNECT) && !(may & MP_MAY_CONNECT_HERE))
		add_sockets(&f);
	if (!(may & MP_MAY_SIGNAL))
		add_signals(&f);
	add_terminal(&f);
	add(&f, RETURN(SECCOMP_RET_ALLOW));
	program = (struct sock_fprog){f.length, f.code};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? 0 : MP_SANDBOX_CALLS;
}
#else
static int guard_calls(unsigned may)
{
	(void)may;
	return 0;
}
#endif

int mp_sandbox_enter(const struct mp_sandbox_place *places, size_t count, unsigned may, struct mp_error *err)
{
	const char *setting = getenv("MSPROF_SANDBOX");
	int files;

	if (MP_SANITIZED || (setting && strcmp(setting, "off") == 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 0;
	files = guard_files(places, count, err);
	return files < 0 ? -1 : files | guard_calls(may);
}
