#!/usr/bin/env bash
# Bodies whose Content-Encoding HTTP allows, at four clients of Python's. x-gzip is gzip (RFC 9110, section 8.4.1.3): httpx and aiohttp hand out what is
# compressed, as if it were the answer. Two codings, one after the other (section 8.4), are none to aiohttp.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 brotli==1.2.1 httpx==0.28.1 requests==2.34.2 urllib3==2.8.0
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, brotli, gzip, http.server, httpx, importlib.metadata as packages, requests, threading, urllib3

bodies = {
    "gzip": gzip.compress(b"hello"), "x-gzip": gzip.compress(b"hello"), "GZIP": gzip.compress(b"hello"),
    "br": brotli.compress(b"hello"), "gzip, br": brotli.compress(gzip.compress(b"hello")),
}

class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self):
        coding = list(bodies)[int(self.path[1:])]
        self.send_response(200)
        self.send_header("Content-Encoding", coding)
        self.send_header("Content-Length", str(len(bodies[coding])))
        self.end_headers()
        self.wfile.write(bodies[coding])

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()

async def with_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as answer: return await answer.read()

clients = {
    "aiohttp": lambda url: asyncio.run(with_aiohttp(url)), "httpx": lambda url: httpx.get(url).content,
    "requests": lambda url: requests.get(url).content, "urllib3": lambda url: urllib3.request("GET", url).data,
}
for name in clients: print(name, packages.version(name))
for index, coding in enumerate(bodies):
    print(coding)
    for name, get in clients.items():
        body = get(f"http://127.0.0.1:{server.server_port}/{index}")
        print(f"    {name}: {'hello' if body == b'hello' else 'as it came' if body == bodies[coding] else 'half decoded'}")
END
diff - seen <<'END'
aiohttp 3.14.5
httpx 0.28.1
requests 2.34.2
urllib3 2.8.0
gzip
    aiohttp: hello
    httpx: hello
    requests: hello
    urllib3: hello
x-gzip
    aiohttp: as it came
    httpx: as it came
    requests: hello
    urllib3: hello
GZIP
    aiohttp: hello
    httpx: hello
    requests: hello
    urllib3: hello
br
    aiohttp: hello
    httpx: hello
    requests: hello
    urllib3: hello
gzip, br
    aiohttp: as it came
    httpx: hello
    requests: hello
    urllib3: hello
END
