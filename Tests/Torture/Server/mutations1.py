"""Answers in HTTP/1.1, valid ones and others, as steps for `http1.play`."""
import bodies
import choices

# Whether an answer is mutated at all, decided first: most connections are to live long enough to be used again.
MUTATED = 0.45


def steps(random, request, answer):
    return choices.steps(Draft(random, request, answer), random, answer, MUTATED, MUTATIONS, VARIATIONS)


class Draft:
    """A valid answer in parts, before anything is done to it."""

    def __init__(self, random, request, answer):
        self.random, self.request, self.answer = random, request, answer
        self.number = request.number
        self.has_no_body = request.method == "HEAD"
        self.body = bodies.plain(request.number, bodies.length(random))
        answer.length = 0 if self.has_no_body else len(self.body)
        self.status = b"HTTP/1.1 200 OK"
        self.fields = [b"X-Id: %d" % request.number, b"Content-Type: text/plain"]
        self.coding = None
        if request.takes_codings and not self.has_no_body and random.random() < 0.3:
            self.coding, self.body = bodies.coded(random, self.body)
            self.fields.append(b"Content-Encoding: " + self.coding)

    def shorten(self):
        """So that it and a few bytes more come in one piece."""
        if self.coding is None:
            self.body = self.body[:3000]
            self.answer.length = min(self.answer.length, 3000)

    def next_hop(self):
        return b"/%d?hop=%d" % (self.number, self.request.hop + 1)

    def head(self, *more, end=b"\r\n"):
        return end.join([self.status, *self.fields, *more]) + end + end

    def sized(self):
        return self.head(b"Content-Length: %d" % len(self.body))

    def payload(self):
        return b"" if self.has_no_body else self.body

    def chunks(self, trailers=b""):
        if self.has_no_body:
            return b""
        text, rest = b"", self.body
        while rest:
            size = self.random.randrange(1, max(2, len(rest) + 1))
            extension = self.random.choice([b"", b"", b";a=b", b' ;c="d e"'])
            text += b"%x" % size + extension + b"\r\n" + rest[:size] + b"\r\n"
            rest = rest[size:]
        return text + b"0\r\n" + trailers + b"\r\n"

    def unfinished(self, data):
        """Sends something behind which the client waits for more: in vain, where it may have to wait; else the connection ends."""
        return [("send", data), ("wait",) if self.answer.may_wait else ("close",)]

    def closed(self, data):
        return [("send", data), ("close",)]


# MARK: Valid answers


def plain(draft):
    return [("send", draft.sized() + draft.payload())]


def in_pieces(draft):
    return [("drip", draft.sized() + draft.payload()[:0], 7), ("send", draft.payload())]


