"""msprof_acl: record profiling data from Python, under the names of pyACL.

    import msprof_acl as acl

    acl.init()
    acl.prof.init("profiling")
    config = acl.prof.create_config([0], acl.prof.ACL_AICORE_NONE, 0, acl.prof.ACL_PROF_ACL_API)
    acl.prof.start(config)
    with acl.recorder.call("preprocess"):
        ...
    acl.prof.stop(config)
    acl.prof.destroy_config(config)
    acl.prof.finalize()
    acl.finalize()

Functions return the same as in pyACL: a result code (0: success), an address (0: failed), or a pair of a value and a
code. Buffers are passed as address and size, see util.bytes_to_ptr. The parts of pyACL that use an accelerator (acl.rt,
acl.mdl, acl.op) are missing. `recorder` records work that the program does itself.

The module needs no build step. It searches libmsprof_aclprof.so and libmsprof_recorder.so in the directory
MSPROF_LIBRARY_PATH, near this file, near the msprof of PATH, and in the system's library directories.
"""
import contextlib
import copy
import ctypes
import os
import shutil
import threading
from ctypes import POINTER, byref, c_char_p, c_int, c_int8, c_size_t, c_uint32, c_uint64, c_void_p
from types import SimpleNamespace

_FAILURE = 500001
_NO_MODEL = 0xFFFFFFFF


def _open(name):
    roots = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")]
    program = shutil.which("msprof")  # the module may be in an environment of its own
    if program:
        roots.append(os.path.join(os.path.dirname(os.path.realpath(program)), ".."))
    places = [os.environ.get("MSPROF_LIBRARY_PATH")] if os.environ.get("MSPROF_LIBRARY_PATH") else [
        os.path.join(root, place) for root in roots for place in ("lib", "lib/msprof", "build")]
    for place in places:
        path = os.path.join(place, name)
        if os.path.exists(path):
            return ctypes.CDLL(os.path.realpath(path))
    return ctypes.CDLL(name)


_recorder = _open("libmsprof_recorder.so.0")
_acl = _open("libmsprof_aclprof.so.0")


