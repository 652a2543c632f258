import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Testing

/// The code of the article Connections. That a connection is what an option says is tested where the transport is.
@Suite struct Connections {
    let transport = MockTransport { request in
        .text("knot", headers: [.setCookie: "bird=knot", .cacheControl: "max-age=60"])
    }
    let url = "https://birds.example/knot"

    @Test func `a client's configuration and a request's own`() async throws {
        // snippet
        var configuration = RequestConfiguration()
        configuration.transport.httpVersion = .http1
        configuration.transport.proxy = "socks5h://127.0.0.1:1080"
        configuration.transport.tls.authorities = "/etc/company/ca.pem"
        let client = NetworkClient(transport: transport, configuration: configuration)
        // end

        let operation = client.send(.get(url))
        #expect(operation.configuration.transport.proxy == "socks5h://127.0.0.1:1080")

        // snippet
        configuration.transport.tls.pins = ["sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="]
        configuration.transport.tls.minimumVersion = .tls1_3
        // end

        #expect(client.configuration.transport.tls.pins == [])
    }

    // snippet
    struct OwnAuthority: ServerTrustHandler {
        let issuer: String

        func evaluate(_ trust: ServerTrust) -> ServerTrust.Disposition {
            trust.chain.contains { $0.issuer == issuer } ? .default : .reject
        }
    }
    // end

    @Test func `trust, credentials and cookies`() async throws {
        let client = NetworkClient(transport: transport)
        var configuration = RequestConfiguration()

        // snippet
        client.addTrustHandler(OwnAuthority(issuer: "CN=Company CA"))
        // end

        // snippet
        configuration.transport.tls.certificate = "client.pem"
        configuration.transport.tls.passphrase = Passphrase("correct horse")
        // end

        // snippet
        configuration.transport.authentication = .digest(Credential(user: "ada", password: "lovelace"))
        // end

        // snippet
        configuration.transport.unixSocket = "/var/run/docker.sock"
        configuration.transport.resolve = ["api.example.com:443:127.0.0.1"]
        configuration.transport.interface = "eth0"
        // end

        // snippet
        configuration.cookies = .on
        _ = try await client.get(url, configuration: configuration)
        let names = client.cookies["default"].cookies.map(\.name)
        // end

        #expect(names == ["bird"])
    }

    @Test func `the second answer is a stored one`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }

        // snippet
        let client = NetworkClient(transport: transport, cache: ResponseCache(directory: directory))
        _ = try await client.get(url)
        let response = try await client.get(url)
        let isStored = response.info?.source == .cache
        // end

        #expect(isStored)
        #expect(transport.requests.count == 1)
    }
}
