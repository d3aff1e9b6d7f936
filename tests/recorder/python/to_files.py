"""Record a model's work to files, with pyACL's calls: to_files.py DIR"""
import sys
import time

import msprof_acl as acl

MODEL_ID = 3


def good(code):
    if code:
        sys.exit(f"result code {code}")


def execute():
    """Stands for acl.mdl.execute: this machine has no accelerator."""
    with acl.recorder.execute("acl.mdl.execute", MODEL_ID):
        time.sleep(0.002)


good(acl.init())
good(acl.prof.init(sys.argv[1]))
good(acl.recorder.model_loaded(MODEL_ID, "resnet50"))
config = acl.prof.create_config(
    [0], acl.prof.ACL_AICORE_ARITHMETIC_UTILIZATION, 0,
    acl.prof.ACL_PROF_ACL_API | acl.prof.ACL_PROF_TASK_TIME | acl.prof.ACL_PROF_AICPU_TRACE |
    acl.prof.ACL_PROF_AICORE_METRICS | acl.prof.ACL_PROF_L2CACHE | acl.prof.ACL_PROF_HCCL)
if not config:
    sys.exit("no config")
execute()  # before the start: not recorded
good(acl.prof.start(config))
for _ in range(5):
    execute()
good(acl.prof.stop(config))
execute()  # after the stop: not recorded
good(acl.recorder.model_unloaded(MODEL_ID))
good(acl.prof.destroy_config(config))
good(acl.prof.finalize())
good(acl.finalize())