def dripped(draft):
    data = draft.sized() + draft.payload()
    return [("drip", data, max(1, len(data) // 30))]


def chunked(draft):
    return [("send", draft.head(b"Transfer-Encoding: chunked") + draft.chunks())]


def with_trailers(draft):
    trailers = b"X-Sum: 12\r\nX-More: a\r\n"
    return [("send", draft.head(b"Trailer: X-Sum", b"Transfer-Encoding: chunked") + draft.chunks(trailers))]


def until_close(draft):
    return draft.closed(draft.head() + draft.payload())


def with_interim(draft):
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * draft.random.randrange(1, 20)
    return [("send", interim + draft.sized() + draft.payload())]


def closing(draft):
    return draft.closed(draft.head(b"Connection: close", b"Content-Length: %d" % len(draft.body)) + draft.payload())


def closing_quietly(draft):
    # The next request finds that out.
    return draft.closed(draft.sized() + draft.payload())


def with_folds(draft):
    draft.fields.append(b"X-Folded: a\r\n b\r\n\tc")
    return [("send", draft.sized() + draft.payload())]


def with_bare_line_ends(draft):
    return [("send", draft.head(b"Content-Length: %d" % len(draft.body), end=b"\n") + draft.payload())]


def with_cookies(draft):
    draft.fields += [b"Set-Cookie: c%d=%d; Path=/" % (index, draft.number) for index in range(draft.random.randrange(1, 40))]
    return [("send", draft.sized() + draft.payload())]


def early(draft):
    """Before the request's body has come, and the connection goes on."""
    draft.answer.is_early = True
    return [("send", draft.sized() + draft.payload())]


def redirected(draft):
    if draft.request.hop > 3:
        return plain(draft)
    draft.answer.is_redirect = True
    draft.status = draft.random.choice([b"HTTP/1.1 302 Found", b"HTTP/1.1 303 See Other", b"HTTP/1.1 307 Temporary Redirect"])
    return [("send", draft.head(b"Location: " + draft.next_hop(), b"Content-Length: %d" % len(draft.body)) + draft.payload())]


def redirected_endlessly(draft):
    """The redirect's body has no length, and never ends."""
    if draft.request.hop > 3 or draft.has_no_body:
        return plain(draft)
    draft.answer.is_redirect = True
    draft.status = b"HTTP/1.1 302 Found"
    return [("send", draft.head(b"Location: " + draft.next_hop())), ("endless", b"more " * 200, 500), ("wait",)]


VARIATIONS = [
    plain, plain, plain, plain, in_pieces, dripped, chunked, chunked, with_trailers, until_close, with_interim, closing,
    closing_quietly, with_folds, with_bare_line_ends, with_cookies, early, redirected, redirected_endlessly,
]

# MARK: Others


def folded_anywhere(draft):
    # Behind the first field: there has to be something to continue.
    for _ in range(draft.random.randrange(1, 6) if draft.fields else 0):
        draft.fields.insert(draft.random.randrange(1, len(draft.fields) + 1), draft.random.choice([b" folded", b"\t", b" a: b"]))
    return [("send", draft.sized() + draft.payload())]


def too_long(draft):
    length = len(draft.body) + draft.random.choice([1, 100, 10**6, 2**31, 2**62])
    return draft.unfinished(draft.head(b"Content-Length: %d" % length) + draft.payload())


def too_short(draft):
    draft.shorten()
    length = draft.random.randrange(len(draft.body)) if draft.body and not draft.has_no_body else 0
    answer = draft.head(b"Content-Length: %d" % length) + draft.body[:length]
    return [("leave over", answer, draft.body[length:] or b"x")]


def of_no_length(draft):
    value = draft.random.choice([
        b"+5", b"-1", b"5, 6", b"5x", b"0x5", b"", b" ", b"99999999999999999999", b"5\r\nContent-Length: 6", b"18446744073709551615",
        b"5\x00", b"1e3", b"5;6",
    ])
    return draft.closed(draft.head(b"Content-Length: " + value) + draft.payload())


def of_two_lengths(draft):
    order = [b"Transfer-Encoding: chunked", b"Content-Length: %d" % draft.random.randrange(10)]
    draft.random.shuffle(order)
    return draft.closed(draft.head(*order) + draft.chunks())


def in_bad_chunks(draft):
    bad = draft.random.choice([
        b"xyz\r\nabc\r\n0\r\n\r\n", b"-5\r\nabc\r\n", b"5\r\nhello", b"5\r\nhello!\r\n0\r\n\r\n", b"FFFFFFFFFFFFFFFFF\r\nabc", b"5",
        b"7fffffffffffffff\r\nabc\r\n", b"0x5\r\nhello\r\n0\r\n\r\n", b" 5\r\nhello\r\n0\r\n\r\n", b"5 \r\nhello\r\n0\r\n\r\n", b"\r\n",
        b"5;" + b"a" * 50_000 + b"\r\nhello\r\n0\r\n\r\n", b"0", b"0\r\n", b"0\r\nX: y", b"5\nhello\n0\n\n", b"00000000000000005\r\nhello\r\n0\r\n\r\n",
    ])
    start = draft.chunks()[: draft.random.randrange(40)] if draft.random.random() < 0.3 else b""
    return draft.closed(draft.head(b"Transfer-Encoding: chunked") + start + bad)


def in_odd_transfer_coding(draft):
    coding = draft.random.choice([b"gzip, chunked", b"chunked, gzip", b"chunked, chunked", b"identity", b"xchunked", b"chunked;q=1", b""])
    return draft.closed(draft.head(b"Transfer-Encoding: " + coding) + draft.chunks())


def with_bad_trailers(draft):
    trailers = draft.random.choice([
        b"Content-Length: 5\r\n", b"no colon\r\n", b": no name\r\n", b"X: " + b"a" * 200_000 + b"\r\n",
        b"X: y\r\n" * 5000, b"X: \x00\r\n", b"Transfer-Encoding: chunked\r\n",
    ])
    data = draft.head(b"Transfer-Encoding: chunked") + draft.chunks(trailers)
    return draft.closed(data[: -draft.random.randrange(1, 4)] if draft.random.random() < 0.3 else data)


def with_odd_interim(draft):
    interim = draft.random.choice([
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n" * 300,
        b"HTTP/1.1 103 Hints\r\nContent-Length: 5\r\n\r\nhello", b"HTTP/1.1 199 x\r\n\r\n",
        b"HTTP/1.1 103 Hints\r\nTransfer-Encoding: chunked\r\n\r\n", b"HTTP/1.0 100 c\r\n\r\n", b"HTTP/1.1 103\r\nX: " + b"a" * 90_000 + b"\r\n\r\n",
    ])
    rest = b"" if draft.random.random() < 0.2 else draft.sized() + draft.payload()
    return draft.closed(interim + rest)


def cut_off(draft):
    data = draft.random.choice([draft.sized() + draft.payload(), draft.head(b"Transfer-Encoding: chunked") + draft.chunks()])
    end = draft.random.randrange(draft.random.choice([20, 200, len(data)]))
    return [("send", data[: min(end, len(data) - 1)]), draft.random.choice([("close",), ("reset",)])]


def never_answered(draft):
    return [("wait",) if draft.answer.may_wait else draft.random.choice([("close",), ("reset",)])]


def followed_by_garbage(draft):
    garbage = draft.random.choice([b"x", b"\r\n\r\nHTTP/1.1", b"\x00" * 31, b"HTTP/1.1 200 OK\r\n"])
    return leave_over(draft, garbage)


def followed_by_an_answer(draft):
    return leave_over(draft, b"HTTP/1.1 200 OK\r\nX-Id: 666\r\nContent-Length: 7\r\n\r\nid=666;" * draft.random.randrange(1, 4))


def followed_by_a_body(draft):
    """Where there must be none."""
    if not draft.has_no_body:
        draft.status = draft.random.choice([b"HTTP/1.1 204 No Content", b"HTTP/1.1 304 Not Modified"])
    draft.body = b"id=666;" * 5
    if draft.random.random() < 0.5:
        return [("leave over", draft.sized(), draft.body)]
    return [("send", draft.sized()), ("leave over later", draft.body)]


def leave_over(draft, data):
    draft.shorten()
    answer = draft.sized() + draft.payload()
    if draft.random.random() < 0.5:
        return [("leave over", answer, data)]
    return [("send", answer), ("leave over later", data)]


def with_large_head(draft):
    more = draft.random.choice([
        [b"X: " + b"a" * 90_000], [b"X: " + b"a" * 400_000], [b"X%d: y" % index for index in range(4000)], [b"a" * 120_000 + b": x"],
        [b"X: y"] * 30_000,
    ])
    return draft.closed(draft.head(*more, b"Content-Length: %d" % len(draft.body)) + draft.payload())


def with_endless_head(draft):
    return [("send", draft.status + b"\r\n"), ("endless", b"X: " + b"a" * 4000 + b"\r\n", 2000), ("close",)]


def with_odd_fields(draft):
    odd = [
        b"no colon", b": no name", b"a b: c", b"X : y", b"X:\x00", b"X: \x01\x7f\xff", b"X: a\rb", b"\xff\xfe: x", b"X:", b"Connection: \x00",
        b"Set-Cookie: " + b"a" * 9000, b"Set-Cookie: \x00=;;;=", b"Date: Fri, 99 Zzz 9999 99:99:99", b"Content-Type: ;;;\"", b"Location: ",
        b"Keep-Alive: timeout=-1", b"Alt-Svc: h2=\":1\"; ma=99999999999999", b"Strict-Transport-Security: max-age=x", b"Content-Range: bytes 5-1/2",
        b"Content-Encoding: ,,,", b"Connection: upgrade\r\nUpgrade: h2c",
    ]
    for field in draft.random.sample(odd, draft.random.randrange(1, 6)):
        draft.fields.insert(draft.random.randrange(len(draft.fields) + 1), field)
    return draft.closed(draft.sized() + draft.payload())


def with_odd_status(draft):
    draft.status = draft.random.choice([
        b"HTTP/1.1 20O OK", b"HTTP/3.7 200 OK", b"HTTP/1.1 099 x", b"HTTP/1.1 1000 x", b"HTTP/1.1  200 OK", b"HTTP/1.1", b"HTTP/1.1 ",
        b"ICY 200 OK", b"", b"220 mail.example ESMTP", b"HTTP/1.1 200", b"HTTP/1.1 999 " + b"x" * 70_000, b"http/1.1 200 OK", b"HTTP/1.1200 OK",
        b"HTTP/2 200", b"HTTP/0.9 200 OK", b"\x16\x03\x01\x00", b"HTTP/1.1 -200 OK", b"HTTP/1.1 200 \x00\x1b[31m",
    ])
    return draft.closed(draft.sized() + draft.payload())


def of_another_status(draft):
    status, *fields = draft.random.choice([
        (b"401 Unauthorized", b'WWW-Authenticate: Digest realm="a", nonce="b", qop="auth"'),
        (b"401 Unauthorized", b"WWW-Authenticate: Digest ,,,=", b"WWW-Authenticate: Negotiate", b"WWW-Authenticate: NTLM"),
        (b"401 Unauthorized",), (b"407 Proxy Authentication Required", b"Proxy-Authenticate: Basic"), (b"408 Request Timeout",),
        (b"416 Range Not Satisfiable", b"Content-Range: bytes */1"), (b"421 Misdirected Request",), (b"425 Too Early",),
        (b"429 Too Many Requests", b"Retry-After: 0"), (b"503 Service Unavailable", b"Retry-After: Thu, 01 Jan 1970 00:00:00 GMT"),
        (b"206 Partial Content", b"Content-Range: bytes 0-0/1"), (b"205 Reset Content",), (b"300 Multiple Choices",), (b"304 Not Modified",),
    ])
    # Digest is answered by the same request once more.
    draft.answer.refused = True
    draft.status = b"HTTP/1.1 " + status
    draft.fields += fields
    if status.startswith((b"304", b"205")):
        return draft.closed(draft.sized())
    return [("send", draft.sized() + draft.payload())]


def misencoded(draft):
    name, draft.body = bodies.miscoded(draft.random, bodies.plain(draft.number, bodies.length(draft.random)))
    draft.answer.scrambled = True
    return draft.closed(draft.head(b"Content-Encoding: " + name, b"Content-Length: %d" % len(draft.body)) + draft.payload())


def redirected_to_itself(draft):
    draft.status = draft.random.choice([b"HTTP/1.1 302 Found", b"HTTP/1.1 303 See Other"])
    draft.answer.refused = True
    here = b"/%d?hop=%d" % (draft.number, draft.request.hop)
    return [("send", draft.head(b"Location: " + here, b"Content-Length: 0"))]


def redirected_nowhere(draft):
    draft.status = draft.random.choice([b"HTTP/1.1 301 x", b"HTTP/1.1 302 x", b"HTTP/1.1 303 x", b"HTTP/1.1 307 x", b"HTTP/1.1 308 x"])
    location = draft.random.choice([
        b"//", b"http://", b"file:///etc/passwd", b"http://127.0.0.1:1/", b"/" + b"a" * 60_000, b"http://[::1", b"\x00", b"http://\xff/", b"ftp://h/",
        b"?", b"#", b"http:/x", b"javascript:1", b"http://user:pass@127.0.0.1:1/", b"https://127.0.0.1:1/", b"%%%", b"http://127.0.0.1:99999/",
    ])
    # These lead back here: with a status that keeps the method, a POST is rightly sent again.
    if location in (b"?", b"#") and draft.status[9:12] in (b"307", b"308"):
        location = b"//"
    return draft.closed(draft.head(b"Location: " + location, b"Content-Length: 0"))


def scrambled(draft):
    draft.answer.scrambled = True
    data = draft.random.choice([draft.sized() + draft.payload(), draft.head(b"Transfer-Encoding: chunked") + draft.chunks()])
    return draft.closed(bodies.flipped(draft.random, data))


def scrambled_head(draft):
    draft.answer.scrambled = True
    return draft.closed(bodies.flipped(draft.random, draft.sized(), most=20) + draft.payload())


def early_and_gone(draft):
    """An answer before the request's body has come, and then nothing that listens."""
    draft.answer.is_early = True
    return [("send", draft.sized() + draft.payload()), draft.random.choice([("close",), ("reset",)])]


MUTATIONS = [
    folded_anywhere, too_long, too_short, of_no_length, of_two_lengths, in_bad_chunks, in_bad_chunks,
    in_odd_transfer_coding, with_bad_trailers, with_odd_interim, cut_off, cut_off, never_answered, followed_by_garbage, followed_by_an_answer,
    followed_by_a_body, with_large_head, with_endless_head, with_odd_fields, with_odd_status, of_another_status, misencoded,
    redirected_to_itself, redirected_nowhere, scrambled, scrambled_head, early_and_gone,
]

# Bytes that belong to no answer, on a connection that goes on.
LEFTOVERS = [too_short, followed_by_garbage, followed_by_an_answer, followed_by_a_body]


def leave_out_leftovers():
    MUTATIONS[:] = [mutation for mutation in MUTATIONS if mutation not in LEFTOVERS]
