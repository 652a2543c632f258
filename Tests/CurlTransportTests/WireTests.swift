import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

/// Options of the wire that few use.
@Suite struct WireTests {
    private let nginx: NginxServer

    init() throws { nginx = try NginxServer.shared() }

    @Test(arguments: ["/x HTTP/1.1\r\nX-Evil: 1", "/a b", "", "/\u{7F}", "/ä"])
    func `a request target can't be more than one`(target: String) async throws {
        let recording = try await CurlTransport().get("http://127.0.0.1:1/") { $0.options.wire.requestTarget = target }
        #expect(recording.error?.message.hasPrefix("A request target is printable ASCII without spaces") == true)
    }

    @Test func `a request goes where Alt-Svc has said, in the name of its own host`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "alt-svc-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        // Nobody listens on the first port.
        try "h1 127.0.0.1 1 h1 127.0.0.1 \(nginx.good) \"20991231 00:00:00\" 0 0\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        func get(_ alternatives: String?) async throws -> Recording {
            try await CurlTransport().get("https://127.0.0.1:1/small") {
                $0.options.tls.authorities = nginx.certificates.authority
                $0.options.httpVersion = .http1
                $0.options.wire.alternatives = alternatives
            }
        }
        #expect(try await get(nil).error?.code == .cannotConnect)
        #expect(try await get(file).head?.status.code == 200)
    }

    @Test func `the file of Alt-Svc is written before the end of a transfer is told`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "alt-svc-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        for _ in 0..<20 {
            try? FileManager.default.removeItem(atPath: file)
            let recording = try await CurlTransport().get("https://127.0.0.1:\(nginx.good)/small") {
                $0.options.tls.authorities = nginx.certificates.authority
                $0.options.wire.alternatives = file
            }
            #expect(recording.head?.status.code == 200)
            #expect(FileManager.default.fileExists(atPath: file))
        }
    }
}
