/* control_mode.c: the state behind face.h, and the calls that each mode of the process allows. */
#include "recorder/control.h"

#include "recorder/refuse.h"

struct mp_control mp_control = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The code of each call in each mode; 0: the call continues. */
static const int verdicts[][MP_MODE_COUNT] = {
    /*                       none    off     acl.json API     subscribe */
    [MP_CALL_INIT] = {100001, 0, 100042, 100002, 148047},
    [MP_CALL_SET_CONFIG] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_START] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_WARM_UP] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_STOP] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_FINALIZE] = {100043, 100043, 100042, 0, 148047},
    [MP_CALL_SUBSCRIBE] = {100043, 0, 100042, 148047, 0},
    [MP_CALL_UNSUBSCRIBE] = {100043, 100011, 100042, 148047, 0},
    [MP_CALL_GET_OP_DESC_SIZE] = {0, 0, 0, 148047, 0}, /* also for all getters after this one */
};

int mp_control_allows(const struct msprof_face *face, enum mp_call call)
{
	static const char *const on[] = {[MP_MODE_CMD] = "acl.json or 'msprof PROGRAM' has turned recording on",
	    [MP_MODE_API] = "it cannot be called between init and finalize",
	    [MP_MODE_SUBSCRIBE] = "models are subscribed"};
	enum mp_mode mode = (enum mp_mode)atomic_load(&mp_control.mode);
	int code = verdicts[call >= MP_CALL_GET_OP_DESC_SIZE ? MP_CALL_GET_OP_DESC_SIZE : call][mode];

	if (!code)
		return 0;
	if (mode == MP_MODE_NONE)
		return mp_refuse_order(face, call, code, MP_CALL_ACL_INIT);
	if (call == MP_CALL_UNSUBSCRIBE && mode == MP_MODE_OFF)
		return mp_refuse_order(face, call, code, MP_CALL_SUBSCRIBE);
	if (mode == MP_MODE_OFF)
		return mp_refuse_order(face, call, code, MP_CALL_INIT);
	if (call == MP_CALL_INIT && mode == MP_MODE_API)
		return mp_refuse_order(face, call, code, MP_CALL_FINALIZE);
	return mp_refuse_mode(face, call, code, on[mode]);
}
