"""growth_jobs.py: jobs of which one dimension has a size that is given, for growth.py, and the commands that each is for."""
import json
import os
import struct
import subprocess

from raw import host
from svp_made import BEGIN, Job, item

BUILD = os.environ["BUILD"]
HOST, DEVICE = "host/data", "device_0/data"
FIRST_COUNT = 100_000_000_000  # of the host's clock, as genprof has it


def run(program, *args, text=None):
    subprocess.run([os.path.join(BUILD, "tests", program), *map(str, args)], input=text, text=True, check=True, stdout=subprocess.DEVNULL)


# jobs of boards

def svp(options):
    """A * in the options is the size."""
    return lambda out, n: run("genjob", "--out", out, *options.replace("*", str(n)).split())


def svp_job(out, soc="ss928"):
    return Job(out, soc)


def svp_layers(tasks, kinds):
    """A layer of n after the other: of so many tasks, with types of so many kinds."""
    def make(out, n):
        job = svp_job(out)
        job.model("net", 7, {0: tasks(n)})
        job.write("net.7.layer.info", b"".join(
            item(0x111, item(0x112, i) + item(0x114, f"l{i}") + item(0x141, f"o{i}") + item(0x14b, 0) + item(0x152, f"T{i % kinds(n)}")
                 + item(0x157, i * tasks(n) // n)) for i in range(n)))
        job.inference("net", 7, 16, 0, BEGIN, tasks(n))
    return make


def svp_alternating(out, n):
    """n files that two models share in turn, with an inference each."""
    job = svp_job(out, "dv500")
    for number in (7, 8):
        job.model(f"net{number}", number, {0: 3})
    for i in range(n):
        number = 7 + i % 2
        data = job.records(3, i, False)
        job.write(f"aicore.0.1.{i + 1}", data)
        job.marker(f"aicore.0.net{number}.{number}.1.{i + 1}.{i}", len(data), BEGIN + 100 * i, BEGIN + 100 * i + 90)


def svp_turns(each):
    """n inferences of two models, or of a new model for two inferences, that take turns in one file."""
    def make(out, n):
        job, models = svp_job(out, "dv500"), n // 2 if each else 2
        for number in range(models):
            job.model(f"net{number}", number, {0: 3})
        data = b"".join(job.records(3, i, False) for i in range(n))
        job.write("aicore.0.1.1", data)
        for i in range(n):
            job.marker(f"aicore.0.net{i % models}.{i % models}.1.1.{i}", len(data) // n, BEGIN + 100 * i, BEGIN + 100 * i + 90)
    return make


def svp_host(call):
    """A job of n calls of a host: call(i, n) gives type, begin and end in us, thread, name and detail of the i-th."""
    def make(out, n):
        job = svp_job(out)
        job.model("net", 7, {0: 3})
        job.inference("net", 7, 16, 0, BEGIN)
        calls = [call(i, n) for i in range(n)]
        data = b"".join(host(kind, (BEGIN + begin) * 1000, (BEGIN + end) * 1000, 9, *who) for kind, begin, end, *who in calls)
        job.write("msprof_api.0.net.7", data)
        job.marker("msprof_api.0.net.7", len(data), BEGIN, BEGIN + 10 * n)
    return make


# PROF directories

def prof(options):
    return lambda out, n: run("genprof", "--out", out, *options.replace("*", str(n)).split())


def host_count(us):
    return 100000000000 + us * 100


def device_count(us):
    return 50000000000 + us * 50


def record(out, layout, name, lines):
    run("genrec", layout, os.path.join(out, name), text="".join(line + "\n" for line in lines))


def name_hash(n):
    return 8000000000000000001 + n


def prof_tensors(out, n):
    """n operators with a shape each."""
    run("genprof", "--out", out, "--tasks", n, "--names", n)
    record(out, "prof.tensor_info", f"{HOST}/unaging.additional.tensor_info.slice_0", (
        f"level=10000 thread_id={4242 + i % 2} stamp={host_count(1000 + 6 * i) + 490} op_name={name_hash(i)} tensor_num=2 "
        f"tensors=u32:0,2,0,{i + 1},7,0,0,0,0,0,0,1,2,0,{i + 2},7" for i in range(n)))


def prof_steps(models):
    """n iterations, of one model or of a model each."""
    def make(out, n):
        run("genprof", "--out", out, "--tasks", 4 * n)
        record(out, "prof.ts_step", f"{DEVICE}/ts_track.data.0.slice_0", (
            f"counter={device_count(2000 + 24 * i + 6 * k)} index_id={1 if models else i + 1} model_id={i + 1 if models else 1} tag_id={tag}"
            for i in range(n) for k, tag in enumerate((0, 2, 3, 1))))
    return make


def prof_marks(out, n):
    """n ranges of the application, each of a name of its own."""
    run("genprof", "--out", out)
    record(out, "prof.msproftx", f"{HOST}/unaging.additional.msproftx.slice_0", (
        f"level=20500 info_type=0 process_id=4242 tid=7 event_type=2 begin={host_count(2 * i)} end={host_count(2 * i + 1)} mark_id={i} "
        f"message=text:m{i}" for i in range(n)))


def prof_events(nested):
    """n calls without ends: two events each, nested or one after the other."""
    def make(out, n):
        run("genprof", "--out", out)
        order = [*range(n), *reversed(range(n))] if nested else [i for i in range(n) for _ in (0, 1)]
        record(out, "prof.api_event", f"{HOST}/unaging.api_event.data.slice_1", (
            f"level=15000 type=1 thread_id=99 request_id={i} stamp={host_count(3000 + at)} item_id={name_hash(i % 500)}"
            for at, i in enumerate(order)))
    return make


def prof_nested(out, n):
    """n calls, each within the one before."""
    run("genprof", "--out", out)
    record(out, "prof.api", f"{HOST}/unaging.api_event.data.slice_1", (
        f"level=20000 type={0x050001} thread_id=99 begin={host_count(3000 + i)} end={host_count(3000 + 3 * n - i)}" for i in range(n)))


def prof_overlaps(out, n):
    """n tasks of n streams that run at one time."""
    run("genprof", "--out", out)
    record(out, "prof.acsq", f"{DEVICE}/stars_soc.data.0.slice_1", (
        f"end={end} stream_id={100 + i % 1900} task_id={i // 1900} counter={device_count(9000 + i + end * 3 * n)} task_type=0"
        for i in range(n) for end in (0, 1)))


def prof_halves(out, n):
    """n ends of tasks that never began, then n starts of others, all at one time."""
    run("genprof", "--out", out)
    record(out, "prof.acsq", f"{DEVICE}/stars_soc.data.0.slice_1", (
        f"end={end} stream_id={100 + i % 1900} task_id={i // 1900 + 5000 * (1 - end)} counter={device_count(9000)} task_type=0"
        for end in (1, 0) for i in range(n)))


def prof_small_slices(size):
    """n slices of so many bytes, behind one that ends within a line."""
    def make(out, n):
        run("genprof", "--out", out)
        path = os.path.join(out, HOST, "unaging.additional.hash_dic.slice_")
        with open(path + "0", "rb+") as first:
            whole = first.read()
            first.truncate(len(whole) - size * n - 1)
        for i in range(n):
            with open(f"{path}{i + 1}", "wb") as f:
                f.write(whole[len(whole) - size * (n - i):][:size])
    return make


def prof_core_slices(out, n):
    """n slices of 20 samples of cores."""
    run("genprof", "--out", out)
    with open(os.path.join(out, "device_0/sample.json"), "r+", encoding="utf-8") as f:
        settings = json.load(f)
        f.seek(0)
        json.dump({**settings, "ai_core_profiling_mode": "sample-based"}, f)
    path = os.path.join(out, DEVICE, "ffts_profile.data.0.slice_")
    os.remove(path + "0")
    os.remove(path + "0.done")
    record(out, "prof.ffts_sample", f"{DEVICE}/ffts_profile.data.0.slice_0", (
        f"core={core} counters=8 total_cycles=100 stamp_ns={10**12 + i * 10**6} pmu0=5" for i in range(n) for core in range(20)))
    with open(path + "0", "rb") as f:
        whole = f.read()
    size = len(whole) // n
    for i in range(n):
        with open(f"{path}{i}", "wb") as f:
            f.write(whole[i * size:][:size])


def add_types(out, lines):
    with open(os.path.join(out, HOST, "unaging.additional.type_info_dic.slice_0"), "a") as f:
        f.write(lines)


def prof_flips(out, n):
    """n times the numbers of tasks begin again."""
    run("genprof", "--out", out, "--tasks", n)
    record(out, "prof.task_track", f"{HOST}/unaging.compact.task_track.slice_1", (
        f"level=5000 type=802 thread_id=4242 data_len=24 stamp={host_count(1000 + 6 * i) + 50} stream_id={i % 8} task_id=0 "
        f"batch_id={i // 8 + 1} task_type=77" for i in range(n)))
    add_types(out, "5000_77:FLIP_TASK\n")


COPY = 8000000000000000901


def collective(i, group, kind):
    """The records of the i-th collective operation, of three steps, by their layouts."""
    at, call, node = 5000 + 100 * i, "level=5500 thread_id=777", "level=10000 thread_id=777"
    records = {
        "prof.api": [f"{node} type=1 begin={host_count(at)} end={host_count(at + 90)} item_id={name_hash(50)}"],
        "prof.node_basic_info": [f"{node} data_len=40 stamp={host_count(at + 88)} op_name={name_hash(50)} op_type={17 * 10**18 + 1 + kind} task_type=9"],
        "prof.hccl_op_info": [f"{node} stamp={host_count(at + 89)} data_type=3 alg_type={name_hash(60)} count=77 group_name={name_hash(group)}"],
        "prof.task_track": [], "prof.hccl_info": [], "prof.acsq": []}
    for k in range(3):
        t, stream, task = at + 10 + 20 * k, 20 + k + 3 * (i // 65535), i % 65535
        records["prof.api"].append(f"{call} type={65538 if k else 65537} begin={host_count(t)} end={host_count(t + 10)} item_id={name_hash(70 + k)}")
        records["prof.task_track"].append(f"level=5000 type=802 thread_id=777 data_len=24 stamp={host_count(t + 5)} stream_id={stream} task_id={task} "
                                          f"task_type={900 + (k + 1) % 3}")
        records["prof.hccl_info"].append(
            f"{call} stamp={host_count(t + 6)} item_id={COPY} group_name={name_hash(group)} local_rank=1 remote_rank={k} rank_size=8 "
            f"plane_id={k} context_id=4294967295 size=3000 transport_type=0 link_type=1 data_type=3 rdma_type=255 notify_id=5")
        records["prof.acsq"] += [f"end={end} stream_id={stream} task_id={task} counter={device_count(at + 2000 + 10 * k + 6 * end)} task_type=11"
                                 for end in (0, 1)]
    return records


def prof_collectives(groups=False, types=False):
    """n collective operations, in a group or of a type of their own."""
    files = {"prof.api": f"{HOST}/aging.api_event.data.slice_0", "prof.node_basic_info": f"{HOST}/aging.compact.node_basic_info.slice_0",
             "prof.task_track": f"{HOST}/aging.compact.task_track.slice_0", "prof.hccl_op_info": f"{HOST}/unaging.compact.hccl_op_info.slice_0",
             "prof.hccl_info": f"{HOST}/unaging.additional.hccl_info.slice_0", "prof.acsq": f"{DEVICE}/stars_soc.data.0.slice_1"}

    def make(out, n):
        run("genprof", "--out", out, "--names", 500 + n * groups, "--types", 10 + n * types)
        add_types(out, "5500_65537:master\n5500_65538:slave\n5000_900:KERNEL_AICORE\n5000_901:NOTIFY_RECORD\n5000_902:MEMCPY_ASYNC\n")
        with open(os.path.join(out, HOST, "aging.additional.hash_dic.slice_0"), "a", encoding="utf-8") as names:
            names.write(f"{COPY}:Memcpy\n")
        made = [collective(i, 500 + i if groups else 60, 10 + i if types else 2) for i in range(n)]
        for layout, name in files.items():
            record(out, layout, name, (line for records in made for line in records[layout]))
    return make


# aggregates of ranks

def ranks(grows):
    """Ranks, steps, operators, collectives or links of ranks, of which one number grows."""
    def make(out, n):
        os.makedirs(out)
        size = {"ranks": 4, "steps": 4, "operators": 4, "collectives": 10, "links": 0, grows: n}
        for rank in range(size["ranks"]):
            parts = {
                "name": f"PROF_{rank}",
                "rank": [[0, rank, "host", None, None, "5", 0, size["ranks"], 10, 50000, 0]],
                "step": [[0, s + 1, str(s + 1), 10**9 + s * 10**7, 10**7, 9 * 10**6, 0, 10**6, 10**6, 0, 0]
                         for s in range(size["steps"])],
                "operator": [[0, f"op{i}", f"Op{i}", 10, 10**6, 90000, 110000] for i in range(size["operators"])],
                "collective": [[0, "group", "hcom_allReduce_", c, 10**9 + c * 2 * 10**6 + rank * 100, 10**6, None, None, size["ranks"]]
                               for c in range(size["collectives"])],
                "link": []}
            with open(os.path.join(out, f"{rank}.json"), "w") as f:
                f.write('{"schema": "msprof.aggregate/1", ' + json.dumps(parts, separators=(",", ":"))[1:] + "\n")
    return make


def torch_item(tag, fixed, name):
    data = fixed + (struct.pack("<HI", 1 + (tag == 1), len(name)) + name.encode() if name else b"")
    return struct.pack("<HI", tag, len(data)) + data


def torch_operator(start, end, name, pid, thread=7):
    return torch_item(1, struct.pack("<3q4QH", FIRST_COUNT + start, FIRST_COUNT + end, -1, pid, thread, thread, 0, 0), name)


def torch(make_files):
    """A profile of torch_npu: a PROF directory, and FRAMEWORK, whose files make_files(n) returns by their names."""
    def make(out, n):
        os.makedirs(os.path.join(out, "FRAMEWORK"))
        run("genprof", "--tasks", n, "--out", os.path.join(out, "PROF_000001_20231114221320000_GROWSGROWSGROWS"))
        with open(os.path.join(out, "profiler_info_0.json"), "w") as f:
            json.dump({"config": {"common_config": {"activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"]}}, "start_info": {"syscnt_enable": True}}, f)
        for name, data in make_files(n).items():
            with open(os.path.join(out, "FRAMEWORK", f"torch.{name}"), "wb") as f:
                f.write(data)
    return make


def torch_allocations(n):
    """n allocations behind n operators that are not theirs."""
    return {"op_range": b"".join(torch_operator(10 * i, 10 * i + 5, *(("aten::add", 2) if i % 2 else ("empty_tensor", 1))) for i in range(n)),
            "memory_usage": b"".join(torch_item(3, struct.pack("<7q2b3B2Q", i, FIRST_COUNT + 10 * n, 512, 0, 0, 0, 0, 20, 0, 0, 0, 0, 7, 1), "")
                                     for i in range(n))}


SHARED = ("check", "import", "show", "show --each", "timeline", "timeline --format perfetto", "summary", "summary --style vendor", "stacks",
          "advise", "report", "query", "diff", "diff --save")
OF_SVP = SHARED + ("show --by layer", "show --by type", "show --by stream", "show --style vendor", "show --picture")
OF_PROF = SHARED + ("show --by layer", "show --by stream", "db", "analyze", "aggregate")

# a page reads tables once for each device, of which there are 64 at most
OF_PROF_BUT_REPORT = tuple(command for command in OF_PROF if command != "report")

# dimension: the smallest size, how a job is made, commands
DIMENSIONS = {
    "svp models": (100, svp("--calls 4 --models *"), OF_SVP),
    "svp pictures": (300, svp("--pictures *"), OF_SVP),
    "svp inferences": (4000, svp("--calls *"), OF_SVP),
    "svp nets": (200, svp("--tasks * --nets *"), OF_SVP),
    "svp nets of the CPU": (300, svp("--aicpu *"), OF_SVP),
    "svp tasks": (2000, svp("--tasks *"), OF_SVP),
    "svp types": (2000, svp_layers(lambda n: n, lambda n: n), OF_SVP),
    "svp layers of a task": (2000, svp_layers(lambda n: 3, lambda n: 9), OF_SVP),
    "svp threads": (60, svp("--host-calls 20000 --threads *"), OF_SVP),
    "svp devices": (10, svp("--devices *"), OF_SVP),
    "svp calls": (4000, svp("--host-calls *"), OF_SVP),
    "svp calls that overlap": (4000, svp("--overlap 50 --host-calls *"), OF_SVP),
    "svp calls that nest": (2000, svp_host(lambda i, n: (3, i, 3 * n - i, 11, "svp_acl_rt_malloc", "")), OF_SVP),
    "svp calls that cross": (2000, svp_host(lambda i, n: (3, i, 3 * n + i, 11, "svp_acl_rt_malloc", "")), OF_SVP),
    "svp names of calls": (2000, svp_host(lambda i, n: (3, 10 * i, 10 * i + 5, 11, f"call{i}", "")), OF_SVP),
    "svp threads of calls": (2000, svp_host(lambda i, n: (3, 10 * i, 10 * i + 5, i, "svp_acl_rt_malloc", "")), OF_SVP),
    "svp marks": (2000, svp_host(lambda i, n: (5, 10 * i, 10 * i + 5, 11, f"mark{i}", f"domain{i % 7}")), OF_SVP),
    "svp operators of the host": (2000, svp_host(lambda i, n: (1, 10 * i, 10 * i + 5, 11, f"op{i}", f"T{i}")), OF_SVP),
    "svp inferences of a shared file": (500, svp("--soc dv500 --pictures *"), OF_SVP),
    "svp models of a shared file": (100, svp("--soc cv610 --calls 4 --models *"), OF_SVP),
    "svp turns in a shared file": (500, svp_turns(False), OF_SVP),
    "svp models that take turns": (200, svp_turns(True), OF_SVP),
    "svp shared files": (3000, svp_alternating, OF_SVP),
    "prof tasks": (1000, prof("--tasks *"), OF_PROF),
    "prof streams": (250, prof("--tasks 4000 --streams *"), OF_PROF),
    "prof devices": (10, prof("--tasks 1000 --names 499 --devices *"), OF_PROF_BUT_REPORT),
    "prof threads": (500, prof("--tasks * --threads *"), OF_PROF),
    "prof names": (1000, prof("--tasks * --names *"), OF_PROF),
    "prof types": (1000, prof("--tasks * --names * --types *"), OF_PROF),
    "prof slices": (100, prof("--tasks 1000 --slices *"), OF_PROF),
    "prof slices of a byte": (500, prof_small_slices(1), OF_PROF),
    "prof slices without bytes": (500, prof_small_slices(0), OF_PROF),
    "prof slices of cores": (100, prof_core_slices, OF_PROF),
    "prof tensors": (1000, prof_tensors, OF_PROF),
    "prof iterations": (300, prof_steps(models=False), OF_PROF),
    "prof models": (300, prof_steps(models=True), OF_PROF + ("summary --iteration-id 1", "timeline --iteration-id 1", "show --iteration-id 1")),
    "prof marks": (1000, prof_marks, OF_PROF),
    "prof events": (1000, prof_events(False), OF_PROF),
    "prof events that nest": (1000, prof_events(True), OF_PROF),
    "prof calls that nest": (1000, prof_nested, OF_PROF),
    "prof tasks that overlap": (1000, prof_overlaps, OF_PROF),
    "prof halves of one time": (4000, prof_halves, OF_PROF),
    "prof flips": (1000, prof_flips, OF_PROF),
    "prof collectives": (500, prof_collectives(), OF_PROF),
    "prof groups of collectives": (500, prof_collectives(groups=True), OF_PROF),
    "prof types of collectives": (500, prof_collectives(types=True), OF_PROF),
    "torch allocations": (1000, torch(torch_allocations), ("pytorch",)),
    "cluster ranks": (20, ranks("ranks"), ("cluster",)),
    "cluster steps": (500, ranks("steps"), ("cluster",)),
    "cluster operators": (500, ranks("operators"), ("cluster",)),
    "cluster collectives": (500, ranks("collectives"), ("cluster",)),
}
