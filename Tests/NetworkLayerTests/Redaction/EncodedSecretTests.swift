import Foundation
import HTTPTypes
import Testing

@testable import NetworkLayer

/// Secrets in bodies that aren't in UTF-8: such a body is decoded once, masked as text, and kept as UTF-8.
@Suite struct EncodedSecretTests {
    private static let mark = Data([0xEF, 0xBB, 0xBF])

    private static func utf16(_ text: String, isLittleEndian: Bool = true) -> Data {
        Data(text.utf16.flatMap { isLittleEndian ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    @Test(
        arguments: [
            ("windows-1251", "пароль-Ж", Data([0xEF, 0xE0, 0xF0, 0xEE, 0xEB, 0xFC, 0x2D, 0xC6])),
            ("ISO-8859-1", "pässwört", Data([0x70, 0xE4, 0x73, 0x73, 0x77, 0xF6, 0x72, 0x74])),
            ("Shift_JIS", "テスト鍵", Data([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x8C, 0xAE])),
            ("iso-2022-jp", "密鍵暗号", Data([0x1B, 0x24, 0x42, 0x4C, 0x29, 0x38, 0x30, 0x30, 0x45, 0x39, 0x66, 0x1B, 0x28, 0x42])),
            ("utf-16le", "hunter2hunter2", utf16("hunter2hunter2")),
            ("utf-16be", "пароль-Ж", utf16("пароль-Ж", isLittleEndian: false)),
        ])
    func `a body in the encoding that it names is masked as text`(charset: String, secret: String, bytes: Data) throws {
        let isWide = charset.hasPrefix("utf-16")
        func encoded(_ text: String) -> Data { isWide ? Self.utf16(text, isLittleEndian: charset == "utf-16le") : Data(text.utf8) }
        let body = encoded("a=") + bytes + encoded(" b")
        let type = "text/plain; charset=\"\(charset)\""
        let masked = Redactor([secret]).bytes(body, contentType: type)
        #expect(masked == Self.mark + Data("a=•••••• b".utf8))
        // So it is read again as what it is, whatever its type says.
        #expect(CharsetDecoder(contentType: type, start: masked) == nil)
        #expect(Redactor(["nothing-of-it"]).bytes(body, contentType: type) == body)
    }

    @Test func `a byte order mark names the encoding, too`() {
        let body = Data([0xFF, 0xFE]) + Self.utf16("key: hunter2hunter2")
        #expect(Redactor(["hunter2hunter2"]).bytes(body, contentType: nil) == Self.mark + Data("key: ••••••".utf8))
    }

    /// A server chooses the name of the encoding as well as the bytes.
    @Test(arguments: ["utf-16", "Shift_JIS", "iso-2022-jp", "windows-1251", "x-unknown", ""])
    func `no name of an encoding hides a secret that stands there in ASCII or UTF-8`(charset: String) {
        let type = "text/html; charset=\(charset)"
        for (body, secret) in [
            (Data("<hunter2hunter2>".utf8), "hunter2hunter2"), (Data("<пароль-Ж>".utf8), "пароль-Ж"),
            (Data([0x1B, 0xFF]) + Data("hunter2hunter2".utf8), "hunter2hunter2"),
        ] {
            #expect(Redactor([secret]).bytes(body, contentType: type).range(of: Data(secret.utf8)) == nil)
        }
    }

    @Test func `what is secret by its name is masked in the text, and kept so`() {
        let type = "application/json; charset=utf-16le"
        let body = Self.utf16(#"{"имя":"Ада","password":"журавль"}"#)
        let expected = Self.mark + Data(#"{"имя":"Ада","password":"••••••"}"#.utf8)
        #expect(Redactor().bytes(body, contentType: type, hiding: .standard) == expected)
        let request = Request(url: URL(string: "http://h.test/")!, method: .post, headers: [.contentType: type], body: .data(body))
        #expect(Redaction.standard.credentials(of: request) == ["журавль"])
        let kept = Redaction.standard.kept(Response(originalRequest: request, info: nil, metrics: OperationMetrics()))
        guard case .data(let data) = kept.originalRequest.body else {
            Issue.record("no body")
            return
        }
        #expect(data == Self.mark + Data(#"{"имя":"Ада","password":"******"}"#.utf8))
    }

    @Test func `a form with a file in it is kept to the byte, but for its secrets`() {
        let type = "multipart/form-data; boundary=b"
        func body(_ secret: String) -> Data {
            let file = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n"
            let part = "\r\n--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n"
            return Data(file.utf8) + Data([0x89, 0xFF, 0, 0xE9]) + Data(part.utf8)
        }
        #expect(Redaction.standard.bytes(body("hunter2"), type: type) == body("••••••"))
    }

    @Test func `a template is filled in in UTF-8, whatever its request says`() {
        let request = Request(
            url: URL(string: "http://h.test/")!, method: .post, headers: [.contentType: "text/plain; charset=Shift_JIS"],
            body: .data(Data("a журавль b".utf8)))
        guard case .data(let data) = Redactor(["журавль"]).request(request).body else {
            Issue.record("no body")
            return
        }
        #expect(data == Data("a •••••• b".utf8))
    }

    @Test func `browsers' byte of GBK for the euro is read`() {
        #expect(CharsetDecoder.utf8(Data([0x31, 0x80, 0x32]), in: "gbk") == Data("1€2".utf8))
    }
}
