"""Models and states as the C program reads and writes them: safetensors with the configuration in the metadata."""
import json
import os
import struct

import numpy

MODEL, STATE = "difflns-model", "difflns-training"
NEWER_FIELDS = {"earlier_share": 0, "validation_steps": 6}  # what older models do not say
# What is gone, with the value at which it changed nothing; None: of training only, which weights do not depend on.
RETIRED = {"tokens": "absolute", "self_conditioning": False, "token_levels": False, "path_choice": "likeliest",
           "wait_weight": None, "level_lean": None, "rate_decay": None, "span_share": None, "own_share": None}
VECTORS = ("parameters", "first_moment", "second_moment", "average")


def read(path):
    """Tensors in the order of the file, and the metadata."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data, "<f4", (end - begin) // 4, 8 + length + begin)
        tensors[name] = values.reshape(entry["shape"]).copy()
    return tensors, metadata


def write(path, tensors, metadata):
    """To a temporary that is renamed: whole or not there."""
    header, at = {"__metadata__": metadata}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [at, at + 4 * values.size]}
        at += 4 * values.size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    temporary = "%s.tmp%d" % (path, os.getpid())
    with open(temporary, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(numpy.ascontiguousarray(values, "<f4").tobytes())
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_config(path, text):
    config = dict(NEWER_FIELDS, **json.loads(text))
    for name, neutral in RETIRED.items():
        if config.pop(name, neutral) != neutral and neutral is not None:
            raise ValueError("%s: %s: unknown hyper-parameter" % (path, name))
    return config


def read_model(path):
    tensors, metadata = read(path)
    if metadata.get("format") != MODEL:
        raise ValueError("%s: not a difflns model" % path)
    return tensors, read_config(path, metadata["config"])


def write_model(path, tensors, config, card):
    write(path, tensors, {"format": MODEL, "version": "1", "config": json.dumps(config), "card": json.dumps(card)})


def read_state(path):
    """The four vectors, the configuration and the numbers: step, data, seconds, seconds of the epoch, its sums."""
    tensors, metadata = read(path)
    if metadata.get("format") != STATE:
        raise ValueError("%s: not a training state" % path)
    words = metadata["numbers"].split()
    numbers = [int(words[0]), int(words[1])] + [float.fromhex(word) for word in words[2:]]
    return [tensors[name] for name in VECTORS], read_config(path, metadata["config"]), numbers


def write_state(path, vectors, config, numbers):
    text = " ".join([str(numbers[0]), str(numbers[1])] + [float(number).hex() for number in numbers[2:]])
    write(path, dict(zip(VECTORS, vectors)), {"format": STATE, "config": json.dumps(config), "numbers": text})
