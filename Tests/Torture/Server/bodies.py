"""Bodies that can be checked, and what can be wrong with a coding."""
import gzip
import zlib


def plain(number, length):
    """`id=ID;` again and again."""
    piece = b"id=%d;" % number
    return (piece * (length // len(piece) + 1))[:length]


def length(random):
    kind = random.random()
    if kind < 0.1:
        return 0
    if kind < 0.8:
        return random.randrange(1, 3000)
    if kind < 0.97:
        return random.randrange(3000, 60_000)
    return random.randrange(60_000, 400_000)


def coded(random, body):
    """The name of a coding, and the body in it."""
    if random.random() < 0.5:
        return b"gzip", gzip.compress(body, random.randrange(1, 10))
    return b"deflate", zlib.compress(body)


def miscoded(random, body):
    """The same, but cut, bombed, or not what its name says."""
    name, data = coded(random, body)
    kind = random.randrange(7)
    if kind == 6:
        # Without the head of RFC 1950, as some servers send it: libcurl takes it unless its first byte comes alone.
        raw = zlib.compressobj(wbits=-15)
        return b"deflate", raw.compress(body) + raw.flush()
    if kind == 0:
        return name, data[: random.randrange(len(data))]
    if kind == 1:
        return name, flipped(random, data)
    if kind == 2:
        # 3 MB of next to nothing.
        return b"gzip", gzip.compress(bytes(3_000_000))
    if kind == 3:
        return b"gzip, gzip", gzip.compress(gzip.compress(body))
    if kind == 4:
        return random.choice([b"gzip", b"deflate", b"br", b"zstd", b"x-unknown", b"", b","]), body
    return name, data + b"more behind the end"


def flipped(random, data, most=8):
    """A few bytes changed, left out, doubled or put in."""
    data = bytearray(data)
    for _ in range(random.randrange(1, most)):
        place = random.randrange(len(data) + 1)
        kind = random.randrange(4)
        if kind == 0:
            data[place:place] = bytes([random.randrange(256)])
        elif kind == 1:
            del data[place : place + random.randrange(1, 4)]
        elif kind == 2 and place < len(data):
            data[place] = random.choice([0, 9, 10, 13, 32, 44, 58, 59, 255, random.randrange(256)])
        else:
            data[place:place] = data[place : place + random.randrange(1, 40)]
    return bytes(data)
