#!/usr/bin/env bash
# What a server of grpcio's accepts, and what it doesn't have. gRPC over HTTP/2 asks for 415 where the content type isn't application/grpc; grpcio answers
# application/json, and no type at all, like any other call. grpcio-reflection serves grpc.reflection.v1alpha alone: whoever asks for v1, which has replaced
# it, gets UNIMPLEMENTED. A call without TE: trailers is reset as a stream, without a status.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check grpcio==1.85.3 grpcio-health-checking==1.85.1 grpcio-reflection==1.85.1 protobuf==7.36.2 h2==4.4.1
cd "$work"
env/bin/python - <<'END' | tee seen
import grpc, h2.config, h2.connection, h2.events, importlib.metadata as packages, socket
from concurrent import futures
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

server = grpc.server(futures.ThreadPoolExecutor(2))
health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
reflection.enable_server_reflection(["grpc.health.v1.Health", reflection.SERVICE_NAME], server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()

def call(path, content_type="application/grpc", trailers=True):
    fields = [(":method", "POST"), (":scheme", "http"), (":authority", "h"), (":path", path)]
    fields += [("content-type", content_type)] if content_type else []
    fields += [("te", "trailers")] if trailers else []
    connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
    connection.initiate_connection()
    connection.send_headers(1, fields)
    connection.send_data(1, bytes(5), end_stream=True)
    answer = {}
    with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
        while True:
            wire.sendall(connection.data_to_send())
            for event in connection.receive_data(wire.recv(65536)):
                if isinstance(event, (h2.events.ResponseReceived, h2.events.TrailersReceived)): answer |= dict(event.headers)
                if isinstance(event, h2.events.StreamReset): return f"reset, error {event.error_code:d}"
                if isinstance(event, h2.events.StreamEnded): return f"HTTP {answer[':status']}, grpc-status {answer['grpc-status']}"

for name in ["grpcio", "grpcio-reflection"]: print(name, packages.version(name))
check = "/grpc.health.v1.Health/Check"
print("application/grpc:", call(check))
print("application/json:", call(check, "application/json"))
print("no content type:", call(check, None))
print("no TE:", call(check, trailers=False))
print("reflection v1alpha:", call("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"))
print("reflection v1:", call("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"))
server.stop(0)
END
diff - seen <<'END'
grpcio 1.85.3
grpcio-reflection 1.85.1
application/grpc: HTTP 200, grpc-status 0
application/json: HTTP 200, grpc-status 0
no content type: HTTP 200, grpc-status 0
no TE: reset, error 2
reflection v1alpha: HTTP 200, grpc-status 0
reflection v1: HTTP 200, grpc-status 12
END
