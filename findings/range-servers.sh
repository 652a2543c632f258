#!/usr/bin/env bash
# Ranges of a file of ten bytes, at eight servers of files. Who goes on with a download asks for the rest If-Range the tag, or the date, is still that of the part (RFC 9110, section 13.1.5): aiohttp,
# bottle, cherrypy, falcon and tornado give the rest when the tag is another one, so that the end of the new file follows the beginning of the old one, and bottle, cherrypy, falcon and tornado when the date
# is. A weak tag never matches there, but does at werkzeug too; webob has no tags at all. Of two ranges aiohttp and werkzeug make a 416, falcon a 400, bottle and webob the first alone,
# tornado all of the file; one that can't be had beside one that can makes starlette refuse both (section 14.2). A unit that a server doesn't know is to be
# ignored (section 14.2): three answer 416, starlette 400, and cherrypy counts bytes. The last 20 bytes of ten are all ten (section 14.1.2): webob and werkzeug say 416.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 bottle==0.13.4 cherrypy==18.10.0 falcon==4.4.0 starlette==1.10.0 tornado==6.6.1 webob==1.8.11 werkzeug==3.1.9
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp.web, asyncio, bottle, cherrypy, falcon, http.client, importlib.metadata as packages, logging, os, re, starlette.staticfiles, sys, threading
import tornado.httpserver, tornado.netutil, tornado.web, webob.static, werkzeug.utils, werkzeug.wrappers, wsgiref.util

directory = "files"
os.mkdir(directory)
open("files/f.txt", "w").write("0123456789")
os.utime("files/f.txt", (1700000000, 1700000000))

def with_wsgi(application):
    def ask(fields):
        environment = {"REQUEST_METHOD": "GET", "PATH_INFO": "/f.txt", "HTTP_HOST": "h", "SERVER_PROTOCOL": "HTTP/1.1"}
        wsgiref.util.setup_testing_defaults(environment)
        answer = []
        pieces = application(environment | {"HTTP_" + name.upper().replace("-", "_"): value for name, value in fields.items()},
                             lambda status, fields, error=None: answer.extend([int(status[:3]), dict(fields)]))
        body = b"".join(pieces)
        return answer[0], answer[1], body
    return ask

