"""train.py: a client of pyACL's calls for operators, steps and marks. The argument is the directory to record into."""
import os
import sys

import msprof_acl as acl


def read_operator():
    r, w = os.pipe()
    config = acl.prof.create_subscribe_config(1, acl.prof.ACL_AICORE_NONE, w)
    acl.prof.model_subscribe(1, config)
    begin = acl.recorder.now()
    acl.recorder.op_publish("conv1", "Convolution", begin, begin + 1000, 1)
    size, _ = acl.prof.get_op_desc_size()
    data = os.read(r, size)
    acl.prof.model_unsubscribe(1)
    address = acl.util.bytes_to_ptr(data)
    print(acl.prof.get_op_type_len(address, size, 0), acl.prof.get_op_name_len(address, size, 0))
    print(acl.prof.get_op_type_v2(address, size, 0), acl.prof.get_op_name_v2(address, size, 0))
    print(acl.prof.get_op_type_v2(address, size, 1), acl.prof.get_op_name_v2(address, size - 1, 0))
    os.close(r)
    acl.prof.destroy_subscribe_config(config)


def record_step(path):
    acl.prof.init(path)
    config = acl.prof.create_config([0], acl.prof.ACL_AICORE_NONE, 0, acl.prof.ACL_PROF_MSPROFTX)
    acl.prof.start(config)
    step, stream = acl.prof.create_step_info(), id(config)
    print(acl.prof.get_step_timestamp(step, acl.prof.ACL_STEP_START, stream),
          acl.prof.mark_ex("on the stream", stream),
          acl.prof.get_step_timestamp(step, acl.prof.ACL_STEP_END, stream),
          acl.prof.get_step_timestamp(step, acl.prof.ACL_STEP_END, stream))
    acl.prof.destroy_step_info(step)
    acl.prof.stop(config)
    acl.prof.destroy_config(config)
    acl.prof.finalize()


acl.init()
read_operator()
record_step(sys.argv[1])
acl.finalize()
