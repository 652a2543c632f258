package import HTTPTypes
package import NetworkLayer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EventScript {
    package static func request(
        _ url: String = "http://api.example.org/orders", _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:]
    ) -> Request {
        Request(url: URL(string: url)!, method: method, headers: headers)
    }

    /// A fresh connection, 200, 1,274 bytes in 374 ms.
    package static func success(operation: Int = 1) -> EventScript {
        var script = EventScript(operation: operation)
        script.start()
        script.attempt(at: 0.2, request(headers: [.accept: "application/json"]))
        let ready = script.connect(at: 1, dns: 8, tcp: 21)
        script.send(
            at: ready + 1,
            "GET /orders HTTP/1.1\r\nHost: api.example.org\r\nAccept: application/json\r\nUser-Agent: turnstone/1\r\n\r\n")
        script.head(
            at: 341, status: 200,
            headers: [.contentType: "application/json", .contentLength: "1274", .init("Server-Timing")!: "db;dur=201, app;dur=77"])
        script.download(at: 372, 1274, of: 1274)
        script.endAttempt(at: 374)
        script.end(at: 374, .succeeded)
        return script
    }

    /// 100 MB at 20 MB/s, as far as it is at `milliseconds`; the head is there after 100.
    package static func downloading(at milliseconds: Double, operation: Int = 1) -> EventScript {
        var script = EventScript(operation: operation)
        script.start()
        script.attempt(at: 0.2, request("http://api.example.org/large"))
        if milliseconds >= 30 { script.send(at: script.connect(at: 1, dns: 8, tcp: 21)) }
        if milliseconds >= 100 {
            script.head(at: 100, status: 200, headers: [.contentType: "application/octet-stream", .contentLength: "100000000"])
        }
        for time in stride(from: 110.0, through: milliseconds, by: 10) {
            script.download(at: time, Int64((time - 100) * 20_000), of: 100_000_000)
        }
        return script
    }

    /// 10 MB at 4 MB/s going out, as far as it is at `milliseconds`.
    package static func uploading(at milliseconds: Double) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 0.2, request("http://api.example.org/upload", .post))
        let ready = script.connect(at: 1, dns: 8, tcp: 21)
        script.at(ready, .requestHeadSent("POST /upload HTTP/1.1\r\nHost: api.example.org\r\nContent-Length: 10000000\r\n\r\n"))
        for time in stride(from: 40.0, through: milliseconds, by: 10) {
            script.upload(at: time, min(10_000_000, Int64((time - 30) * 4_000)), of: 10_000_000)
        }
        return script
    }

    /// Three hops: the method changes, and another host doesn't get the credentials.
    package static func redirects() -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(
            at: 0.2,
            request("http://api.example.org/start", .post, headers: [.authorization: "Bearer abc", .contentType: "text/plain"]))
        script.send(at: script.connect(at: 1, dns: 3, tcp: 5), "POST /start HTTP/1.1\r\nHost: api.example.org\r\n\r\n")
        script.head(at: 40, status: 302, headers: [.location: "/second"])
        script.endAttempt(
            at: 41, .redirecting,
            redirect: RedirectHop(
                location: "http://api.example.org/second", decision: .followed, droppedHeaders: ["Content-Type"], newMethod: "GET"))
        script.attempt(at: 41, request("http://api.example.org/second", headers: [.authorization: "Bearer abc"]), .redirect)
        script.send(at: script.connect(at: 41.2), "GET /second HTTP/1.1\r\nHost: api.example.org\r\n\r\n")
        script.head(at: 60, status: 307, headers: [.location: "http://eu.example.org/third"])
        script.endAttempt(
            at: 61, .redirecting,
            redirect: RedirectHop(
                location: "http://eu.example.org/third", decision: .followed, droppedHeaders: ["Authorization"]))
        script.attempt(at: 61, request("http://eu.example.org/third"), .redirect)
        script.send(at: script.connect(at: 62, dns: 2, tcp: 30, host: "eu.example.org"), "GET /third HTTP/1.1\r\n\r\n")
        script.head(at: 120, status: 301, headers: [.location: "/last"])
        script.endAttempt(
            at: 121, .redirecting, redirect: RedirectHop(location: "http://eu.example.org/last", decision: .followed))
        script.attempt(at: 121, request("http://eu.example.org/last"), .redirect)
        script.send(at: script.connect(at: 121.1), "GET /last HTTP/1.1\r\n\r\n")
        script.head(at: 160, status: 200, headers: [.contentType: "text/plain"])
        script.download(at: 161, 5, of: 5)
        script.endAttempt(at: 162)
        script.end(at: 162, .succeeded)
        return script
    }

    /// The certificate ran out in 2024.
    package static func tlsFailure() -> EventScript {
        let day = 86_400.0
        let leaf = Certificate(
            subject: "CN=expired.example.org", issuer: "CN=Example CA", serialNumber: "0a:1b",
            notBefore: Date(timeIntervalSince1970: 19_358 * day), notAfter: Date(timeIntervalSince1970: 19_723 * day),
            alternativeNames: ["DNS:expired.example.org"], publicKey: "EC P-256", signatureAlgorithm: "ecdsa-with-SHA256",
            sha256: "aa11", publicKeySHA256: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        let authority = Certificate(
            subject: "CN=Example CA", issuer: "CN=Example CA", serialNumber: "01",
            notBefore: Date(timeIntervalSince1970: 18_262 * day), notAfter: Date(timeIntervalSince1970: 25_567 * day),
            publicKey: "RSA 2048", signatureAlgorithm: "sha256WithRSAEncryption", sha256: "bb22")
        let error = NetworkError(
            .certificateRejected, phase: .tls, type: "tls.cert.date_invalid",
            message: "the certificate of expired.example.org ran out on 2024-01-01; renew it, or trust it with tls.verify: false",
            curlCode: 60)
        var script = EventScript()
        script.start()
        script.attempt(at: 0.2, request("https://expired.example.org/"))
        let info = TLSInfo(
            version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", chain: [leaf, authority],
            verificationFailure: "certificate has expired")
        let end = script.connect(at: 1, dns: 8, tcp: 21, tls: (34, info), host: "expired.example.org")
        script.endAttempt(at: end, error: error)
        script.end(at: end, .failed, error)
        return script
    }

    /// A second of the body came, then nothing more for ten: the idle timeout.
    package static func idleTimeout() -> EventScript {
        let error = NetworkError(
            .idleTimedOut, phase: .body, type: "tcp.timed_out",
            message: "no byte came for 10 s, so the idle timeout ended the attempt; timeouts.idle allows more")
        var script = EventScript()
        script.start(timeouts: Timeouts(idle: .seconds(10), attempt: .seconds(60), operation: .seconds(180)))
        script.attempt(at: 0.2, request("http://api.example.org/drip"))
        script.send(at: script.connect(at: 1, dns: 8, tcp: 21))
        script.head(at: 100, status: 200, headers: [.contentType: "text/plain", .contentLength: "4096"])
        script.download(at: 500, 512, of: 4096)
        script.download(at: 1100, 1024, of: 4096)
        script.endAttempt(at: 11_100, error: error)
        script.end(at: 11_100, .failed, error)
        return script
    }

    /// The user cancels while the server is silent.
    package static func cancelled() -> EventScript {
        let error = NetworkError(
            .cancelled, phase: .response, type: "abandoned", message: "cancelled by the user", cancelSource: "the user")
        var script = EventScript()
        script.start()
        script.attempt(at: 0.2, request("http://api.example.org/slow"))
        script.send(at: script.connect(at: 1, dns: 8, tcp: 21))
        script.endAttempt(at: 1_200, error: error)
        script.end(at: 1_200, .cancelled, error)
        return script
    }

    /// Reset, then 503, then 200: as a retry policy will make it.
    package static func retries() -> EventScript {
        let reset = NetworkError(
            .connectionLost, phase: .response, type: "tcp.reset", message: "the server closed the connection before it answered")
        var script = EventScript()
        script.start()
        script.attempt(at: 0.2, request(method: .post))
        script.send(at: script.connect(at: 1, dns: 8, tcp: 21))
        script.endAttempt(at: 374, .retrying, error: reset)
        script.move(at: 374, to: .waitingToRetry)
        script.move(at: 574, to: .preparing)
        script.attempt(at: 574.2, request(method: .post), .retry)
        script.send(at: script.connect(at: 575, tcp: 20))
        script.head(at: 690, status: 503, headers: [.retryAfter: "1"])
        script.endAttempt(at: 696, .retrying)
        script.move(at: 696, to: .waitingToRetry)
        script.move(at: 1_696, to: .preparing)
        script.attempt(at: 1_696.2, request(method: .post), .retry)
        script.send(at: script.connect(at: 1_697))
        script.head(at: 1_800, status: 200, headers: [.contentType: "application/json"])
        script.download(at: 1_801, 17, of: 17)
        script.endAttempt(at: 1_802)
        script.end(at: 1_802, .succeeded)
        return script
    }

    private static func request(method: HTTPRequest.Method) -> Request {
        request("http://api.example.org/orders", method)
    }
}
