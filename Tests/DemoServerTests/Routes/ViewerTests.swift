import Foundation
import Testing

@testable import DemoServer

@Suite struct ViewerTests {
    private static let starts: [(String, [UInt8])] = [
        ("/viewer/escapes", HostileBytes.escapes),
        ("/viewer/nuls", HostileBytes.controls),
        ("/viewer/invalid-utf8", HostileBytes.invalidUTF8),
        ("/viewer/wide", Array(HostileBytes.wide.utf8)),
        ("/viewer/numbers", Array(HostileBytes.jsonCorners.utf8)),
        ("/viewer/latin1", [0x53, 0x74, 0x72, 0x61, 0xDF]),
        ("/viewer/utf16", [0xFF, 0xFE, 0x5A, 0x00, 0xFC, 0x00]),
        ("/viewer/empty", []),
        ("/viewer/mislabelled", Array("{\"type\"".utf8)),
        ("/viewer/broken-json", Array("{\n  \"one\"".utf8)),
        ("/viewer/deep?depth=3", Array("[[[]]]\n".utf8)),
    ]

    @Test(arguments: starts)
    func `hostile bytes arrive as they are`(target: String, start: [UInt8]) async throws {
        let response = try await withServer { try await $0.call("GET", target) }
        #expect(response.status == 200)
        #expect(response.body.starts(with: start))
    }

    @Test func `hostile bytes are what they claim to be`() {
        #expect(HostileBytes.escapes.contains(0x1B) && HostileBytes.escapes.contains(0x07))
        #expect(Set(HostileBytes.controls).isSuperset(of: (0..<32).filter { $0 != 13 }))
        #expect(String(validating: HostileBytes.invalidUTF8, as: UTF8.self) == nil)
    }

    @Test func `lines of any length`() async throws {
        let response = try await withServer { try await $0.call("GET", "/viewer/long-lines?length=100001&lines=2") }
        let lines = response.body.split(separator: 10)
        #expect(lines.map(\.count) == [100_001, 100_001])
        #expect(lines[0] == lines[1])
    }

    @Test func `header values with escapes and bytes that are no UTF-8`() async throws {
        let response = try await withServer { try await $0.call("GET", "/viewer/headers") }
        #expect(response["x-escape"] == "\u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{7}")
        #expect(response["x-invalid"] == "caf\u{FFFD}\u{FFFD}")
        #expect(response["x-long"]?.count == 8000)
    }
}
