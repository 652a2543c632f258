#!/usr/bin/env bash
# What one libcurl takes and the next doesn't, and how each words it: an answer of 5,001 fields is a failure from 8.13 on. A refused connection has other words
# in 8.23 than in 8.12, and a proxy's 502 another code. Each libcurl is inside a wheel of pycurl's.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >look.py <<'END'
import io, pycurl, socket, threading

def serve(answer):
    server = socket.create_server(("127.0.0.1", 0))
    def run():
        connection, _ = server.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(answer)
    threading.Thread(target=run, daemon=True).start()
    return server.getsockname()[1]

def get(url, proxy=None):
    handle = pycurl.Curl()
    handle.setopt(pycurl.URL, url)
    handle.setopt(pycurl.WRITEDATA, io.BytesIO())
    if proxy: handle.setopt(pycurl.PROXY, proxy)
    try:
        handle.perform()
        return f"status {handle.getinfo(pycurl.RESPONSE_CODE)}"
    except pycurl.error as error:
        return f"{error.args[0]}, {error.args[1]}"

print(pycurl.version.split()[1].removesuffix("-DEV"))
free = socket.create_server(("127.0.0.1", 0))
port = free.getsockname()[1]
free.close()
words = get(f"http://127.0.0.1:{port}/").replace(str(port), "PORT").split(" after ")
print("  nobody listens:", words[0], words[1].partition(": ")[2])
empty = b"Content-Length: 0\r\n"
proxy = serve(b"HTTP/1.1 502 No\r\n" + empty + b"\r\n")
print("  the proxy says 502:", get("https://h.example/", f"http://127.0.0.1:{proxy}"))
many = serve(b"HTTP/1.1 200 OK\r\n" + empty + b"A: b\r\n" * 5000 + b"\r\n")
print("  5,001 fields:", get(f"http://127.0.0.1:{many}/"))
END
for version in 7.45.5 7.45.7 7.49.0; do
    python3 -m venv "env-$version"
    "env-$version/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "pycurl==$version"
    "env-$version/bin/python" look.py
done | tee seen
diff - seen <<'END'
libcurl/8.12.1
  nobody listens: 7, Failed to connect to 127.0.0.1 port PORT Could not connect to server
  the proxy says 502: 56, CONNECT tunnel failed, response 502
  5,001 fields: status 200
libcurl/8.16.0
  nobody listens: 7, Failed to connect to 127.0.0.1 port PORT Could not connect to server
  the proxy says 502: 56, CONNECT tunnel failed, response 502
  5,001 fields: 100, Too many response headers, 5000 is max
libcurl/8.23.0
  nobody listens: 7, Failed to connect to 127.0.0.1:PORT Could not connect to server
  the proxy says 502: 7, CONNECT tunnel failed, response 502
  5,001 fields: 100, Too many response headers, 5000 is max
END
