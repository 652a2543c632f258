"""Answers in HTTP/2, valid ones and others, as steps for `http2.Session`."""
import struct

import bodies
import choices
from frames import *

# A wrong frame ends the connection, and what else is on it.
MUTATED = 0.25


def steps(random, request, answer):
    return choices.steps(Draft(random, request, answer), random, answer, MUTATED, MUTATIONS, VARIATIONS)


class Draft:
    def __init__(self, random, request, answer):
        self.random, self.request, self.answer = random, request, answer
        self.number = request.number
        self.has_no_body = request.method == "HEAD"
        self.body = b"" if self.has_no_body else bodies.plain(request.number, bodies.length(random))
        answer.length = len(self.body)
        self.fields = [(":status", "200"), ("x-id", str(request.number)), ("content-type", "text/plain")]
        if request.takes_codings and self.body and random.random() < 0.3:
            coding, self.body = bodies.coded(random, self.body)
            self.fields.append(("content-encoding", coding.decode()))

    def status(self, code, *fields):
        self.fields[0] = (":status", str(code))
        self.fields += fields

    def pieces(self, end=END_STREAM):
        """The body in frames; an empty one ends a stream whose head didn't."""
        rest, steps = self.body, []
        while rest:
            size = min(16384, self.random.randrange(1, len(rest) + 1))
            steps.append(("data", rest[:size], 0))
            rest = rest[size:]
        steps.append(("data", b"", end))
        return steps

    def whole(self, *fields):
        if not self.body and self.random.random() < 0.5:
            return [("headers", [*self.fields, *fields], END_HEADERS | END_STREAM)]
        return [("headers", [*self.fields, *fields], END_HEADERS), *self.pieces()]

    def sized(self):
        return ("content-length", str(len(self.body)))

    def unfinished(self, steps):
        """Behind these the client waits for more."""
        if self.answer.may_wait:
            return [*steps, ("wait",)]
        return [*steps, self.random.choice([("frame", RST_STREAM, 0, struct.pack(">I", 2)), ("close",)])]

    def spoiling(self, *steps):
        """These end the connection, if the client sees that they are wrong; else we do."""
        return [("spoil",), *steps, ("pause", 0.02), ("close",)]

    def next_hop(self):
        return ("location", f"/{self.number}?hop={self.request.hop + 1}")


# MARK: Valid answers


def plain(draft):
    return draft.whole(draft.sized())


def unsized(draft):
    return draft.whole()


def slow(draft):
    steps = draft.whole(draft.sized())
    return [part for step in steps[:20] for part in (step, ("pause", 0.002))] + steps[20:]


def split(draft):
    # Into at most 8 frames: nghttp2 takes more of them for an attack.
    return [("split headers", draft.fields, 0, draft.random.randrange(20, 60)), *draft.pieces()]


def with_trailers(draft):
    return [("headers", draft.fields, END_HEADERS), *draft.pieces(end=0), ("headers", [("x-sum", "12")], END_HEADERS | END_STREAM)]


def with_interim(draft):
    interim = ("headers", [(":status", "103"), ("link", "</a>; rel=preload")], END_HEADERS)
    return [interim] * draft.random.randrange(1, 10) + draft.whole()


def with_other_frames(draft):
    others = [("frame", PING, 0, b"12345678", 0), ("frame", 0x42, 0xFF, b"unknown"), ("frame", PRIORITY, 0, b"\0\0\0\0\x10"), ("frame", SETTINGS, 0, b"", 0)]
    steps = draft.whole()
    return [steps[0], draft.random.choice(others), *steps[1:]] if len(steps) > 1 else steps


def padded(draft):
    body, draft.body = draft.body[:1000], b""
    draft.answer.length = len(body)
    if ("content-encoding", "gzip") in draft.fields or ("content-encoding", "deflate") in draft.fields:
        draft.fields.pop()
        body = bodies.plain(draft.number, draft.answer.length)
    return [("headers", draft.fields, END_HEADERS), ("data", b"\x05" + body + b"\0" * 5, PADDED), ("data", b"", END_STREAM)]


def early(draft):
    """Before the request's body has come."""
    draft.answer.is_early = True
    return draft.whole(draft.sized())


