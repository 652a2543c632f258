"""A server that answers almost well: valid HTTP/1.1 and HTTP/2, mutated by a seed.

    python3 Server SEED CERTIFICATE KEY [leftovers]

The last word leaves out answers behind which bytes follow that belong to nobody.

Its first line says the ports: {"http1": …, "http2": …, "tls": …}; HTTP/2 in the clear is for those who know of it before, over TLS it
is negotiated. Whoever started it writes a line when all that was asked for is over, and gets a line: what came of each request since the
last one, and which rules were broken. It ends when its input does.

A request is `/ID?hop=HOP`, and what it is answered with follows from the seed, ID and HOP alone. What is whole is a 200 with the field
`X-Id: ID` and a body of `id=ID;` again and again. An ID that ends in 0 may have to wait for ever; every other answer ends by itself,
however wrong it is.
"""
import json
import socket
import ssl
import sys
import threading

import http1
import http2
import mutations1
from ledger import Ledger


def listen():
    return socket.create_server(("127.0.0.1", 0), backlog=256)


def serve(server, speak):
    """Each connection has a thread of its own."""
    while True:
        connection = server.accept()[0]
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=speak, args=(connection,), daemon=True).start()


def main():
    seed, certificate, key, *without = sys.argv[1:]
    if "leftovers" in without:
        mutations1.leave_out_leftovers()
    ledger = Ledger(seed)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2", "http/1.1"])

    def speak_tls(connection):
        try:
            connection.settimeout(30)
            secure = context.wrap_socket(connection, server_side=True)
        except (OSError, ssl.SSLError):
            return
        speak = http2.serve if secure.selected_alpn_protocol() == "h2" else http1.serve
        speak(secure, ledger)

    servers = {"http1": listen(), "http2": listen(), "tls": listen()}
    speakers = {
        "http1": lambda connection: http1.serve(connection, ledger),
        "http2": lambda connection: http2.serve(connection, ledger),
        "tls": speak_tls,
    }
    for name, server in servers.items():
        threading.Thread(target=serve, args=(server, speakers[name]), daemon=True).start()
    print(json.dumps({name: server.getsockname()[1] for name, server in servers.items()}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(ledger.turn_page()), flush=True)


main()
