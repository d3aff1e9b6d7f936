"""perfetto.py: reads a Perfetto trace with the decoder that protoc made from trace.proto, as a viewer does.

Packets come in compressed bundles. They are sorted by time, those of equal times keep their order; an end ends the last open slice of its track.
Fails (AssertionError) where a trace has an unknown field, a name without a text, a track without a description, or begins and ends that do not match.
"""
import collections
import os
import subprocess
import sys
import tempfile
import zlib

Slice = collections.namedtuple("Slice", "track start dur name args flows depth")
Trace = collections.namedtuple("Trace", "processes tracks slices samples notes")


def load():
    """The messages of trace.proto."""
    with tempfile.TemporaryDirectory() as made:
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(["protoc", "-I", here, "--python_out", made, os.path.join(here, "trace.proto")], check=True)
        sys.path.insert(0, made)
        import trace_pb2
        sys.path.pop(0)
    return trace_pb2


def packets(data, message):
    """Each packet, without holding all as messages."""
    at = 0
    while at < len(data):
        assert data[at] == 0x0a, f"byte {at} begins no packet"
        at += 1
        size = shift = 0
        while True:
            byte = data[at]
            at += 1
            size |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                break
        assert at + size <= len(data), "the last packet is cut"
        packet = message.FromString(data[at:at + size])
        at += size
        yield packet


def unpacked(path, message):
    """The packets of all bundles."""
    with open(path, "rb") as f:
        data = f.read()
    for bundle in packets(data, message):
        assert [field.name for field, _ in bundle.ListFields()] == ["compressed_packets"], "a packet outside bundles"
        yield from packets(zlib.decompress(bundle.compressed_packets), message)


def has_unknown(message):
    """Whether a message, or one in it, has a field that trace.proto lacks."""
    if hasattr(message, "UnknownFields"):
        if len(message.UnknownFields()):
            return True
    return any(has_unknown(one) for field, value in message.ListFields() if field.message_type
               for one in (value if field.label == field.LABEL_REPEATED else [value]))


def signed(v):
    return v - 2**64 if v >= 2**63 else v


class Reader:
    def __init__(self, path, strict):
        self.processes, self.tracks = {}, {}
        self.names, self.keys, self.texts = {}, {}, {}
        self.events, self.samples, self.notes = [], [], []
        pb = load()
        for n, packet in enumerate(unpacked(path, pb.TracePacket)):
            assert not strict or not has_unknown(packet), f"packet {n} has an unknown field: {packet}"
            assert packet.trusted_packet_sequence_id == 1
            assert n or packet.sequence_flags == 1, "the first packet does not clear the state"
            self.take(packet)

    def take(self, packet):
        if packet.HasField("interned_data"):
            for known, new in ((self.names, packet.interned_data.event_names), (self.keys, packet.interned_data.debug_annotation_names)):
                for one in new:
                    assert one.iid and one.iid not in known
                    known[one.iid] = one.name
            for one in packet.interned_data.debug_annotation_string_values:
                assert one.iid and one.iid not in self.texts
                self.texts[one.iid] = one.str.decode()
        if packet.HasField("track_descriptor"):
            self.describe(packet.track_descriptor)
        if packet.HasField("track_event"):
            self.event(signed(packet.timestamp), packet)

    def describe(self, d):
        assert d.uuid and d.uuid not in self.tracks and d.uuid not in self.processes
        if d.HasField("process"):
            assert 0 < d.process.pid < 2**31 and d.child_ordering == 3
            assert d.process.pid not in [pid for pid, _ in self.processes.values()]
            self.processes[d.uuid] = (d.process.pid, d.process.process_name)
        else:
            assert d.parent_uuid in self.processes
            self.tracks[d.uuid] = (d.parent_uuid, d.name, d.sibling_order_rank, d.HasField("counter"))

    def argument(self, a):
        if a.HasField("string_value_iid"):
            value = self.texts[a.string_value_iid]
        else:
            value = next(getattr(a, kind) for kind in ("int_value", "double_value", "string_value") if a.HasField(kind))
        return self.keys[a.name_iid], value

    def event(self, time, packet):
        e = packet.track_event
        is_counter = self.tracks[e.track_uuid][3]
        assert is_counter == (e.type == 4)
        if e.type == 4:
            self.samples.append((e.track_uuid, time, e.double_counter_value))
        elif e.type == 3:
            self.notes.append((e.track_uuid, time, e.name))
        elif e.type == 2:
            self.events.append((time, e.track_uuid, None))
        else:
            assert e.type == 1
            assert packet.sequence_flags == 2 or not (e.name_iid or e.debug_annotations)
            name = self.names[e.name_iid] if e.name_iid else e.name
            assert name, "a slice without a name"
            self.events.append((time, e.track_uuid, (name, tuple(sorted(self.argument(a) for a in e.debug_annotations)), tuple(e.flow_ids))))

    def slices(self):
        open_slices, found = collections.defaultdict(list), []
        self.events.sort(key=lambda e: e[0])
        for time, track, what in self.events:
            if what:
                open_slices[track].append((time, what))
                continue
            start, (name, args, flows) = open_slices[track].pop()
            found.append(Slice(track, start, time - start, name, args, flows, len(open_slices[track])))
        assert not any(open_slices.values()), "a slice without an end"
        return found


def read(path, strict=True):
    r = Reader(path, strict)
    return Trace(r.processes, r.tracks, r.slices(), r.samples, r.notes)
