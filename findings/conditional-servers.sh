#!/usr/bin/env bash
# Conditions on a file that has last changed on 14 November 2023, at eight servers of files. bottle's tags have no quotes around them, as all tags have (RFC 9110, section 8.8.3), and webob
# has none. If-None-Match takes lists, `*` and weak tags (section 13.1.2): none of it to bottle, and no weak ones to cherrypy. Where it stands, If-Modified-Since beside it counts for nothing
# (section 13.1.3): to bottle and cherrypy it does, so that a file which has another tag is "not modified". Dates have three forms (section 5.6.7): the older two are a 400 to
# falcon, and nothing to cherrypy. If-Match is for werkzeug, aiohttp and cherrypy; but `*`, any file that exists, is none to werkzeug, which sends the file along with its 412.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: aiohttp==3.14.5 bottle==0.13.4 cherrypy==18.10.0 falcon==4.4.0 starlette==1.10.0 tornado==6.6.1 webob==1.8.11 werkzeug==3.1.9
cd "$work"
env/bin/python - <<'END' | tee seen
import aiohttp.web, asyncio, bottle, cherrypy, falcon, http.client, importlib.metadata as packages, logging, os, starlette.staticfiles, sys, threading
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
tags = {name: {field.lower(): value for field, value in ask({})[1].items()}.get("etag", "none") for name, ask in servers.items()}
modified = "Tue, 14 Nov 2023 22:13:20 GMT"
print("tags in quotes:", ", ".join(name for name, tag in tags.items() if '"' in tag))
print("tags without quotes:", ", ".join(name for name, tag in tags.items() if '"' not in tag and tag != "none"))
print("no tags:", ", ".join(name for name, tag in tags.items() if tag == "none"))
for fields in [
    {"If-None-Match": "TAG"}, {"If-None-Match": "W/TAG"}, {"If-None-Match": '"another", TAG'}, {"If-None-Match": "*"}, {"If-None-Match": '"another"', "If-Modified-Since": modified},
    {"If-None-Match": "TAG", "If-Modified-Since": "Mon, 13 Nov 2023 00:00:00 GMT"}, {"If-Modified-Since": modified}, {"If-Modified-Since": "Tuesday, 14-Nov-23 22:13:20 GMT"},
    {"If-Modified-Since": "Tue Nov 14 22:13:20 2023"}, {"If-Match": "TAG"}, {"If-Match": "*"}, {"If-Match": '"another"'},
    {"If-Unmodified-Since": "Mon, 13 Nov 2023 00:00:00 GMT"},
]:
    print(", ".join(f"{name}: {value}" for name, value in fields.items()))
    for name, ask in servers.items():
        status, _, body = ask({field: value.replace("TAG", tags[name].removeprefix("W/")) for field, value in fields.items()})
        print(f"    {name}: {status}{', with the body' if status > 299 and b'0123456789' in body else ''}")
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
tags in quotes: aiohttp, cherrypy, falcon, starlette, tornado, werkzeug
tags without quotes: bottle
no tags: webob
If-None-Match: TAG
    aiohttp: 304
    bottle: 304
    cherrypy: 304
    falcon: 304
    starlette: 304
    tornado: 304
    webob: 200
    werkzeug: 304
If-None-Match: W/TAG
    aiohttp: 304
    bottle: 200
    cherrypy: 200
    falcon: 304
    starlette: 304
    tornado: 304
    webob: 200
    werkzeug: 304
If-None-Match: "another", TAG
    aiohttp: 304
    bottle: 200
    cherrypy: 304
    falcon: 304
    starlette: 304
    tornado: 304
    webob: 200
    werkzeug: 304
If-None-Match: *
    aiohttp: 304
    bottle: 200
    cherrypy: 304
    falcon: 304
    starlette: 304
    tornado: 304
    webob: 200
    werkzeug: 304
If-None-Match: "another", If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT
    aiohttp: 200
    bottle: 304
    cherrypy: 304
    falcon: 200
    starlette: 200
    tornado: 200
    webob: 304
    werkzeug: 200
If-None-Match: TAG, If-Modified-Since: Mon, 13 Nov 2023 00:00:00 GMT
    aiohttp: 304
    bottle: 304
    cherrypy: 304
    falcon: 304
    starlette: 304
    tornado: 304
    webob: 200
    werkzeug: 304
If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT
    aiohttp: 304
    bottle: 304
    cherrypy: 304
    falcon: 304
    starlette: 304
    tornado: 304
    webob: 304
    werkzeug: 304
If-Modified-Since: Tuesday, 14-Nov-23 22:13:20 GMT
    aiohttp: 304
    bottle: 304
    cherrypy: 200
    falcon: 400
    starlette: 304
    tornado: 304
    webob: 304
    werkzeug: 304
If-Modified-Since: Tue Nov 14 22:13:20 2023
    aiohttp: 304
    bottle: 304
    cherrypy: 200
    falcon: 400
    starlette: 304
    tornado: 304
    webob: 304
    werkzeug: 304
If-Match: TAG
    aiohttp: 200
    bottle: 200
    cherrypy: 200
    falcon: 200
    starlette: 200
    tornado: 200
    webob: 200
    werkzeug: 200
If-Match: *
    aiohttp: 200
    bottle: 200
    cherrypy: 200
    falcon: 200
    starlette: 200
    tornado: 200
    webob: 200
    werkzeug: 412, with the body
If-Match: "another"
    aiohttp: 412
    bottle: 200
    cherrypy: 412
    falcon: 200
    starlette: 200
    tornado: 200
    webob: 200
    werkzeug: 412, with the body
If-Unmodified-Since: Mon, 13 Nov 2023 00:00:00 GMT
    aiohttp: 412
    bottle: 200
    cherrypy: 412
    falcon: 200
    starlette: 200
    tornado: 200
    webob: 200
    werkzeug: 200
END
