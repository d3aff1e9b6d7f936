"""mstx: mark moments and ranges of time of a Python program, under the vendor's names.

    import mstx

    mstx.mark("the data is loaded")
    number = mstx.range_start("step 1")
    ...
    mstx.range_end(number)

    with mstx.mstx_range("step 2", domain="training"):
        ...

    @mstx.mstx_range("forward")
    def forward(): ...

A message has at most 255 bytes. A stream is an address or None; it is recorded and not used. A domain is a group of
marks and ranges with a name; functions without one are in the domain "default". While nothing is recorded, range_start
returns 0 and the other functions do nothing; 'msprof --msproftx=on PROGRAM' records.

The module needs no build step. It searches libms_tools_ext.so in the directory MSPROF_LIBRARY_PATH, near this file, near
the msprof of PATH, and in the system's library directories.
"""
import contextlib
import ctypes
import os
import shutil
from ctypes import POINTER, byref, c_char_p, c_uint64, c_void_p

__all__ = ["mark", "range_start", "range_end", "get_tool_id", "mstx_range"]

_DEFAULT = "default"


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


_library = _open("libms_tools_ext.so")


def _function(name, result, *arguments):
    function = getattr(_library, name)
    function.restype = result
    function.argtypes = arguments
    return function


_mark = _function("mstxMarkA", None, c_char_p, c_void_p)
_range_start = _function("mstxRangeStartA", c_uint64, c_char_p, c_void_p)
_range_end = _function("mstxRangeEnd", None, c_uint64)
_get_tool_id = _function("mstxGetToolId", None, POINTER(c_uint64))
_domain_create = _function("mstxDomainCreateA", c_void_p, c_char_p)
_domain_mark = _function("mstxDomainMarkA", None, c_void_p, c_char_p, c_void_p)
_domain_range_start = _function("mstxDomainRangeStartA", c_uint64, c_void_p, c_char_p, c_void_p)
_domains = {}


def _domain(name):
    if name not in _domains:
        _domains[name] = _domain_create(name.encode())
    return _domains[name]


def mark(message, stream=None, domain=_DEFAULT):
    """Mark a moment."""
    if domain == _DEFAULT:
        _mark(message.encode(), stream)
    else:
        _domain_mark(_domain(domain), message.encode(), stream)


def range_start(message, stream=None, domain=_DEFAULT):
    """Begin a range, and return its number; 0: nothing is recorded."""
    if domain == _DEFAULT:
        return _range_start(message.encode(), stream)
    return _domain_range_start(_domain(domain), message.encode(), stream)


def range_end(range_id, domain=_DEFAULT):  # pylint: disable=unused-argument
    """End a range; any thread may. The number tells the domain."""
    _range_end(range_id)


def get_tool_id():
    """The number of the tool that records."""
    number = c_uint64()
    _get_tool_id(byref(number))
    return number.value


@contextlib.contextmanager
def mstx_range(message, stream=None, domain=_DEFAULT):
    """A range as a context, or around each call of the function that it decorates."""
    number = range_start(message, stream, domain)
    try:
        yield
    finally:
        range_end(number)