def _function(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


def _bytes(text):
    return text.encode() if isinstance(text, str) else text


# ---------------------------------------------------------------- the process

_init = _function(_acl, "aclInit", c_int, c_char_p)
_finalize = _function(_acl, "aclFinalize", c_int)


def init(config=None):
    """Begin; call once, before anything else. `config` is the path of an acl.json, which may start a recording."""
    return _init(_bytes(config) if config else None)


def finalize():
    """End all recordings. Results are complete when the result is 0."""
    return _finalize()


# ---------------------------------------------------------------- acl.prof

_prof_init = _function(_acl, "aclprofInit", c_int, c_char_p, c_size_t)
_set_config = _function(_acl, "aclprofSetConfig", c_int, c_int, c_char_p, c_size_t)
_create_config = _function(_acl, "aclprofCreateConfig", c_void_p, POINTER(c_uint32), c_uint32, c_int, c_void_p, c_uint64)
_create_subscribe_config = _function(_acl, "aclprofCreateSubscribeConfig", c_void_p, c_int8, c_int, c_void_p)
_get_op_desc_size = _function(_acl, "aclprofGetOpDescSize", c_int, POINTER(c_size_t))
_get_op_num = _function(_acl, "aclprofGetOpNum", c_int, c_void_p, c_size_t, POINTER(c_uint32))
_get_op_type = _function(_acl, "aclprofGetOpType", c_int, c_void_p, c_size_t, c_uint32, c_char_p, c_size_t)
_get_op_name = _function(_acl, "aclprofGetOpName", c_int, c_void_p, c_size_t, c_uint32, c_char_p, c_size_t)
_get_op_type_len = _function(_acl, "aclprofGetOpTypeLen", c_int, c_void_p, c_size_t, c_uint32, POINTER(c_size_t))
_get_op_name_len = _function(_acl, "aclprofGetOpNameLen", c_int, c_void_p, c_size_t, c_uint32, POINTER(c_size_t))
_set_stamp_trace_message = _function(_acl, "aclprofSetStampTraceMessage", c_int, c_void_p, c_char_p, c_uint32)
_range_start = _function(_acl, "aclprofRangeStart", c_int, c_void_p, POINTER(c_uint32))
_create_step_info = _function(_acl, "aclprofCreateStepInfo", c_void_p)
_mark_ex = _function(_acl, "aclprofMarkEx", c_int, c_char_p, c_size_t, c_void_p)
_create_stamp = _function(_acl, "aclprofCreateStamp", c_void_p)


def _prof_init_path(path):
    path = _bytes(path)
    return _prof_init(path, len(path))


def _prof_set_config(config_type, config):
    config = _bytes(config)
    return _set_config(config_type, config, len(config))


def _prof_create_config(device_list, aicore_metrics, aicore_events, data_type):
    devices = (c_uint32 * max(len(device_list), 1))(*device_list)
    return _create_config(devices, len(device_list), aicore_metrics, aicore_events or None, data_type) or 0


def _prof_create_subscribe_config(time_info, aicore_metrics, fd):
    # the library reads the descriptor during the call
    return _create_subscribe_config(time_info, aicore_metrics, byref(c_int(fd))) or 0


def _prof_get_op_desc_size():
    size = c_size_t()
    code = _get_op_desc_size(byref(size))
    return size.value, code


def _prof_get_op_num(data, size):
    number = c_uint32()
    code = _get_op_num(data, size, byref(number))
    return number.value, code


def _text_getter(function):
    def get(data, size, index, text_size):
        text = ctypes.create_string_buffer(text_size)
        code = function(data, size, index, text, text_size)
        return text.value.decode("utf-8", "replace"), code
    return get


def _length_getter(function):
    def get(data, size, index):
        length = c_size_t()
        code = function(data, size, index, byref(length))
        return length.value, code
    return get


def _text_getter_v2(length_function, function):
    """A getter that asks for the length itself. The result is None without a text."""
    get_length, get = _length_getter(length_function), _text_getter(function)

    def get_v2(data, size, index):
        length, code = get_length(data, size, index)
        return (None, code) if code else get(data, size, index, length)
    return get_v2


def _prof_mark_ex(message, stream):
    message = _bytes(message)
    return _mark_ex(message, len(message), stream)


def _prof_set_stamp_trace_message(stamp, message, size=None):
    message = _bytes(message)
    return _set_stamp_trace_message(stamp, message, len(message) if size is None else size)


def _prof_range_start(stamp):
    number = c_uint32()
    code = _range_start(stamp, byref(number))
    return number.value, code


_unsubscribe = _function(_acl, "aclprofModelUnSubscribe", c_int, c_uint32)

prof = SimpleNamespace(
    init=_prof_init_path,
    set_config=_prof_set_config,
    create_config=_prof_create_config,
    destroy_config=_function(_acl, "aclprofDestroyConfig", c_int, c_void_p),
    start=_function(_acl, "aclprofStart", c_int, c_void_p),
    stop=_function(_acl, "aclprofStop", c_int, c_void_p),
    finalize=_function(_acl, "aclprofFinalize", c_int),
    create_subscribe_config=_prof_create_subscribe_config,
    destroy_subscribe_config=_function(_acl, "aclprofDestroySubscribeConfig", c_int, c_void_p),
    model_subscribe=_function(_acl, "aclprofModelSubscribe", c_int, c_uint32, c_void_p),
    model_unsubscribe=_unsubscribe,
    model_un_subscribe=_unsubscribe,
    get_op_desc_size=_prof_get_op_desc_size,
    get_op_num=_prof_get_op_num,
    get_op_type=_text_getter(_get_op_type),
    get_op_name=_text_getter(_get_op_name),
    get_op_type_len=_length_getter(_get_op_type_len),
    get_op_name_len=_length_getter(_get_op_name_len),
    get_op_type_v2=_text_getter_v2(_get_op_type_len, _get_op_type),
    get_op_name_v2=_text_getter_v2(_get_op_name_len, _get_op_name),
    get_op_start=_function(_acl, "aclprofGetOpStart", c_uint64, c_void_p, c_size_t, c_uint32),
    get_op_end=_function(_acl, "aclprofGetOpEnd", c_uint64, c_void_p, c_size_t, c_uint32),
    get_op_duration=_function(_acl, "aclprofGetOpDuration", c_uint64, c_void_p, c_size_t, c_uint32),
    get_model_id=_function(_acl, "aclprofGetModelId", c_size_t, c_void_p, c_size_t, c_uint32),
    create_stamp=lambda: _create_stamp() or 0,
    destroy_stamp=_function(_acl, "aclprofDestroyStamp", None, c_void_p),
    set_stamp_trace_message=_prof_set_stamp_trace_message,
    mark=_function(_acl, "aclprofMark", c_int, c_void_p),
    mark_ex=_prof_mark_ex,
    push=_function(_acl, "aclprofPush", c_int, c_void_p),
    pop=_function(_acl, "aclprofPop", c_int),
    range_start=_prof_range_start,
    range_stop=_function(_acl, "aclprofRangeStop", c_int, c_uint32),
    create_step_info=lambda: _create_step_info() or 0,
    destroy_step_info=_function(_acl, "aclprofDestroyStepInfo", None, c_void_p),
    get_step_timestamp=_function(_acl, "aclprofGetStepTimestamp", c_int, c_void_p, c_int, c_void_p),
    ACL_STEP_START=0, ACL_STEP_END=1,
    # what to record
    ACL_PROF_ACL_API=0x1, ACL_PROF_TASK_TIME=0x2, ACL_PROF_AICORE_METRICS=0x4, ACL_PROF_AICPU=0x8,
    ACL_PROF_AICPU_TRACE=0x8, ACL_PROF_L2CACHE=0x10, ACL_PROF_HCCL=0x20, ACL_PROF_HCCL_TRACE=0x20,
    ACL_PROF_TRAINING_TRACE=0x40, ACL_PROF_MSPROFTX=0x80, ACL_PROF_RUNTIME_API=0x100,
    # metrics
    ACL_AICORE_ARITHMETIC_UTILIZATION=0, ACL_AICORE_PIPE_UTILIZATION=1, ACL_AICORE_MEMORY_BANDWIDTH=2,
    ACL_AICORE_L0B_AND_WIDTH=3, ACL_AICORE_RESOURCE_CONFLICT_RATIO=4, ACL_AICORE_MEMORY_UB=5,
    ACL_AICORE_NONE=0xFF)

# ---------------------------------------------------------------- acl.util

_threads = {}


def _bytes_to_ptr(data):
    """The address of the bytes. The caller keeps the bytes as long as the address is used."""
    return ctypes.cast(c_char_p(data), c_void_p).value or 0


def _numpy_to_ptr(array):
    return array.ctypes.data


def _start_thread(function, arguments):
    thread = threading.Thread(target=function, args=(arguments,), daemon=True)
    thread.start()
    _threads[thread.ident] = thread
    return thread.ident, 0


def _stop_thread(identity):
    thread = _threads.pop(identity, None)
    if thread is None:
        return _FAILURE
    thread.join()
    return 0


util = SimpleNamespace(bytes_to_ptr=_bytes_to_ptr, numpy_to_ptr=_numpy_to_ptr, start_thread=_start_thread,
                       stop_thread=_stop_thread)

# ---------------------------------------------------------------- acl.recorder: only in this module


class _Op(ctypes.Structure):
    """struct msprof_op of msprof_recorder.h"""
    _fields_ = [("begin_ns", c_uint64), ("end_ns", c_uint64), ("model_id", c_uint32), ("name", c_uint32), ("type", c_uint32)]


_name = _function(_recorder, "msprof_name", c_uint32, c_char_p)
_begin = _function(_recorder, "msprof_begin", c_uint64)
_api_end = _function(_recorder, "msprof_api_end", None, c_uint64, c_int, c_uint32, c_uint32)
_executed = _function(_recorder, "msprof_model_executed", None, c_uint64, c_uint32, c_uint32)
_loaded = _function(_recorder, "msprof_model_loaded", c_int, c_uint32, c_char_p)
_op_publish = _function(_recorder, "msprof_op_publish", c_int, POINTER(_Op))

_mark_text = _function(_recorder, "msprof_mark", None, c_char_p)
_range_end = _function(_recorder, "msprof_range_end", None, c_uint64, c_char_p)

OP, MODEL, RUNTIME, OTHER = 1, 2, 3, 4


class _Part(contextlib.ContextDecorator):
    """A part of the program: a context, or each call of the function that it decorates."""

    def _recreate_cm(self):
        return copy.copy(self)  # calls of a function may be nested, and on several threads

    def __enter__(self):
        self.begin_ns = _begin()
        return self


class _Call(_Part):
    """Records a part of the program as the call of an API: `with acl.recorder.call("name"):`"""

    def __init__(self, name, api_type=OTHER, model_id=_NO_MODEL, executes=False):
        self.name, self.type, self.model_id, self.executes = _name(_bytes(name)), api_type, model_id, executes

    def __exit__(self, *exception):
        if self.executes:
            _executed(self.begin_ns, self.name, self.model_id)
        else:
            _api_end(self.begin_ns, self.type, self.name, self.model_id)
        return False


class _Range(_Part):
    """Records a part of the program as a range: `with acl.recorder.range("text"):`"""

    def __init__(self, text):
        self.text = _bytes(text)

    def __exit__(self, *exception):
        _range_end(self.begin_ns, self.text)
        return False


def _mark(text):
    """Records a moment."""
    _mark_text(_bytes(text))


def _execute(name, model_id):
    """Records an execution of a model: `with acl.recorder.execute("forward", 1):`"""
    return _Call(name, MODEL, model_id, True)


def _publish(name, op_type, begin_ns, end_ns, model_id):
    """Records an operator that the program ran itself. Times are those of recorder.now."""
    return _op_publish(byref(_Op(begin_ns, end_ns, model_id, _name(_bytes(name)), _name(_bytes(op_type)))))


recorder = SimpleNamespace(
    OP=OP, MODEL=MODEL, RUNTIME=RUNTIME, OTHER=OTHER,
    call=_Call,
    execute=_execute,
    mark=_mark,
    range=_Range,
    now=_begin,
    op_publish=_publish,
    model_loaded=lambda model_id, name: _loaded(model_id, _bytes(name)),
    model_unloaded=_function(_recorder, "msprof_model_unloaded", c_int, c_uint32))
