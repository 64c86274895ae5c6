"""Demonstrations as `difflns expert` writes them (docs/expert.md, "The file")."""
import ctypes
import ctypes.util
import struct

import numpy

HEAD = struct.Struct("<8sIIQ")
RECORD = struct.Struct("<IIQIIQQqqii24s8s")
MAGIC, RECORD_MAGIC, VERSION = b"DLDEMOS\0", 0x4F4D4544, 1
ODD, MASK = 0x9FB21C651E98DF25, (1 << 64) - 1
FNV_BASIS, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


class Damaged(Exception):
    pass


def checksum(seed, data):
    total = (seed ^ len(data)) * ODD & MASK
    whole = len(data) // 8
    for word in list(struct.unpack_from("<%dQ" % whole, data)) + list(data[8 * whole:]):
        total = (total ^ word) * ODD & MASK
        total ^= total >> 29
    return total


def load_zstd():
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    library = ctypes.CDLL(name)
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    return library


class Example:
    """A map, agents, and what each does at every step of the plan."""

    def __init__(self, raw, agents):
        self.raw, self.at = raw, 0
        self.height, self.width = self.number(), self.number()
        area = self.height * self.width
        bits = numpy.frombuffer(raw, numpy.uint8, (area + 7) // 8, self.at)
        self.at += (area + 7) // 8
        self.blocked = numpy.unpackbits(bits, bitorder="little")[:area].astype(bool)
        self.agents = agents
        self.start = numpy.array([self.number() for _ in range(agents)])
        self.goal = numpy.array([self.number() for _ in range(agents)])
        self.action = self.plan()
        self.length = self.action.shape[1]
        self.earlier = self.plan() if self.at < len(raw) else None
        if self.at != len(raw):
            raise Damaged("its content makes no sense")
        del self.raw

    def plan(self):
        """[agents, makespan]"""
        cost = [self.number() for _ in range(self.agents)]
        action = numpy.zeros((self.agents, max(cost)), numpy.uint8)
        for agent, steps in enumerate(cost):
            action[agent, :steps] = numpy.frombuffer(self.raw, numpy.uint8, steps, self.at)
            self.at += steps
        return action

    def number(self):
        value = shift = 0
        while True:
            byte = self.raw[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


def read_demos(path):
    """All solved demonstrations, in order of their jobs."""
    zstd, found = load_zstd(), []
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < HEAD.size or data[:8] != MAGIC:
        raise Damaged("%s: not a demonstration file" % path)
    _, version, size, check = HEAD.unpack_from(data)
    at = HEAD.size + size
    if version != VERSION or checksum(checksum(0, data[:16]), data[HEAD.size:at]) != check:
        raise Damaged("%s: damaged header" % path)
    while at < len(data):
        name = "%s: record at byte %d" % (path, at)
        if at + RECORD.size > len(data):
            raise Damaged(name + ": the file ends inside it")
        magic, size, check, raw_size, outcome, job, _, _, _, agents, _, _, _ = RECORD.unpack_from(data, at)
        header, frame = data[at:at + RECORD.size], data[at + RECORD.size:at + RECORD.size + size]
        if magic != RECORD_MAGIC or checksum(checksum(0, header[:8] + bytes(8) + header[16:]), frame) != check:
            raise Damaged(name + ": the checksum does not match")
        at += RECORD.size + size
        if outcome != 0:
            continue
        raw = ctypes.create_string_buffer(raw_size)
        if zstd.ZSTD_decompress(raw, raw_size, frame, size) != raw_size:
            raise Damaged(name + ": its content makes no sense")
        found.append((job, Example(raw.raw, agents)))
    return [example for _, example in sorted(found, key=lambda entry: entry[0])]


def fingerprint(examples):
    """The number by which a state knows its demonstrations (lib/diffusion/checkpoint.c)."""
    value = FNV_BASIS
    for e in examples:
        tasks = numpy.stack([e.start, e.goal], axis=1).reshape(-1).tolist()
        words = [e.height, e.width, e.agents, e.length] + e.blocked.astype(int).tolist() + tasks
        for word in words:
            value = (value ^ word) * FNV_PRIME & MASK
        earlier = e.earlier.tobytes() if e.earlier is not None else b""
        for byte in e.action.tobytes() + earlier:
            value = (value ^ byte) * FNV_PRIME & MASK
    return value
