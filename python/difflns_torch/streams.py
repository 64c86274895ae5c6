"""Random streams (lib/base/rng.h): Philox 4x32-10, one stream for each (seed, purpose, index)."""
import numpy

ROUNDS = 10
MULTIPLIER = (numpy.uint64(0xD2511F53), numpy.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
LOW = numpy.uint64(0xFFFFFFFF)
HALF = numpy.uint64(32)


def philox(counter, key):
    """counter: four arrays of words; key: two numbers. Returns four arrays."""
    counter = [numpy.asarray(word, dtype=numpy.uint64) for word in counter]
    key = list(key)
    for _ in range(ROUNDS):
        first, second = counter[0] * MULTIPLIER[0], counter[2] * MULTIPLIER[1]
        counter = [(second >> HALF) ^ counter[1] ^ numpy.uint64(key[0]), second & LOW,
                   (first >> HALF) ^ counter[3] ^ numpy.uint64(key[1]), first & LOW]
        key = [(word + weyl) & 0xFFFFFFFF for word, weyl in zip(key, WEYL)]
    return counter


class Stream:
    BLOCKS = 64  # made at a time

    def __init__(self, seed, purpose, index):
        self.key = (seed & 0xFFFFFFFF, seed >> 32)
        self.tag = (int.from_bytes(purpose.encode(), "little"), index & 0xFFFFFFFF, index >> 32)
        self.next_block = 0
        self.words = []
        self.place = 0

    def reserve(self, words):
        """Makes sure that so many words are at hand, in one go."""
        missing = words - (len(self.words) - self.place)
        if missing <= 0:
            return
        blocks = max(self.BLOCKS, missing // 4 + 1)
        number = numpy.arange(self.next_block, self.next_block + blocks, dtype=numpy.uint64)
        ones = numpy.ones_like(number)
        block = philox([number] + [ones * numpy.uint64(word) for word in self.tag], self.key)
        # the four words of a block are used last first
        fresh = numpy.stack(block[::-1], axis=1).reshape(-1).tolist()
        self.words = self.words[self.place:] + fresh
        self.place = 0
        self.next_block += blocks

    def u32(self):
        self.reserve(1)
        self.place += 1
        return self.words[self.place - 1]

    def below(self, n):
        product = self.u32() * n
        if product & 0xFFFFFFFF < n:
            threshold = (1 << 32) % n
            while product & 0xFFFFFFFF < threshold:
                product = self.u32() * n
        return product >> 32

    def unit(self):
        high = self.u32()
        return ((high << 32 | self.u32()) >> 11) * 2.0 ** -53

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
