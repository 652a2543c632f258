"""HTTP/2 by frames (RFC 9113), so that they can be wrong; only fields are packed by a library."""
import collections
import select
import socket
import struct
import time

import hpack

import mutations2
from frames import *
from http1 import Request
from ledger import Answer

def serve(connection, ledger):
    try:
        connection.settimeout(30)
        Session(connection, ledger).run()
    except (OSError, ValueError, hpack.HPACKError):
        pass
    finally:
        connection.close()


class Stream:
    def __init__(self, number):
        self.number = number
        self.block = b""
        self.has_ended = False
        self.request = self.answer = None
        # Those that wait for the end of the request, and those that are under way.
        self.pending, self.steps = collections.deque(), collections.deque()
        self.window = 65535
        self.ready = 0.0


class Closed(Exception):
    """The session ends here, as a step wants it."""

    def __init__(self, is_graceful=False):
        self.is_graceful = is_graceful


class Session:
    def __init__(self, connection, ledger):
        self.connection, self.ledger = connection, ledger
        self.state = ledger.connect()
        self.streams = {}
        self.decoder, self.encoder = hpack.Decoder(), hpack.Encoder()
        self.window, self.initial_window = 65535, 65535
        self.data = b""
        self.last = 0
        # From here on new requests are refused: a GOAWAY has named the last stream.
        self.goes_away = False

    def run(self):
        if not self.read(len(PREFACE)) or self.data[: len(PREFACE)] != PREFACE:
            return
        self.data = self.data[len(PREFACE) :]
        self.connection.sendall(frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 100)))
        try:
            while True:
                waits = self.pause()
                if waits is None or self.has_input(waits):
                    if not self.take_frame():
                        break
                elif not self.step():
                    break
        except Closed as end:
            if end.is_graceful:
                # A close with something unread would take back what was sent.
                self.connection.shutdown(socket.SHUT_WR)
                while self.connection.recv(65536):
                    pass
        finally:
            # What was asked for and isn't answered was lost with the connection.
            for stream in self.streams.values():
                if stream.answer and (stream.steps or not stream.answer.is_done):
                    stream.answer.whole = False

    # MARK: Input

    def read(self, count):
        while len(self.data) < count:
            piece = self.connection.recv(65536)
            if not piece:
                return False
            self.data += piece
        return True

    def has_input(self, seconds):
        if len(self.data) >= 9 or getattr(self.connection, "pending", lambda: 0)():
            return True
        return bool(select.select([self.connection], [], [], seconds)[0])

    def take_frame(self):
        if not self.read(9):
            return False
        length = int.from_bytes(self.data[:3], "big")
        kind, flags, number = struct.unpack(">BBI", self.data[3:9])
        if not self.read(9 + length):
            return False
        payload, self.data = self.data[9 : 9 + length], self.data[9 + length :]
        self.handle(kind, flags, number & 0x7FFFFFFF, payload)
        return True

    def handle(self, kind, flags, number, payload):
        stream = self.streams.get(number)
        if kind == SETTINGS and not flags & ACK:
            for name, value in struct.iter_unpack(">HI", payload):
                if name == 4:
                    for other in self.streams.values():
                        other.window += value - self.initial_window
                    self.initial_window = value
                elif name == 1:
                    self.encoder.header_table_size = value
            self.send(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE:
            value = int.from_bytes(payload, "big")
            if number == 0:
                self.window += value
            elif stream:
                stream.window += value
        elif kind == RST_STREAM and stream:
            # The client doesn't want it any more.
            if stream.answer and stream.steps:
                stream.answer.whole = False
            stream.steps.clear()
        elif kind == HEADERS:
            if flags & PADDED:
                payload = payload[1 : -payload[0]] if payload[0] else payload[1:]
            if flags & HAS_PRIORITY:
                payload = payload[5:]
            stream = self.streams.setdefault(number, Stream(number))
            stream.window = self.initial_window
            self.take_block(stream, flags, payload)
        elif kind == CONTINUATION and stream:
            self.take_block(stream, flags, payload)
        elif kind == DATA:
            # Whoever uploads may go on.
            if payload:
                update = struct.pack(">I", len(payload))
                self.send(frame(WINDOW_UPDATE, 0, 0, update) + frame(WINDOW_UPDATE, 0, number, update))
            if stream and flags & END_STREAM:
                self.end_request(stream)

    def take_block(self, stream, flags, payload):
        stream.block += payload
        stream.has_ended = stream.has_ended or bool(flags & END_STREAM)
        if not flags & END_HEADERS:
            return
        fields = dict(self.decoder.decode(stream.block))
        stream.block = b""
        if stream.request is None and not self.goes_away:
            self.begin(stream, fields)
        if stream.has_ended:
            self.end_request(stream)

    def begin(self, stream, fields):
        lines = [f"{name}: {value}" for name, value in fields.items() if not name.startswith(":")]
        head = "\r\n".join([f"{fields[':method']} {fields[':path']} HTTP/2", *lines])
        stream.request = Request(head.encode())
        self.last = max(self.last, stream.number)
        stream.answer = Answer(stream.request.number, stream.request.hop, stream.request.method, self.state)
        self.ledger.begin(stream.answer)
        random = self.ledger.random(stream.request.number, stream.request.hop)
        stream.pending.extend(mutations2.steps(random, stream.request, stream.answer))
        if stream.answer.is_early:
            self.end_request(stream)

    def end_request(self, stream):
        if stream.request and stream.pending:
            stream.steps, stream.pending = stream.pending, collections.deque()

    # MARK: Output

    def send(self, data):
        self.connection.sendall(data)

    def pause(self):
        """How long until there is something to do; `None`: until the client says something."""
        now = time.monotonic()
        times = [max(0, stream.ready - now) for stream in self.streams.values() if stream.steps and not self.is_blocked(stream)]
        return min(times) if times else None

    def is_blocked(self, stream):
        step = stream.steps[0]
        return step[0] == "data" and min(self.window, stream.window) < len(step[1])

    def step(self):
        """One step of one stream; they take turns."""
        now = time.monotonic()
        able = [s for s in self.streams.values() if s.steps and s.ready <= now and not self.is_blocked(s)]
        if not able:
            return True
        stream = min(able, key=lambda stream: (stream.ready, stream.number))
        stream.ready = now
        step, *details = stream.steps.popleft()
        with self.ledger.work():
            self.perform(stream, step, details)
        if not stream.steps:
            stream.answer.is_done = True
            self.streams.pop(stream.number, None)
        return True

    def perform(self, stream, step, details):
        number = stream.number
        if step == "headers":
            fields, flags = details
            self.send(frame(HEADERS, flags, number, self.encoder.encode(fields)))
        elif step == "split headers":
            fields, flags, size = details
            block = self.encoder.encode(fields)
            pieces = [block[start : start + size] for start in range(0, len(block), size)] or [b""]
            for index, piece in enumerate(pieces):
                last = END_HEADERS if index == len(pieces) - 1 else 0
                kind = HEADERS if index == 0 else CONTINUATION
                self.send(frame(kind, last | (flags & END_STREAM if index == 0 else 0), number, piece))
        elif step == "data":
            payload, flags = details
            self.window -= len(payload)
            stream.window -= len(payload)
            self.send(frame(DATA, flags, number, payload))
        elif step == "frame":
            kind, flags, payload = details[:3]
            self.send(frame(kind, flags, details[3] if len(details) > 3 else number, payload))
        elif step == "raw":
            self.send(details[0])
        elif step == "spoil":
            self.state.is_spoilt = True
        elif step == "pause":
            stream.ready = time.monotonic() + details[0]
        elif step == "go away":
            last = self.last if details[0] is None else details[0]
            self.goes_away = True
            for other in self.streams.values():
                if other.answer and other.number > last:
                    other.answer.refused = True
            self.send(frame(GOAWAY, 0, 0, struct.pack(">II", last, details[1])))
        elif step == "close when done":
            others = [s for s in self.streams.values() if s is not stream and s.answer and not s.answer.is_done]
            if others:
                stream.steps.append(("close when done",))
                stream.ready = time.monotonic() + 0.005
            else:
                stream.answer.is_done = True
                raise Closed(is_graceful=True)
        elif step in ("close", "reset"):
            self.state.is_spoilt = True
            if step == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise Closed
        elif step == "wait":
            # With the others; the client gives this one up.
            stream.answer.is_done = True
