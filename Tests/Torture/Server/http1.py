"""HTTP/1.1: reads requests, and answers each with the steps that its mutation makes."""
import re
import select
import socket
import ssl
import struct
import time

import mutations1
from ledger import Answer


def serve(connection, ledger):
    state = ledger.connect()
    reader = Reader(connection)
    answer = None
    try:
        connection.settimeout(30)
        while True:
            request, answer = reader.head(), None
            if request is None:
                return
            answer = Answer(request.number, request.hop, request.method, state)
            ledger.begin(answer)
            random = ledger.random(request.number, request.hop)
            steps = mutations1.steps(random, request, answer)
            if request.expects_continue and random.random() < 0.7:
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            if not answer.is_early:
                reader.skip_body(request)
                answer.story.append("request read")
            with ledger.work():
                end = play(steps, connection, answer, ledger)
            answer.story.append("sent")
            if end == "wait":
                reader.swallow()
            if end != "go on":
                return
            if answer.is_early:
                reader.skip_body(request)
    except (OSError, ValueError):
        # The client has gone before it was all there.
        if answer:
            answer.whole = False
    finally:
        close(connection)


def close(connection):
    """TLS says that it ends: else a body that ends with the connection might have been cut off."""
    try:
        if isinstance(connection, ssl.SSLSocket):
            connection.settimeout(1)
            connection = connection.unwrap()
    except (OSError, ValueError):
        pass
    connection.close()


def play(steps, connection, answer, ledger):
    for step, *details in steps:
        if step == "send":
            connection.sendall(details[0])
        elif step == "drip":
            data, size = details
            for start in range(0, len(data), size):
                connection.sendall(data[start : start + size])
                time.sleep(0.001)
        elif step == "leave over":
            # In one piece with the end of the answer: the client has it before it can send anything else.
            ledger.leave_over(answer.connection, at_once=True)
            connection.sendall(details[0] + details[1])
        elif step == "leave over later":
            time.sleep(0.01)
            if not has_input(connection):
                ledger.leave_over(answer.connection)
                connection.sendall(details[0])
        elif step == "endless":
            for _ in range(details[1]):
                connection.sendall(details[0])
        elif step == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            return "close"
        else:
            return step
    return "go on"


def has_input(connection):
    waiting = getattr(connection, "pending", lambda: 0)()
    return waiting > 0 or bool(select.select([connection], [], [], 0)[0])


class Request:
    def __init__(self, head):
        lines = head.split(b"\r\n")
        self.method, target, self.version = lines[0].decode("latin-1").split(" ", 2)
        found = re.fullmatch(r"/(\d+)(?:\?hop=(\d+))?", target)
        if not found:
            raise ValueError(f"no such path: {target}")
        self.number, self.hop = int(found[1]), int(found[2] or 0)
        self.fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            self.fields[name.strip().lower().decode("latin-1")] = value.strip().decode("latin-1")
        self.expects_continue = self.fields.get("expect", "").lower() == "100-continue"
        self.takes_codings = "gzip" in self.fields.get("accept-encoding", "")


class Reader:
    def __init__(self, connection):
        self.connection = connection
        self.data = b""

    def more(self):
        piece = self.connection.recv(65536)
        self.data += piece
        return bool(piece)

    def head(self):
        while b"\r\n\r\n" not in self.data:
            if not self.more():
                return None
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        return Request(head)

    def take(self, count):
        while len(self.data) < count:
            if not self.more():
                raise OSError("the request ends early")
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def line(self):
        while b"\r\n" not in self.data:
            if not self.more():
                raise OSError("the request ends early")
        line, self.data = self.data.split(b"\r\n", 1)
        return line

    def skip_body(self, request):
        if "chunked" in request.fields.get("transfer-encoding", ""):
            while size := int(self.line(), 16):
                self.take(size + 2)
            while self.line():
                pass
        else:
            self.take(int(request.fields.get("content-length", "0")))

    def swallow(self):
        self.data = b""
        while self.connection.recv(65536):
            pass
