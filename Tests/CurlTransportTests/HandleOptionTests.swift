import Foundation
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

@testable import CurlTransport

/// Every option that is set on one of libcurl's handles. None can reach the next transfer, because none gets a handle that another had;
/// whoever adds an option says here how ``What one transfer leaves to the next`` sets it.
struct `Options of libcurl's handles` {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/CurlTransport")

    /// For each transfer, whatever the request.
    private static let always: Set = [
        "PRIVATE", "ERRORBUFFER", "PROTOCOLS_STR", "NOSIGNAL", "TCP_NODELAY", "PATH_AS_IS", "FOLLOWLOCATION",
        "SUPPRESS_CONNECT_HEADERS", "QUICK_EXIT", "SSL_SESSIONID_CACHE", "BUFFERSIZE", "USERAGENT", "HTTP_VERSION", "MAXAGE_CONN",
        "CONNECTTIMEOUT_MS", "URL", "VERBOSE", "WRITEFUNCTION", "WRITEDATA", "HEADERFUNCTION", "HEADERDATA", "READDATA", "SEEKDATA",
        "DEBUGDATA", "RESOLVER_START_DATA", "OPENSOCKETDATA", "PREREQDATA", "SSL_CTX_DATA", "CLOSESOCKETDATA",
    ]

    /// For some transfers: a kind of request that sets it.
    private static let sometimes = [
        "ACCEPT_ENCODING": "no compression", "HTTP_CONTENT_DECODING": "a coding that libcurl doesn't know",
        "HTTPHEADER": "header fields", "NOBODY": "HEAD", "CUSTOMREQUEST": "DELETE", "POSTFIELDSIZE_LARGE": "POST",
        "COPYPOSTFIELDS": "POST", "UPLOAD": "PUT in pieces", "INFILESIZE_LARGE": "PUT in pieces",
        "FRESH_CONNECT": "a connection of its own", "FORBID_REUSE": "a connection of its own", "CONNECT_TO": "another way",
        "STREAM_WEIGHT": "a priority", "LOW_SPEED_LIMIT": "a data timeout", "LOW_SPEED_TIME": "a data timeout",
        "INTERFACE": "an interface", "UNIX_SOCKET_PATH": "a Unix socket", "PROXY": "a proxy", "PROXYAUTH": "a proxy of any scheme",
        "PROXYUSERNAME": "a proxy that knows us", "PROXYPASSWORD": "a proxy that knows us",
        "PROXYUSERPWD": "a proxy with Negotiate", "HTTPAUTH": "NTLM that nobody asks for", "USERNAME": "NTLM that nobody asks for",
        "PASSWORD": "NTLM that nobody asks for", "USERPWD": "Negotiate that nobody asks for", "NETRC": "netrc",
        "NETRC_FILE": "netrc", "SSL_VERIFYPEER": "no verification", "SSL_VERIFYHOST": "no verification",
        "CAINFO": "all about TLS", "CAPATH": "all about TLS", "SSLCERT": "all about TLS", "SSLCERTTYPE": "all about TLS",
        "SSLKEY": "all about TLS", "SSLKEYTYPE": "all about TLS", "KEYPASSWD": "all about TLS", "SSLVERSION": "all about TLS",
        "SSL_EC_CURVES": "all about TLS", "CRLFILE": "all about TLS",
        "IPRESOLVE": "other options of the wire", "TCP_KEEPALIVE": "other options of the wire",
        "TCP_KEEPIDLE": "other options of the wire", "TCP_KEEPINTVL": "other options of the wire",
        "MAX_RECV_SPEED_LARGE": "other options of the wire", "MAX_SEND_SPEED_LARGE": "other options of the wire",
        "REQUEST_TARGET": "other options of the wire", "NOPROXY": "other options of the wire",
        "EXPECT_100_TIMEOUT_MS": "other options of the wire", "LOCALPORT": "local ports", "LOCALPORTRANGE": "local ports",
        "HTTP_TRANSFER_DECODING": "a raw answer", "HTTPPROXYTUNNEL": "a tunnel with fields of its own",
        "PROXYHEADER": "a tunnel with fields of its own", "HEADEROPT": "a tunnel with fields of its own",
        "PRE_PROXY": "a proxy before the proxy", "ABSTRACT_UNIX_SOCKET": "an abstract socket",
        "TLS13_CIPHERS": "all about TLS", "SSL_CIPHER_LIST": "all about TLS", "PINNEDPUBLICKEY": "all about TLS",
        "TRANSFER_ENCODING": "other options of the wire", "HAPPY_EYEBALLS_TIMEOUT_MS": "other options of the wire",
        "DOH_URL": "other ways to begin a connection",
        "DOH_SSL_VERIFYHOST": "other ways to begin a connection",
        "DOH_SSL_VERIFYPEER": "other ways to begin a connection",
        "TCP_FASTOPEN": "other ways to begin a connection",
        "SSL_ENABLE_ALPN": "other ways to begin a connection",
        "SSL_VERIFYSTATUS": "other ways to begin a connection",
        "PROXY_CAINFO": "a proxy over TLS",
        "PROXY_CAPATH": "a proxy over TLS",
        "PROXY_CRLFILE": "a proxy over TLS",
        "PROXY_KEYPASSWD": "a proxy over TLS",
        "PROXY_PINNEDPUBLICKEY": "a proxy over TLS",
        "PROXY_SSLCERT": "a proxy over TLS",
        "PROXY_SSLCERTTYPE": "a proxy over TLS",
        "PROXY_SSLKEY": "a proxy over TLS",
        "PROXY_SSLKEYTYPE": "a proxy over TLS",
        "PROXY_SSLVERSION": "a proxy over TLS",
        "PROXY_SSL_CIPHER_LIST": "a proxy over TLS",
        "PROXY_SSL_VERIFYHOST": "a proxy over TLS",
        "PROXY_SSL_VERIFYPEER": "a proxy over TLS",
        "PROXY_TLS13_CIPHERS": "a proxy over TLS",
        "HAPROXYPROTOCOL": "the PROXY protocol",
        "ALTSVC": "other options of the wire", "ALTSVC_CTRL": "other options of the wire",
        "SERVICE_NAME": "other options of the wire", "PROXY_SERVICE_NAME": "other options of the wire",
        "GSSAPI_DELEGATION": "other options of the wire", "DOH_SSL_VERIFYSTATUS": "other ways to begin a connection",
        "TLSAUTH_TYPE": "other ways to begin a connection", "TLSAUTH_USERNAME": "other ways to begin a connection",
        "TLSAUTH_PASSWORD": "other ways to begin a connection", "PROXY_TLSAUTH_TYPE": "a proxy over TLS that takes names",
        "PROXY_TLSAUTH_USERNAME": "a proxy over TLS that takes names",
        "PROXY_TLSAUTH_PASSWORD": "a proxy over TLS that takes names", "PROXYTYPE": "an HTTP/1.0 proxy",
        "IGNORE_CONTENT_LENGTH": "a length that isn't believed",
    ]

