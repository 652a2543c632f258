import Foundation
import Testing
import Zlib

@testable import DemoServer

@Suite struct EncodingTests {
    // FIPS 180-4's examples, and lengths around the padding's corners.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `SHA-256 of the standard's examples`(text: String, hash: String) {
        #expect(Hexadecimal.text(MessageDigest.hash(text.utf8, by: .sha256)) == hash)
    }

    @Test func `SHA-256 doesn't depend on how the bytes are cut`() {
        let bytes = Noise.bytes(0..<1000, seed: 3)
        for size in [1, 7, 55, 56, 63, 64, 65, 119, 120, 128, 999] {
            var hash = MessageDigest(.sha256)
            for start in stride(from: 0, to: bytes.count, by: size) { hash.update(bytes[start..<min(bytes.count, start + size)]) }
            let digest = hash.finish()
            #expect(digest == MessageDigest.hash(bytes, by: .sha256))
        }
    }

    // RFC 1321, appendix A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("12345678901234567890123456789012345678901234567890123456789012345678901234567890", "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `MD5 of the standard's examples`(text: String, hash: String) {
        #expect(Hexadecimal.text(MessageDigest.hash(text.utf8, by: .md5)) == hash)
    }

    @Test func `the checksum of the usual example`() {
        #expect(Zlib.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test(arguments: [0, 1, 2, 3, 10, 258, 259, 1000, 70_000, 200_000])
    func `what zlib makes, gzip takes apart`(count: Int) throws {
        let text = Array((0..<count).map { UInt8(ascii: "a") + UInt8($0 * $0 / 7 % 26) })
        for bytes in [text, Noise.bytes(0..<count, seed: 9), [UInt8](repeating: 0, count: count)] {
            let packed = Deflater.whole(bytes, in: .gzip)
            #expect(try gunzip(packed) == bytes)
            let pieces = Deflater(.gzip)
            var inPieces: [UInt8] = []
            for start in stride(from: 0, to: count, by: 7_001) {
                inPieces += pieces.write(Array(bytes[start..<min(count, start + 7_001)]), isLast: false)
            }
            inPieces += pieces.write([], isLast: true)
            #expect(try gunzip(inPieces) == bytes)
            for frame in [Zlib.Frame.none, .zlib, .gzip] {
                let packed = Deflater.whole(bytes, in: frame)
                let again = Inflated((packed + [1, 2, 3])[...], in: frame, limit: count)
                #expect(again.bytes == bytes && again.end == .whole && again.consumed == packed.count)
                let cut = Inflated(packed.dropLast(), in: frame, limit: count)
                #expect(cut.end == .cut && bytes.starts(with: cut.bytes))
                if count > 0 {
                    let full = Inflated(packed[...], in: frame, limit: count - 1)
                    #expect(full.end == .full && full.bytes == bytes.dropLast())
                }
            }
        }
    }

    @Test func `what has changed has another checksum, or is broken`() {
        var packed = Deflater.whole(Array("hello hello hello".utf8), in: .gzip)
        packed[packed.count - 6] ^= 1
        #expect(Inflated(packed[...], in: .gzip, limit: 100).end == .wrongChecksum)
        #expect(Inflated([0xFF, 0xFF, 0xFF], in: .none, limit: 100).end == .broken)
        #expect(Inflated([], in: .gzip, limit: 100).end == .cut)
        #expect(Inflated(Deflater.whole([], in: .zlib).dropLast() + [7], in: .zlib, limit: 100).end == .wrongChecksum)
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max]) func `any limit is kept`(limit: Int) {
        let inflated = Inflated(Deflater.whole([1, 2], in: .none)[...], in: .none, limit: limit)
        #expect(inflated.bytes == Array([1, 2].prefix(max(0, limit))))
        #expect(inflated.end == (limit > 1 ? .whole : .full))
    }

    /// The system's gzip judges what ours made; it checks the checksum and the length too.
    private func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID()).gz")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        process.standardOutput = output
        try process.run()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(result)
    }
}

@Suite struct ContentTests {
    @Test(arguments: [People.minimumSize, 100, 1000, 65_536, 65_537, 1_000_000])
    func `people are valid JSON of exactly that size`(size: Int) throws {
        let bytes = People(size: size).all()
        #expect(bytes.count == size)
        let people = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
        #expect(people.last?["id"] as? Int == -1)
        #expect(people.dropLast().enumerated().allSatisfy { $0.offset == $0.element["id"] as? Int })
    }

    @Test func `noise is the same however it is cut`() {
        let whole = Noise.bytes(0..<100, seed: 1)
        #expect(Noise.bytes(0..<13, seed: 1) + Noise.bytes(13..<100, seed: 1) == whole)
        #expect(Noise.bytes(0..<100, seed: 2) != whole)
    }

    @Test func `JSON is written with its members in order and every control character escaped`() {
        let value: JSON = ["b": [1, true, nil], "a": ["x": .string("\"\\\n\u{1B}é\u{7F}")], "empty": [:]]
        #expect(
            value.text == """
                {
                  "b": [
                    1,
                    true,
                    null
                  ],
                  "a": {
                    "x": "\\"\\\\\\n\\u001bé\\u007f"
                  },
                  "empty": {}
                }

                """)
    }

    @Test func `a name that occurs twice has a list, in the place of the first`() {
        let grouped = JSON.grouped([Field("a", "1"), Field("b", "2"), Field("a", "3")])
        #expect(grouped == ["a": ["1", "3"], "b": "2"])
    }

    @Test func `the parts of a form`() {
        let body =
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.bin\"\r\nContent-Type: image/png\r\n\r\n\u{0}\r\n\r\n\r\n--B--\r\n"
        let parts = Multipart.parts(of: Array(body.utf8), type: "multipart/form-data; boundary=B")
        #expect(
            parts?.map(\.description) == [
                ["name": "a", "bytes": 1, "text": "1"],
                ["name": "f", "filename": "x.bin", "type": "image/png", "bytes": 5, "text": "\u{0}\r\n\r\n"],
            ])
    }
}