def early_and_enough(draft):
    """The same, and the rest of the body isn't wanted (RFC 9113, section 8.1). Up to 8.4 libcurl may lose the end of it, and says so."""
    draft.answer.is_early = True
    return [*draft.whole(draft.sized()), ("frame", RST_STREAM, 0, b"\0\0\0\0")]


def going_away(draft):
    """As nginx does after `keepalive_requests`: what is under way is answered, what comes later must be sent again elsewhere."""
    return [("go away", None, 0), *draft.whole(draft.sized()), ("close when done",)]


def redirected(draft):
    if draft.request.hop > 3:
        return plain(draft)
    draft.answer.is_redirect = True
    draft.status(draft.random.choice([302, 303, 307]), draft.next_hop())
    return draft.whole()


VARIATIONS = [
    plain, plain, plain, plain, unsized, slow, split, with_trailers, with_interim, with_other_frames, padded, early, going_away,
    redirected,
]

# MARK: Others


def refused(draft):
    draft.answer.refused = True
    return [("frame", RST_STREAM, 0, struct.pack(">I", 7))]


def reset_by_any_code(draft):
    code = draft.random.choice([*range(14), 99, 2**32 - 1])
    draft.answer.refused = code in (7, 13)
    start = [] if draft.answer.refused else draft.whole()[: draft.random.randrange(3)]
    if any(step[0] in ("headers", "data") and step[2] & END_STREAM for step in start):
        start = start[:-1]
    return [*start, ("frame", RST_STREAM, 0, struct.pack(">I", code))]


def gone_away(draft):
    last = draft.random.choice([0, 1, None, 2**31 - 1])
    return draft.spoiling(("go away", last, draft.random.choice([0, 1, 2, 7, 11, 12, 13, 99])))


def cut_off(draft):
    return draft.unfinished(draft.whole(draft.sized())[: draft.random.randrange(1, 4)][:-1])


def never_answered(draft):
    return draft.unfinished([])


def of_another_length(draft):
    draft.fields.append(("content-length", draft.random.choice(["0", "1", "99999999999", "-1", "x", "5, 6", "", str(len(draft.body) + 1)])))
    return draft.whole()


def with_bad_fields(draft):
    bad = draft.random.choice([
        [(":status", "200")], [("Upper", "case")], [("connection", "close")], [("transfer-encoding", "chunked")], [(":path", "/")], [("", "x")],
        [("x", "a\r\nb: c")], [("x", "\0")], [("x", " y ")], [("a b", "c")], [("x", "\x7f")], [(":unknown", "x")], [("te", "gzip")],
    ])
    return draft.whole(*bad)


def with_bad_status(draft):
    draft.fields[0] = (":status", draft.random.choice(["", "20", "2000", "abc", "099", "101", "100", "999", "-20", " 200"]))
    if draft.random.random() < 0.3:
        draft.fields.pop(0)
    return draft.unfinished(draft.whole())


def with_large_fields(draft):
    more = draft.random.choice([
        [("x", "a" * 60_000)], [(f"x{index}", "y") for index in range(3000)], [("x", "a" * 3000)] * 40, [("a" * 60_000, "x")],
    ])
    return [("spoil",), ("split headers", draft.fields + more, 0, 16_000), *draft.pieces()]


def with_bad_block(draft):
    block = draft.random.choice([
        b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x80", b"\xbf\xff\xff\xff\x0f", b"\x40\x85\xff\xff\xff\xff\xff\x01a", b"\x3f\xff\xff\xff\xff\x0f",
        bytes(draft.random.randrange(256) for _ in range(30)), b"\x88" * 5000, b"\x00\x7f\xff\xff\xff\x7f",
    ])
    return draft.spoiling(("frame", HEADERS, END_HEADERS, block))


def with_flood(draft):
    kind, flags, payload, number = draft.random.choice([
        (PING, 0, b"12345678", 0), (SETTINGS, 0, b"", 0), (PRIORITY, 0, b"\0\0\0\0\x10", None), (WINDOW_UPDATE, 0, b"\0\0\0\x01", 0),
        (DATA, 0, b"", None), (0x42, 0, b"x" * 1000, 0), (CONTINUATION, 0, b"", None),
    ])
    start = [("headers", draft.fields, END_HEADERS)] if kind == DATA else []
    if kind == CONTINUATION:
        start = [("frame", HEADERS, 0, b"\x88")]
    flood = ("frame", kind, flags, payload) if number is None else ("frame", kind, flags, payload, number)
    return draft.spoiling(*start, *[flood] * 1500)