def with_asgi(application):
    async def talk(fields):
        received, sent = [], []
        async def receive():
            if received: await asyncio.Event().wait()
            received.append(1)
            return {"type": "http.request"}
        async def send(message): sent.append(message)
        scope = {"type": "http", "method": "GET", "path": "/f.txt", "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()]}
        await application(scope, receive, send)
        return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, b"".join(message.get("body", b"") for message in sent[1:])
    return lambda fields: asyncio.run(talk(fields))

def over_http(port):
    def ask(fields):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/f.txt", headers=fields)
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()
    return ask

ports, ready = {}, threading.Event()

async def serve():
    application = aiohttp.web.Application()
    application.router.add_static("/", directory)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    site = aiohttp.web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    ports["aiohttp"] = site._server.sockets[0].getsockname()[1]
    sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
    tornado.httpserver.HTTPServer(tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": directory})])).add_sockets(sockets)
    ports["tornado"] = sockets[0].getsockname()[1]
    ready.set()
    await asyncio.Event().wait()

logging.disable(logging.CRITICAL)
threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
ready.wait()
routes = bottle.Bottle()
routes.route("/<name>", callback=lambda name: bottle.static_file(name, root=directory))
cherrypy.config.update({"environment": "embedded"})
static = {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": os.path.abspath(directory), "tools.etags.on": True, "tools.etags.autotags": True}}
falcons = falcon.App()
falcons.add_static_route("/", os.path.abspath(directory))
flask = werkzeug.wrappers.Request.application(lambda request: werkzeug.utils.send_from_directory(os.path.abspath(directory), "f.txt", request.environ))
servers = {
    "aiohttp": over_http(ports["aiohttp"]), "bottle": with_wsgi(routes), "cherrypy": with_wsgi(cherrypy.Application(None, "", static)), "falcon": with_wsgi(falcons),
    "starlette": with_asgi(starlette.staticfiles.StaticFiles(directory=directory)), "tornado": over_http(ports["tornado"]), "webob": with_wsgi(webob.static.DirectoryApp(directory)),
    "werkzeug": with_wsgi(flask),
}
for name in servers: print(name, packages.version(name))
tags = {name: ask({})[1] for name, ask in servers.items()}
tags = {name: next((value for field, value in fields.items() if field.lower() == "etag"), "none") for name, fields in tags.items()}
modified = "Tue, 14 Nov 2023 22:13:20 GMT"
for fields in [
    {"Range": "bytes=0-1"}, {"Range": "bytes=-20"}, {"Range": "bytes=0-1,4-5"}, {"Range": "bytes=0-4,2-6"}, {"Range": "bytes=0-1,20-"}, {"Range": "bytes=10-"}, {"Range": "items=0-1"},
    {"Range": "bytes=0-1", "If-Range": "TAG"}, {"Range": "bytes=0-1", "If-Range": '"another"'}, {"Range": "bytes=0-1", "If-Range": "W/TAG"},
    {"Range": "bytes=0-1", "If-Range": modified}, {"Range": "bytes=0-1", "If-Range": "Mon, 13 Nov 2023 00:00:00 GMT"},
    {"Range": "bytes=0-1", "If-Range": "Wed, 15 Nov 2023 00:00:00 GMT"},
]:
    print(", ".join(f"{name}: {value}" for name, value in fields.items()))
    for name, ask in servers.items():
        status, answer, body = ask({field: value.replace("TAG", tags[name].removeprefix("W/")) for field, value in fields.items()})
        kind = next((value for field, value in answer.items() if field.lower() == "content-type"), "")
        if kind.startswith("multipart/"): body = b" and ".join(re.findall(rb"\r\n\r\n(\d+)\r\n", body))
        print(f"    {name}: {status}{' ' + body.decode() if status < 300 else ''}")
sys.stdout.flush()
os._exit(0)
END
diff - seen <<'END'
aiohttp 3.14.5
bottle 0.13.4
cherrypy 18.10.0
falcon 4.4.0
starlette 1.10.0
tornado 6.6.1
webob 1.8.11
werkzeug 3.1.9
Range: bytes=0-1
    aiohttp: 206 01
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 206 01
    tornado: 206 01
    webob: 206 01
    werkzeug: 206 01
Range: bytes=-20
    aiohttp: 206 0123456789
    bottle: 206 0123456789
    cherrypy: 206 0123456789
    falcon: 206 0123456789
    starlette: 206 0123456789
    tornado: 200 0123456789
    webob: 416
    werkzeug: 416
Range: bytes=0-1,4-5
    aiohttp: 416
    bottle: 206 01
    cherrypy: 206 01 and 45
    falcon: 400
    starlette: 206 01 and 45
    tornado: 200 0123456789
    webob: 206 01
    werkzeug: 416
Range: bytes=0-4,2-6
    aiohttp: 416
    bottle: 206 01234
    cherrypy: 206 01234 and 23456
    falcon: 400
    starlette: 206 0123456
    tornado: 200 0123456789
    webob: 206 01234
    werkzeug: 416
Range: bytes=0-1,20-
    aiohttp: 416
    bottle: 206 01
    cherrypy: 206 01
    falcon: 400
    starlette: 416
    tornado: 200 0123456789
    webob: 206 01
    werkzeug: 416
Range: bytes=10-
    aiohttp: 416
    bottle: 416
    cherrypy: 416
    falcon: 416
    starlette: 416
    tornado: 416
    webob: 416
    werkzeug: 416
Range: items=0-1
    aiohttp: 416
    bottle: 416
    cherrypy: 206 01
    falcon: 200 0123456789
    starlette: 400
    tornado: 200 0123456789
    webob: 200 0123456789
    werkzeug: 416
Range: bytes=0-1, If-Range: TAG
    aiohttp: 206 01
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 206 01
    tornado: 206 01
    webob: 200 0123456789
    werkzeug: 206 01
Range: bytes=0-1, If-Range: "another"
    aiohttp: 206 01
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 200 0123456789
    tornado: 206 01
    webob: 200 0123456789
    werkzeug: 200 0123456789
Range: bytes=0-1, If-Range: W/TAG
    aiohttp: 206 01
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 200 0123456789
    tornado: 206 01
    webob: 200 0123456789
    werkzeug: 206 01
Range: bytes=0-1, If-Range: Tue, 14 Nov 2023 22:13:20 GMT
    aiohttp: 206 01
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 206 01
    tornado: 206 01
    webob: 206 01
    werkzeug: 206 01
Range: bytes=0-1, If-Range: Mon, 13 Nov 2023 00:00:00 GMT
    aiohttp: 200 0123456789
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 200 0123456789
    tornado: 206 01
    webob: 200 0123456789
    werkzeug: 200 0123456789
Range: bytes=0-1, If-Range: Wed, 15 Nov 2023 00:00:00 GMT
    aiohttp: 206 01
    bottle: 206 01
    cherrypy: 206 01
    falcon: 206 01
    starlette: 200 0123456789
    tornado: 206 01
    webob: 206 01
    werkzeug: 206 01
END
