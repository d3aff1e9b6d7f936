"""trainings.py: made-up trainings, as the aggregates that `msprof aggregate` would write of their ranks, and who is to blame.

A training is a grid of stages (pp), replicas (dp) and shards (tp) of a model. A step has micro-batches: a rank receives, computes, meets its
shards, and sends; then replicas meet, and where they are asked for also experts. All are played event by event; nothing is judged here.
"""
import json
import random

PIECES = [("MatMul", 0.5), ("Attention", 0.3), ("Norm", 0.05), ("Embed", 0.15)]


class Rank:
    def __init__(self, number, r):
        self.number, self.now, self.begin = number, 0, 10**12 + r.randrange(10**9)
        self.busy = self.held = 0
        self.steps, self.collectives, self.counts, self.links = [], [], {}, []
        self.operators = {name: [0, 0, 1 << 60, 0] for name, _ in PIECES}


class Training:
    """tp, pp, dp: the grid. experts: ranks of a group of experts. groups: the sizes of unequal groups of replicas in place of dp.
    receives: what a stage waits for the one before is recorded as communication."""

    def __init__(self, seed, tp=1, pp=1, dp=1, experts=0, groups=None, receives=False, steps=10, micros=4, noise=0.01):
        self.r = random.Random(seed)
        self.tp, self.pp, self.dp, self.receives, self.steps, self.micros, self.noise = tp, pp, dp, receives, steps, micros, noise
        self.size = sum(groups) if groups else tp * pp * dp
        self.ranks = [Rank(k, self.r) for k in range(self.size)]
        self.work = self.r.randrange(1500, 3500) * 1000  # ns of a micro-batch
        self.slow, self.late, self.pauses, self.skew, self.ends, self.link = {}, {}, (0, 0, None), {}, {}, None
        shards = [[(p * dp + d) * tp + t for t in range(tp)] for p in range(pp) for d in range(dp)]
        self.shards = [("tp%d" % n, g) for n, g in enumerate(shards) if tp > 1]
        replicas = [[(p * dp + d) * tp + t for d in range(dp)] for p in range(pp) for t in range(tp)]
        if groups:
            edges = [sum(groups[:n]) for n in range(len(groups) + 1)]
            replicas = [list(range(a, b)) for a, b in zip(edges, edges[1:])]
        self.replicas = [("dp%d" % n, g) for n, g in enumerate(replicas) if len(g) > 1]
        if experts:
            self.replicas += [("ep%d" % n, list(range(n * experts, (n + 1) * experts))) for n in range(self.size // experts)]

    def noisy(self, ns, share=None):
        return max(1, int(ns * self.r.gauss(1, self.noise if share is None else share)))

    def compute(self, rank):
        gap, often, who = self.pauses
        if often and who in (None, rank.number) and self.r.random() < often:
            rank.now += gap
        if rank.number in self.late:
            rank.now += self.noisy(self.late[rank.number], 0.1)
        for name, share in PIECES:
            ns = self.noisy(self.work * share * self.slow.get(rank.number, 1))
            rank.now += ns
            rank.busy += ns
            o = rank.operators[name]
            o[0], o[1], o[2], o[3] = o[0] + 1, o[1] + ns, min(o[2], ns), max(o[3], ns)

    def meet(self, name, members, ns):
        end = max(self.ranks[k].now for k in members) + self.noisy(ns, 0.05)
        for k in members:
            rank = self.ranks[k]
            begin, rank.now = rank.now, end + self.r.randrange(-1000, 1000)
            number = rank.counts.get(name, 0)
            rank.counts[name] = number + 1
            rank.collectives.append([0, name, "hcom_allReduce_", number, rank.begin + begin, rank.now - begin, None, None, len(members)])
            rank.held += rank.now - begin

    def receive(self, rank, ready):
        if rank.now < ready:
            if self.receives:
                rank.held += ready - rank.now
            rank.now = ready

    def play(self):
        width = self.tp * self.dp
        for step in range(self.steps):
            begun = []
            for rank in self.ranks:
                begun.append(rank.now)
                rank.busy = rank.held = 0
            sent = [0] * self.size
            for _ in range(self.micros):
                for stage in range(self.pp):
                    mine = self.ranks[stage * width:(stage + 1) * width] if self.pp > 1 else self.ranks
                    for rank in mine:
                        if stage:
                            self.receive(rank, sent[rank.number - width])
                        self.compute(rank)
                    for name, group in self.shards[stage * self.dp:(stage + 1) * self.dp]:
                        self.meet(name, group, 120000)
                    for rank in mine:
                        sent[rank.number] = rank.now + 15000
            for name, group in self.replicas:
                self.meet(name, group, 250000)
            for rank, start in zip(self.ranks, begun):
                span = rank.now - start
                rank.steps.append([0, step + 1, str(step + 1), rank.begin + start, span, rank.busy, 0, rank.held, rank.held,
                                   span - rank.busy - rank.held, 0])

    def documents(self):
        for rank in self.ranks:
            k = rank.number
            for other in range(max(0, k - 2), min(self.size, k + 3)):
                if other != k:
                    rate = self.r.uniform(17, 19) * (0.5 if self.link == (k, other) else 1)
                    rank.links.append([0, k, other, "HCCS", "SDMA", 10, 2**29, int(2**29 / rate)])
            last = self.ends.get(k, self.steps)
            until = rank.steps[last - 1][3] + rank.steps[last - 1][4]
            steps, met = rank.steps[:last], [c for c in rank.collectives if c[4] < until]
            offset = 10**18 - rank.begin + self.skew.get(k, 0) + int(self.r.gauss(0, 20000))
            yield {"schema": "msprof.aggregate/1", "name": f"PROF_{k:05}",
                   "rank": [[0, k, f"host{k // 8}", None, "1.0", "5", offset, met[0][8] if met else None, len(met), 50000, 0]],
                   "step": steps, "operator": [[0, n, n, *o] for n, o in rank.operators.items()], "collective": met, "link": rank.links}

    def write(self, directory):
        self.play()
        for n, document in enumerate(self.documents()):
            with open(f"{directory}/{n:05}.json", "w", encoding="utf-8") as f:
                json.dump(document, f)