def with_wrong_frames(draft):
    wrong = [
        ("frame", DATA, 0, b"x", 0), ("frame", HEADERS, END_HEADERS, b"\x88", 0), ("frame", HEADERS, END_HEADERS, b"\x88", 2),
        ("frame", DATA, 0, b"id=666;", 2**31 - 1), ("frame", RST_STREAM, 0, b"\0\0\0\0", 0), ("frame", RST_STREAM, 0, b"\0"),
        ("frame", SETTINGS, 0, b"\0\x05\0\0\0\x01", 0), ("frame", SETTINGS, 0, b"\0\x04\xff\xff\xff\xff", 0), ("frame", SETTINGS, 0, b"123", 0),
        ("frame", SETTINGS, ACK, b"123456", 0), ("frame", SETTINGS, 0, b"\0\x02\0\0\0\x01", 0), ("frame", PING, 0, b"1", 0),
        ("frame", GOAWAY, 0, b"1", 0), ("frame", WINDOW_UPDATE, 0, b"\0\0\0\0"), ("frame", WINDOW_UPDATE, 0, b"\x7f\xff\xff\xff", 0),
        ("frame", WINDOW_UPDATE, 0, b"\x7f\xff\xff\xff"), ("frame", PUSH_PROMISE, END_HEADERS, b"\0\0\0\x02\x82\x84\x86"),
        ("frame", CONTINUATION, END_HEADERS, b"\x88"), ("frame", PRIORITY, 0, b"1"), ("frame", DATA, PADDED, b"\xffx"),
        ("raw", b"\xff\xff\xff\x00\x00\x00\x00\x00\x01"), ("raw", b"HTTP/1.1 400 Bad Request\r\n\r\n"), ("raw", b"\x00" * 9 * 3),
    ]
    chosen = draft.random.sample(wrong, draft.random.randrange(1, 4))
    start = draft.whole()[: draft.random.randrange(3)]
    return draft.spoiling(*start, *chosen)


def beyond_the_window(draft):
    return draft.spoiling(("headers", draft.fields, END_HEADERS), *[("frame", DATA, 0, b"id=%d;" % draft.number * 1000)] * 10_000)


def after_the_end(draft):
    return draft.spoiling(*draft.whole(), ("frame", DATA, 0, b"id=666;"), ("headers", draft.fields, END_HEADERS), ("frame", DATA, END_STREAM, b"x"))


def scrambled(draft):
    draft.answer.scrambled = True
    data = frame(HEADERS, END_HEADERS, 1, b"\x88") + frame(DATA, 0, 1, draft.body[:500])
    return draft.spoiling(("raw", bodies.flipped(draft.random, data)))


def misencoded(draft):
    name, draft.body = bodies.miscoded(draft.random, bodies.plain(draft.number, bodies.length(draft.random)))
    draft.answer.scrambled = True
    return draft.whole(("content-encoding", name.decode()))


def redirected_to_itself(draft):
    draft.answer.refused = True
    draft.status(draft.random.choice([302, 303]), ("location", f"/{draft.number}?hop={draft.request.hop}"))
    return draft.whole()


def of_another_status(draft):
    draft.answer.refused = True
    code, *fields = draft.random.choice([
        (401, ("www-authenticate", 'Digest realm="a", nonce="b", qop="auth"')), (401, ("www-authenticate", "NTLM")), (421,), (204,), (304,), (408,),
        (429, ("retry-after", "0")), (503, ("retry-after", "-1")), (206, ("content-range", "bytes 0-0/1")), (205,), (300,),
    ])
    draft.status(code, *fields)
    return draft.whole()


MUTATIONS = [
    refused, refused, reset_by_any_code, reset_by_any_code, gone_away, cut_off, never_answered, of_another_length, with_bad_fields, with_bad_status,
    with_large_fields, with_bad_block, with_flood, with_wrong_frames, with_wrong_frames, beyond_the_window, after_the_end, scrambled, misencoded,
    redirected_to_itself, of_another_status, early_and_enough,
]
