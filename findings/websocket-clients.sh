#!/usr/bin/env bash
# What clients answer to a close frame with 4001 between two fragments of a message. Control frames may stand there (RFC 6455, section 5.4), the close among them (section 5.5.1):
# wsproto sends the code back, as is usual, aiohttp sends 1000, and websockets 1002, a protocol error. A ping there is answered by all of them.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check websockets==17.4 aiohttp==3.13.2 wsproto==1.3.2
cd "$work"
env/bin/python - <<'END' | tee seen
import asyncio, base64, hashlib, importlib.metadata as packages
import aiohttp, websockets
from wsproto import ConnectionType, WSConnection
from wsproto.events import CloseConnection, Ping, Request

def frame(first, payload): return bytes([first, len(payload)]) + payload
fragment, close, ping = frame(0x01, b"a"), frame(0x88, (4001).to_bytes(2, "big")), frame(0x89, b"p")

async def answers(client, control):
    seen = asyncio.get_running_loop().create_future()
    async def serve(reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = next(line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
        writer.write(fragment + control)
        first, length = await reader.readexactly(2)
        mask = await reader.readexactly(4)
        body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(await reader.readexactly(length & 0x7F)))
        kind = {0x8: "close", 0xA: "pong"}.get(first & 0x0F, hex(first))
        seen.set_result(f"{kind} {int.from_bytes(body[:2], 'big')}" if kind == "close" else kind)
        writer.close()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    task = asyncio.create_task(client(port))
    answer = await asyncio.wait_for(seen, 10)
    await asyncio.wait([task], timeout=5)
    task.cancel()
    server.close()
    return answer

async def with_websockets(port):
    async with websockets.connect(f"ws://127.0.0.1:{port}/", compression=None) as socket:
        try: await socket.recv()
        except websockets.ConnectionClosed: pass

async def with_aiohttp(port):
    async with aiohttp.ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{port}/") as socket: await socket.receive()

async def with_wsproto(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    connection = WSConnection(ConnectionType.CLIENT)
    writer.write(connection.send(Request(host="127.0.0.1", target="/")))
    while data := await reader.read(4096):
        connection.receive_data(data)
        for event in connection.events():
            if isinstance(event, (CloseConnection, Ping)): writer.write(connection.send(event.response()))
    writer.close()

async def main():
    for name, client in {"websockets": with_websockets, "aiohttp": with_aiohttp, "wsproto": with_wsproto}.items():
        print(f"{name} {packages.version(name)}: to a close {await answers(client, close)}, to a ping {await answers(client, ping)}")

asyncio.run(main())
END
diff - seen <<'END'
websockets 17.4: to a close close 1002, to a ping pong
aiohttp 3.13.2: to a close close 1000, to a ping pong
wsproto 1.3.2: to a close close 4001, to a ping pong
END
