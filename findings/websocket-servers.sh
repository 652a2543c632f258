#!/usr/bin/env bash
# What four WebSocket servers make of a client that closes with a code, of a message right before that, and of an extension (RFC 6455, RFC 7692).
# aiohttp answers every code with 1000. wsproto knows none of 1014 (Bad Gateway, registered at IANA), and hangs up without a close. An echo to what came
# together with the close is lost in websockets and in uvicorn. tornado accepts permessage-deflate without the server_no_context_takeover
# that the client asks for, although accepting means to repeat it (RFC 7692, section 7.1.1.1).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 tornado==6.6.1 uvicorn==0.54.0 h11==0.16.0 websockets==17.4 wsproto==1.3.2
cd "$work"
env/bin/python - <<'END' | tee seen
import asyncio, base64, importlib.metadata as packages, os, struct, sys
import aiohttp.web, tornado.httpserver, tornado.netutil, tornado.web, tornado.websocket, uvicorn, websockets.asyncio.server, websockets.exceptions

def frame(operation, payload=b""):
    mask = os.urandom(4)
    return bytes([0x80 | operation, 0x80 | len(payload)]) + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))

async def talk(port, frames, fields=""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(f"GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                 f"Sec-WebSocket-Version: 13\r\n{fields}\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    writer.write(b"".join(frames))
    rest = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    extensions = [line.partition(b": ")[2].decode() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-extensions")]
    return extensions, rest

def shown(data):
    words = []
    while data:
        operation, length = data[0] & 15, data[1]
        payload, data = data[2:2 + length], data[2 + length:]
        words.append(f"close {int.from_bytes(payload[:2])}" if operation == 8 and payload else "close" if operation == 8 else repr(payload.decode()))
    return ", ".join(words) or "nothing"

async def main():
    ports = {}
    application = aiohttp.web.Application()
    async def with_aiohttp(request):
        socket = aiohttp.web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket: await socket.send_str(message.data)
        return socket
    application.router.add_get("/", with_aiohttp)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    site = aiohttp.web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    ports["aiohttp"] = site._server.sockets[0].getsockname()[1]

    class Echo(tornado.websocket.WebSocketHandler):
        def on_message(self, message): self.write_message(message)
        def get_compression_options(self): return {}
    sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
    tornado.httpserver.HTTPServer(tornado.web.Application([("/", Echo)])).add_sockets(sockets)
    ports["tornado"] = sockets[0].getsockname()[1]

    async def asgi(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
    server = uvicorn.Server(uvicorn.Config(asgi, host="127.0.0.1", port=0, ws="wsproto", log_level="critical", lifespan="off"))
    task = asyncio.create_task(server.serve())
    while not server.started: await asyncio.sleep(0.05)
    ports["uvicorn, wsproto"] = server.servers[0].sockets[0].getsockname()[1]

    async def with_websockets(socket):
        try:
            async for message in socket: await socket.send(message)
        except websockets.exceptions.ConnectionClosed:
            pass
    server = await websockets.asyncio.server.serve(with_websockets, "127.0.0.1", 0)
    ports["websockets"] = server.sockets[0].getsockname()[1]

    for name in ["aiohttp", "tornado", "uvicorn", "websockets", "wsproto"]: print(name, packages.version(name))
    for code in [1001, 1014, 3000]:
        print("close", code)
        for name, port in ports.items(): print(f"    {name}: {shown((await talk(port, [frame(8, struct.pack('>H', code))]))[1])}")
    print("a message, and close 1000 in the same packet")
    for name, port in ports.items(): print(f"    {name}: {shown((await talk(port, [frame(1, b'hi'), frame(8, struct.pack('>H', 1000))]))[1])}")
    print("permessage-deflate; server_no_context_takeover")
    for name, port in ports.items():
        extensions, _ = await talk(port, [frame(8)], "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n")
        print(f"    {name}: {extensions[0]}")
    sys.stdout.flush()
    os._exit(0)

asyncio.run(main())
END
diff - seen <<'END'
aiohttp 3.14.5
tornado 6.6.1
uvicorn 0.54.0
websockets 17.4
wsproto 1.3.2
close 1001
    aiohttp: close 1000
    tornado: close 1001
    uvicorn, wsproto: close 1001
    websockets: close 1001
close 1014
    aiohttp: close 1000
    tornado: close 1014
    uvicorn, wsproto: nothing
    websockets: close 1014
close 3000
    aiohttp: close 1000
    tornado: close 3000
    uvicorn, wsproto: close 3000
    websockets: close 3000
a message, and close 1000 in the same packet
    aiohttp: 'hi', close 1000
    tornado: 'hi', close 1000
    uvicorn, wsproto: close 1000
    websockets: close 1000
permessage-deflate; server_no_context_takeover
    aiohttp: permessage-deflate; server_no_context_takeover
    tornado: permessage-deflate
    uvicorn, wsproto: permessage-deflate; server_no_context_takeover
    websockets: permessage-deflate; server_no_context_takeover; server_max_window_bits=12
END
