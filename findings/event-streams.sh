#!/usr/bin/env bash
# Streams of events, as WHATWG's HTML defines them (sections 9.2.5 and 9.2.6), at four readers of Python's. One space behind the colon is taken off: aiohttp-sse-client takes all, so that the
# words of a text that comes in pieces run together. A line ends in LF, CR, or both: aiohttp-sse-client and aiosseclient don't know CR alone, and aiosseclient ends one at
# U+2028, which JSON may have in its texts, and drops what is behind it. An event without data is none: httpx-sse and aiosseclient give one for an identifier or a
# time to retry alone. What has no empty line behind it is none: sseclient-py gives it. A byte order mark is no part of the first line: all four lose that line.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 aiohttp-sse-client==0.2.1 aiosseclient==0.1.8 attrs==26.1.0 httpx==0.28.1 httpx-sse==0.4.3 requests==2.34.2 sseclient-py==1.9.0
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp_sse_client.client, aiosseclient, asyncio, datetime, http.server, httpx, httpx_sse, importlib.metadata as packages, json, logging, requests, sseclient, threading

logging.disable(logging.CRITICAL)
# Of each stream, what a browser would give.
streams = {
    "data: a\n\ndata:  b\n\n": ["a", " b"],
    'data: "a\u2028b"\n\n': ['"a\u2028b"'],
    "data:\ndata: a\n\n": ["\na"],
    "data\n\n": [""],
    "data: a\rdata: b\r\r": ["a\nb"],
    "retry: 1000\n\ndata: a\n\n": ["a"],
    "id: 1\n\ndata: a\n\n": ["a"],
    "data: a\n": [],
    "\ufeffdata: a\n\ndata: b\n\n": ["a", "b"],
}
served = set()

class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        # The second time it asks not to come again.
        self.send_response(204 if self.path in served else 200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if self.path not in served: self.wfile.write(list(streams)[int(self.path.split("/")[2])].encode())
        served.add(self.path)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()

async def with_aiohttp_sse_client(url):
    events = []
    try:
        async with aiohttp_sse_client.client.EventSource(url, reconnection_time=datetime.timedelta(0)) as source:
            async for event in source: events.append(event.data)
    except ConnectionAbortedError:
        pass
    return events

async def with_aiosseclient(url): return [event.data async for event in aiosseclient.aiosseclient(url)]

def with_httpx_sse(url):
    with httpx_sse.connect_sse(httpx.Client(), "GET", url) as source: return [event.data for event in source.iter_sse()]

clients = {
    "aiohttp-sse-client": lambda url: asyncio.run(with_aiohttp_sse_client(url)), "aiosseclient": lambda url: asyncio.run(with_aiosseclient(url)),
    "httpx-sse": with_httpx_sse,
    "sseclient-py": lambda url: [event.data for event in sseclient.SSEClient(requests.get(url, stream=True)).events()],
}
for name in clients: print(name, packages.version(name))
for index, (stream, expected) in enumerate(streams.items()):
    print(json.dumps(stream), "is", json.dumps(expected))
    for name, read in clients.items(): print(f"    {name}: {json.dumps(read(f'http://127.0.0.1:{server.server_port}/{name}/{index}'))}")
END
diff - seen <<'END'
aiohttp-sse-client 0.2.1
aiosseclient 0.1.8
httpx-sse 0.4.3
sseclient-py 1.9.0
"data: a\n\ndata:  b\n\n" is ["a", " b"]
    aiohttp-sse-client: ["a", "b"]
    aiosseclient: ["a", " b"]
    httpx-sse: ["a", " b"]
    sseclient-py: ["a", " b"]
"data: \"a\u2028b\"\n\n" is ["\"a\u2028b\""]
    aiohttp-sse-client: ["\"a\u2028b\""]
    aiosseclient: ["\"a"]
    httpx-sse: ["\"a\u2028b\""]
    sseclient-py: ["\"a\u2028b\""]
"data:\ndata: a\n\n" is ["\na"]
    aiohttp-sse-client: ["\na"]
    aiosseclient: ["a"]
    httpx-sse: ["\na"]
    sseclient-py: ["\na"]
"data\n\n" is [""]
    aiohttp-sse-client: [""]
    aiosseclient: [""]
    httpx-sse: [""]
    sseclient-py: [""]
"data: a\rdata: b\r\r" is ["a\nb"]
    aiohttp-sse-client: []
    aiosseclient: []
    httpx-sse: ["a\nb"]
    sseclient-py: ["a\nb"]
"retry: 1000\n\ndata: a\n\n" is ["a"]
    aiohttp-sse-client: ["a"]
    aiosseclient: ["", "a"]
    httpx-sse: ["", "a"]
    sseclient-py: ["a"]
"id: 1\n\ndata: a\n\n" is ["a"]
    aiohttp-sse-client: ["a"]
    aiosseclient: ["", "a"]
    httpx-sse: ["", "a"]
    sseclient-py: ["a"]
"data: a\n" is []
    aiohttp-sse-client: []
    aiosseclient: []
    httpx-sse: []
    sseclient-py: ["a"]
"\ufeffdata: a\n\ndata: b\n\n" is ["a", "b"]
    aiohttp-sse-client: ["b"]
    aiosseclient: ["", "b"]
    httpx-sse: ["b"]
    sseclient-py: ["b"]
END