    @Test func `each is listed, with a kind of request that sets it`() throws {
        var used: Set<String> = []
        for path in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                used.formUnion(line.matches(of: /CURLOPT_([A-Z0-9_]+)/).map { String($0.1) })
            }
        }
        #expect(used.subtracting(Self.always).subtracting(Self.sometimes.keys) == [], "not listed")
        #expect(Self.always.union(Self.sometimes.keys).subtracting(used) == [], "no longer set")
        let kinds = Set(`What one transfer leaves to the next`.kinds.map(\.name))
        // They need an answer of their own kind, and have tests of their own.
        let others: Set = [
            "a coding that libcurl doesn't know", "a proxy with Negotiate", "a tunnel with fields of its own", "the PROXY protocol",
            "a length that isn't believed",
        ]
        #expect(Set(Self.sometimes.values).subtracting(others).subtracting(kinds) == [])
    }

    /// Whichever version libcurl has.
    @Test func `a handle goes with its transfer, so that none serves two`() async throws {
        final class Seen: Sendable {
            struct Handle: @unchecked Sendable { weak var value: CurlEasyHandle? }
            let handles = Mutex<[Handle]>([])
        }
        let server = try RecordingServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let seen = Seen()
        for number in 1...4 {
            let recorder = TransferRecorder()
            let running = Mutex<CurlTransfer?>(nil)
            let transfer = try #require(
                transport.start(TransferRequest(request: Request(url: url))) { event in
                    // On the loop's thread, where the handle is.
                    if case .head = event.kind, let handle = running.withLock({ $0 })?.handle {
                        seen.handles.withLock { $0.append(.init(value: handle)) }
                    }
                    recorder.record(event)
                } as? CurlTransfer)
            running.withLock { $0 = transfer }
            _ = await recorder.finished()
            running.withLock { $0 = nil }
            #expect(transfer.handle == nil)
            // The loop has the last one in its hand until it has told of the end.
            #expect(seen.handles.withLock { $0.dropLast().allSatisfy { $0.value == nil } })
            #expect(seen.handles.withLock { $0.count } <= number)
        }
        #expect(server.requests.count == 4)
        #expect(seen.handles.withLock { !$0.isEmpty })
    }
}
