#!/usr/bin/env bash
# Four requests that HTTP/1.1 allows, at eight servers of Python's: a target in absolute form, which each server must accept, and whose path is /a (RFC 9112,
# section 3.2.2); a path that begins with two slashes (RFC 3986, section 3.3); a chunk with an extension, which a server must ignore when
# it doesn't know it (RFC 9112, section 7.1.1); a method with a digit in its name (RFC 9110, section 9.1).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 yarl==1.25.1 cheroot==11.1.2 hypercorn==0.18.0 tornado==6.6.1 uvicorn==0.54.0 h11==0.16.0 httptools==0.9.0 waitress==3.0.2 werkzeug==3.1.9
cd "$work"
env/bin/python - <<'END' | tee seen
import subprocess, sys, time, importlib.metadata as packages
from socket import create_connection, socket

APPLICATION = """
def wsgi(environ, start):
    body = (environ["REQUEST_METHOD"] + " " + environ["PATH_INFO"]).encode()
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]

async def asgi(scope, receive, send):
    body = (scope["method"] + " " + scope["path"]).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body})

def aiohttp(port):
    from aiohttp import web
    async def answer(request):
        await request.read()
        return web.Response(text=request.method + " " + str(request.rel_url))
    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", answer)
    web.run_app(application, host="127.0.0.1", port=port, print=None)

def tornado(port):
    import asyncio, tornado.web
    class Answer(tornado.web.RequestHandler):
        def get(self): self.write(self.request.method + " " + self.request.path)
        post = get
    async def main():
        tornado.web.Application([(".*", Answer)]).listen(port, "127.0.0.1")
        await asyncio.Event().wait()
    asyncio.run(main())

def cheroot(port):
    from cheroot.wsgi import Server
    Server(("127.0.0.1", port), wsgi).start()

def werkzeug(port):
    from werkzeug.serving import run_simple
    run_simple("127.0.0.1", port, wsgi)

def uvicorn(port, parser):
    import uvicorn
    uvicorn.run(asgi, host="127.0.0.1", port=port, http=parser, log_level="critical", lifespan="off")

def hypercorn(port):
    import asyncio, hypercorn.asyncio, hypercorn.config
    configuration = hypercorn.config.Config()
    configuration.bind = ["127.0.0.1:%d" % port]
    configuration.errorlog = None
    asyncio.run(hypercorn.asyncio.serve(asgi, configuration))

def waitress(port):
    import waitress
    waitress.serve(wsgi, host="127.0.0.1", port=port, _quiet=True)
"""
open("application.py", "w").write(APPLICATION)

def ask(start, request):
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-c", "from application import *; " + start % port],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                connection = create_connection(("127.0.0.1", port), timeout=20)
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        with connection:
            connection.sendall(request)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
    finally:
        server.kill()
        server.wait()
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    return f"{status} {body.decode()}" if status == 200 else str(status)

servers = {"aiohttp": "aiohttp(%d)", "cheroot": "cheroot(%d)", "hypercorn": "hypercorn(%d)", "tornado": "tornado(%d)",
           "uvicorn, h11": "uvicorn(%d, 'h11')", "uvicorn, httptools": "uvicorn(%d, 'httptools')", "waitress": "waitress(%d)",
           "werkzeug": "werkzeug(%d)"}
requests = {
    "absolute form": "GET http://h.example/a HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\n\r\n",
    "two slashes": "GET //a/b HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\n\r\n",
    "chunk extension": "POST /a HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n",
    "a method with a digit": "PURGE2 /a HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\n\r\n",
}
for name in ["aiohttp", "cheroot", "hypercorn", "tornado", "uvicorn", "waitress", "werkzeug"]:
    print(name, packages.version(name))
for title, request in requests.items():
    print(title)
    for name, start in servers.items():
        print(f"    {name}: {ask(start, request.encode())}")
END
diff - seen <<'END'
aiohttp 3.14.5
cheroot 11.1.2
hypercorn 0.18.0
tornado 6.6.1
uvicorn 0.54.0
waitress 3.0.2
werkzeug 3.1.9
absolute form
    aiohttp: 200 GET /a
    cheroot: 400
    hypercorn: 200 GET http://h.example/a
    tornado: 200 GET http://h.example/a
    uvicorn, h11: 200 GET http://h.example/a
    uvicorn, httptools: 200 GET /a
    waitress: 200 GET /a
    werkzeug: 200 GET /a
two slashes
    aiohttp: 200 GET ////a/b
    cheroot: 400
    hypercorn: 200 GET //a/b
    tornado: 200 GET //a/b
    uvicorn, h11: 200 GET //a/b
    uvicorn, httptools: 200 GET //a/b
    waitress: 200 GET /a/b
    werkzeug: 200 GET /a/b
chunk extension
    aiohttp: 200 POST /a
    cheroot: 200 POST /a
    hypercorn: 200 POST /a
    tornado: 400
    uvicorn, h11: 200 POST /a
    uvicorn, httptools: 200 POST /a
    waitress: 200 POST /a
    werkzeug: 200 POST /a
a method with a digit
    aiohttp: 400
    cheroot: 200 PURGE2 /a
    hypercorn: 200 PURGE2 /a
    tornado: 405
    uvicorn, h11: 200 PURGE2 /a
    uvicorn, httptools: 400
    waitress: 200 PURGE2 /a
    werkzeug: 200 PURGE2 /a
END
