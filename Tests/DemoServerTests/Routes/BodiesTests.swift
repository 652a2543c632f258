import Foundation
import Testing
import Zlib

@testable import DemoServer

@Suite struct BodiesTests {
    @Test func `JSON has the size that was asked for, with and without saying so`() async throws {
        try await withServer { server in
            let plain = try await server.call("GET", "/json?size=200kB")
            #expect(plain["content-length"] == "200000")
            #expect(plain.body == People(size: 200_000).all())
            let chunked = try await server.call("GET", "/json?size=200kB&chunked=true")
            #expect(chunked["content-length"] == nil)
            #expect(chunked.body == plain.body)
            #expect(try await server.call("GET", "/json?size=1").status == 400)
        }
    }

    @Test func `JSON lines are JSON, each`() async throws {
        let response = try await withServer { try await $0.call("GET", "/json/lines?count=5") }
        let lines = response.text.split(separator: "\n")
        #expect(lines.count == 5)
        for line in lines { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) } }
    }

    @Test(arguments: [
        ("/xml", "application/xml", "<?xml"), ("/html", "text/html; charset=utf-8", "<!DOCTYPE"),
        ("/text?lines=1500", "text/plain; charset=utf-8", "1: "), ("/image.svg", "image/svg+xml", "<?xml"),
        ("/image.png?width=3&height=2", "image/png", "\u{FFFD}PNG\r\n\u{1A}\n"),
    ])
    func `documents say what they are`(target: String, type: String, start: String) async throws {
        let response = try await withServer { try await $0.call("GET", target) }
        #expect(response["content-type"] == type)
        #expect(response.text.unicodeScalars.starts(with: start.unicodeScalars))
    }

    @Test func `text has as many lines as asked for`() async throws {
        let response = try await withServer { try await $0.call("GET", "/text?lines=2500") }
        #expect(response.text.split(separator: "\n").last?.hasPrefix("2500: ") == true)
        #expect(response.text.split(separator: "\n").count == 2500)
    }

    @Test func `bytes can be had in ranges`() async throws {
        try await withServer { server in
            let whole = try await server.call("GET", "/bytes/100kB")
            #expect(whole.status == 200 && whole.body == Noise.bytes(0..<100_000, seed: 1))
            let part = try await server.call("GET", "/bytes/100kB", fields: ["Range: bytes=70000-70009"])
            #expect(part.status == 206)
            #expect(part["content-range"] == "bytes 70000-70009/100000")
            #expect(part.body == Array(whole.body[70_000..<70_010]))
            let beyond = try await server.call("GET", "/bytes/10", fields: ["Range: bytes=10-"])
            #expect(beyond.status == 416 && beyond["content-range"] == "bytes */10")
        }
    }

    @Test func `compressed bodies say how`() async throws {
        try await withServer { server in
            let people = People(size: 10_000).all()
            let gzip = try await server.call("GET", "/gzip")
            #expect(gzip["content-encoding"] == "gzip" && gzip.body == Deflater.whole(people, in: .gzip))
            let deflate = try await server.call("GET", "/deflate")
            #expect(deflate["content-encoding"] == "deflate" && deflate.body == Deflater.whole(people, in: .zlib))
            #expect(try await server.call("GET", "/deflate?raw=true").body == Deflater.whole(people, in: .none))
        }
    }

    @Test(arguments: [
        ("", nil), ("gzip", "gzip"), ("deflate", "deflate"), ("br, deflate;q=0.5, gzip;q=0.1", "gzip"),
        ("gzip;q=0, deflate", "deflate"), (",,;", nil), (";q=1", nil),
        ("identity", nil),
    ])
    func `a coding is negotiated`(accepted: String, coding: String?) async throws {
        let fields = accepted.isEmpty ? [] : ["Accept-Encoding: \(accepted)"]
        let response = try await withServer { try await $0.call("GET", "/negotiate", fields: fields) }
        #expect(response["content-encoding"] == coding)
        #expect(response["vary"] == "Accept-Encoding")
    }
}
