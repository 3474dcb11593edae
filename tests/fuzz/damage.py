"""What happens to files: they break off, bits turn over, blocks are lost, the wrong head stands on the wrong body."""

from collections.abc import Callable

import numpy as np

Damage = Callable[[np.random.Generator, bytes], bytes]


def cut_short(rng: np.random.Generator, data: bytes) -> bytes:
    """Keep the beginning, of any length."""
    return data[: int(rng.integers(0, len(data)))]


def flip_bits(rng: np.random.Generator, data: bytes) -> bytes:
    """Turn over one to thirty bits, half of the times all near the beginning, where headers are."""
    changed = np.frombuffer(data, np.uint8).copy()
    reach = len(changed) if rng.random() < 0.5 else min(len(changed), 256)
    for _ in range(int(rng.integers(1, 31))):
        changed[rng.integers(0, reach)] ^= np.uint8(1 << rng.integers(0, 8))
    return changed.tobytes()


def lose_a_block(rng: np.random.Generator, data: bytes) -> bytes:
    """Put zeros, ones or noise in the place of a run of bytes, as a bad sector does."""
    start = int(rng.integers(0, len(data)))
    length = min(len(data) - start, int(rng.choice([1, 4, 64, 512, 4096])))
    filling = (bytes(length), b"\xff" * length, rng.bytes(length))[rng.integers(0, 3)]
    return data[:start] + filling + data[start + length :]


def move_a_block(rng: np.random.Generator, data: bytes) -> bytes:
    """Take a run of bytes out, put one in twice, or put it elsewhere."""
    a, b, c = sorted(int(place) for place in rng.integers(0, len(data) + 1, 3))
    return (data[:a] + data[b:], data[:b] + data[a:], data[:a] + data[b:c] + data[a:b] + data[c:])[rng.integers(0, 3)]


def put_numbers_at_the_brink(rng: np.random.Generator, data: bytes) -> bytes:
    """Write numbers on which arithmetic breaks, 0, 1, the largest of 2, 4 or 8 bytes, over some bytes near the head."""
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        size = int(rng.choice([1, 2, 4, 8]))
        place = int(rng.integers(0, max(1, min(len(data) - size, 600))))
        number = int(rng.choice([0, 1, 2, 127, 128, 255]))
        brinks = [number, 2 ** (8 * size) - 1, 2 ** (8 * size - 1), 2 ** (8 * size - 1) - 1]
        order = ("little", "big")[rng.integers(0, 2)]
        changed[place : place + size] = int(brinks[rng.integers(0, 4)]).to_bytes(size, order)
    return bytes(changed)


def add_a_tail(rng: np.random.Generator, data: bytes) -> bytes:
    """Append bytes, as downloads and recovered disks do."""
    return data + (bytes(4096), rng.bytes(4096), data)[rng.integers(0, 3)]


ACCIDENTS: tuple[Damage, ...] = (flip_bits, lose_a_block, move_a_block, put_numbers_at_the_brink)
"""After which a file may still be readable, and need not give what it gave before."""


def accident(rng: np.random.Generator, data: bytes) -> bytes:
    """Do one or two of the `ACCIDENTS` to a file."""
    for _ in range(int(rng.integers(1, 3))):
        data = ACCIDENTS[rng.integers(0, len(ACCIDENTS))](rng, data) or b"\0"
    return data
