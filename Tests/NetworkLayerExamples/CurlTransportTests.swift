import CurlTransport
import FoundationEssentials
import NetworkLayer
import Testing

/// The code of the catalogue of CurlTransport.
@Suite struct CurlTransportCatalogue {
    @Test func `how connections are made and kept`() {
        // snippet
        let transport = CurlTransport(userAgent: "birds/1.0", pool: ConnectionPool(inactivity: .seconds(60), limit: 32))
        let client = NetworkClient(transport: transport)
        // end

        // snippet
        transport.pool.prunesAfterEveryTransfer = true
        client.pruneConnections(.host("birds.example"))
        // end

        #expect(transport.pool == ConnectionPool(inactivity: .seconds(60), limit: 32, prunesAfterEveryTransfer: true))

        // snippet
        var configuration = RequestConfiguration()
        configuration.transport.httpVersion = .http2
        configuration.transport.tls.minimumVersion = .tls1_3
        configuration.transport.tls.pins = ["sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="]
        // end

        #expect(configuration != RequestConfiguration())

        // snippet
        let hasHTTP2 = CurlLibrary.current.features.contains(.http2)
        // end

        #expect(hasHTTP2)
    }
}
