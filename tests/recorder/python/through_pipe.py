"""Read a model's operators from a pipe while it works, with pyACL's calls; prints a line for each."""
import os
import sys

import msprof_acl as acl

MODEL_ID = 3
RECORDS = 10
seen = []


def good(code):
    if code:
        sys.exit(f"result code {code}")


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def parse(data, size):
    number, code = acl.prof.get_op_num(data, size)
    good(code)
    for i in range(number):
        op_type, code = acl.prof.get_op_type(data, size, i, 65)
        good(code)
        name, code = acl.prof.get_op_name(data, size, i, 275)
        good(code)
        start, end = acl.prof.get_op_start(data, size, i), acl.prof.get_op_end(data, size, i)
        seen.append((acl.prof.get_model_id(data, size, i), op_type, name,
                     end - start == acl.prof.get_op_duration(data, size, i)))


def read(arguments):
    fd, record = arguments
    while True:
        data = os.read(fd, record * RECORDS)
        if not data:
            return
        parse(acl.util.bytes_to_ptr(data), len(data))


def execute(frame):
    """Stands for acl.mdl.execute: this machine has no accelerator, so the operators are its own."""
    for name, op_type in (("conv1", "Convolution"), ("x" * 256, "Pooling"), (f"fc{frame}", "InnerProduct")):
        begin = acl.recorder.now()
        sum(range(20000))
        good(acl.recorder.op_publish(name, op_type, begin, acl.recorder.now(), MODEL_ID))


before = descriptors()
good(acl.init())
good(acl.recorder.model_loaded(MODEL_ID, "resnet50"))
r, w = os.pipe()
subscribe_config = acl.prof.create_subscribe_config(1, acl.prof.ACL_AICORE_NONE, w)
if not subscribe_config:
    sys.exit("no config")
good(acl.prof.model_subscribe(MODEL_ID, subscribe_config))
record_size, code = acl.prof.get_op_desc_size()
good(code)
thread, code = acl.util.start_thread(read, [r, record_size])
good(code)
for frame in range(8):
    execute(frame)
good(acl.prof.model_un_subscribe(MODEL_ID))  # closes w: the reader comes to an end
good(acl.util.stop_thread(thread))
os.close(r)
good(acl.prof.destroy_subscribe_config(subscribe_config))
good(acl.finalize())
for model_id, op_type, name, exact in seen:
    print(model_id, op_type, name, exact)
print("descriptors left open:", descriptors() - before)
