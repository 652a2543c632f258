import Foundation
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Secrets in bodies that aren't in UTF-8.
@Suite struct EncodedSecretTests {
    /// In the letters of all encodings; each can write one of them at least.
    private static let secrets = [
        "correct-horse", "pässwört-ß", "hasło-żółć", "slaptažodis-ėų", "cyfrinair-ŵŷ", "parolă-șț", "şifre-ğıİ", "ĉifro-ŝĝ",
        "dorfeđ-ŋŧ", "пароль-Журавль", "σύνθημα-ξένο", "סיסמה-גדולה", "كلمة-السر", "รหัสผ่าน-๑", "mật-khẩu-ế", "パスワード鍵123",
        "密码-口令钥匙", "密碼-口令鑰匙", "비밀번호-열쇠",
    ]

    /// The system's names of all encodings that a body may name.
    private static let names = Set(WebEncodings.labels.map(\.key)).sorted()

    private static func encoded(_ text: String, in name: String) -> [UInt8]? {
        if name.hasPrefix("utf-16") { return UTF16Text.bytes(of: text, isLittleEndian: name != "utf-16be") }
        return CharsetEncoder(name)?.bytes(of: text)
    }

    private static func decoded(_ data: Data, in name: String) throws -> String {
        String(decoding: try #require(CharsetDecoder.utf8(data, in: name)), as: UTF8.self)
    }

    private static func mask(in name: String) -> String { name.hasPrefix("utf-16") ? "••••••" : "******" }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    @Test(arguments: names) func `in each encoding a secret is masked, in each form in which it travels there`(name: String) throws
    {
        let label = try #require(WebEncodings.labels.first { $0.key == name }?.value.split(separator: " ").last)
        let type = "text/plain; charset=\"\(label.uppercased())\""
        let writable = Self.secrets.compactMap { secret in Self.encoded(secret, in: name).map { (secret, $0) } }
        #expect(writable.count > 1, "no secret is written in \(name)")
        for (secret, bytes) in writable {
            // The same letters in another order are none.
            let other = String(String.UnicodeScalarView(secret.unicodeScalars.reversed()))
            var forms = [secret, secret.unicodeScalars.map { "&#\($0.value);" }.joined()]
            forms.append(
                secret.utf16.map { "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16) }
                    .joined())
            forms += [Self.percentEncoded(Array(secret.utf8)), Data(secret.utf8).base64EncodedString()]
            if !name.hasPrefix("utf-16") {
                forms += [Self.percentEncoded(bytes), Data(bytes).base64EncodedString()]
                forms.append(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            }
            for form in forms {
                let body = try #require(Self.encoded("{\(other)} \"\(form)\"<\(other)\(form)\(form)\(other)>\n", in: name))
                let masked = Redactor([secret]).bytes(Data(body), contentType: type)
                let mask = Self.mask(in: name)
                let expected = "{\(other)} \"\(mask)\"<\(other)\(mask)\(mask)\(other)>\n"
                let read = try Self.decoded(masked, in: name)
                // An encoding may put an accent and its letter together.
                #expect(read == expected, "\(form) in \(name)")
                #expect(masked.range(of: Data(bytes)) == nil && masked.range(of: Data(secret.utf8)) == nil, "\(form) in \(name)")
            }
        }
    }

    @Test(arguments: ["cp932", "euc-jp-ms", "big5-hkscs", "gb18030", "windows-1258"])
    func `a character is found at each of its places`(name: String) throws {
        let variants = CharsetVariants.variants(in: name)
        // Some systems have a few more.
        let count = ["cp932": 396, "euc-jp-ms": 374, "big5-hkscs": 8, "gb18030": 7, "windows-1258": 18][name] ?? 0
        #expect(variants.count >= count)
        for (scalar, codes) in variants {
            let redactor = Redactor(["secret-\(scalar)"])
            for code in codes {
                let body = Data(Array("<secret-".utf8) + code + Array(">".utf8))
                let masked = redactor.bytes(body, contentType: "text/plain; charset=\(try #require(Self.label(of: name)))")
                #expect(masked == Data("<******>".utf8), "\(scalar) as \(code)")
            }
        }
    }

    private static func label(of name: String) -> Substring? {
        WebEncodings.labels.first { $0.key == name }?.value.split(separator: " ").first
    }

    /// A server names the encoding, and chooses the bytes.
    @Test(arguments: names + ["x-unknown", "utf-7", "utf-32", ""])
    func `no name of an encoding lessens what is found`(name: String) throws {
        let type = "text/html; charset=\(Self.label(of: name) ?? Substring(name))"
        let secret = "p4ss wörd/~"
        let redactor = Redactor([secret, "hunter2hunter2"])
        for encoding in [String.Encoding.utf8, .isoLatin1, .utf16, .utf16LittleEndian, .utf16BigEndian] {
            for text in ["<\(secret)>", "x hunter2hunter2.", "\u{E9}hunter2hunter2", "hunter2hunter2\u{E9}"] {
                let body = try #require(text.data(using: encoding))
                let masked = redactor.bytes(body, contentType: type)
                for hidden in [secret, "hunter2hunter2"] {
                    #expect(
                        masked.range(of: try #require(hidden.data(using: encoding)).suffix(12)) == nil, "\(text) in \(encoding)")
                }
            }
        }
        for form in ["cDRzcyB3w7ZyZC9+", "p4ss+w%C3%B6rd%2F~", "7034737320" + "77c3b672642f7e", #"p4ss w\u00f6rd\/~"#] {
            let masked = redactor.bytes(Data("x \(form) y".utf8), contentType: type)
            #expect(masked.range(of: Data(form.utf8)) == nil, "\(form)")
        }
    }

    @Test func `what stands around a mask is read as before`() throws {
        // The first letter of the secret is the second byte of a character.
        let bytes: [UInt8] = [0x83, 0x41, 0x62, 0x63, 0x64, 0x65, 0x66, 0x83, 0x65, 0x83, 0x58]
        let masked = Redactor(["Abcdef"]).bytes(Data(bytes), contentType: "text/plain; charset=shift_jis")
        #expect(try Self.decoded(masked, in: "cp932") == "******テス")
        // Its last byte, of ISO 8859-1, is the first one of a character there.
        let latin = Redactor(["secret-é"]).bytes(
            Data(Array("secret-".utf8) + [0xE9, 0x82, 0x83, 0x65, 0x83, 0x58]), contentType: "text/plain; charset=shift_jis")
        #expect(try Self.decoded(latin, in: "cp932") == "******テス")
        let kanji = "私の鍵は hunter2hunter2、密hunter2鍵hunter2"
        let body = try #require(Self.encoded(kanji, in: "iso-2022-jp"))
        let shown = Redactor(["hunter2", "密hunter2鍵"]).bytes(Data(body), contentType: "text/plain; charset=iso-2022-jp")
        #expect(try Self.decoded(shown, in: "iso-2022-jp") == "私の鍵は ************、************")
    }

    /// A server that kills the process would need no more than that.
    @Test func `of two secrets, one may end and the other begin within a character`() throws {
        let japanese = Redactor(["abcdef", "ghijkl"]).bytes(
            Data("\u{1B}$Bxabcdefghijklm\u{1B}(B!".utf8), contentType: "text/plain; charset=iso-2022-jp")
        #expect(try Self.decoded(japanese, in: "iso-2022-jp") == "************!")
        let body = Array("secret-".utf8) + [0xE9] + UTF16Text.bytes(of: "hunter2hunter2", isLittleEndian: true)
        let mixed = Redactor(["secret-é", "hunter2hunter2"]).bytes(Data(body), contentType: "text/plain; charset=shift_jis")
        #expect(mixed == Data("******".utf8) + UTF16Text.bytes(of: Redactor.mask, isLittleEndian: true))
    }

    /// Bodies of pieces that begin and end within each other's characters.
    @Test(arguments: names) func `whatever a body is made of, no secret is left in it, and nothing else changes`(name: String)
        throws
    {
        var random = SeededGenerator(seed: 0x5EC2E7)
        let secrets = ["hunter2hunter2", "hunter2h", "secret-é", "пароль-Ж", "パスワード鍵", "abcdefg", "密码-口令"]
        let label = try #require(Self.label(of: name))
        let redactor = Redactor(secrets)
        var pieces: [[UInt8]] = [[0x83], [0x81, 0x30], [0xFF, 0xFE], [0xFE, 0xFF], [0xE9], [0x8F], [0xEF, 0xBB, 0xBF]]
        for text in ["\u{1B}$B", "\u{1B}(B", "\u{1B}(I", "\u{1B}", "%", "&#", "\\u", "<meta charset=sjis>", "\0", "a"] + secrets {
            pieces.append(Array(text.utf8))
        }
        for secret in secrets {
            for isLittleEndian in [true, false] { pieces.append(UTF16Text.bytes(of: secret, isLittleEndian: isLittleEndian)) }
            if let bytes = Self.encoded(secret, in: name) { pieces.append(bytes) }
        }
        // Behind a byte that two characters share.
        pieces += pieces.filter { $0.count > 8 }.map { Array($0.dropFirst()) }
        for _ in 0..<50 {
            var body: [UInt8] = []
            for _ in 1...Int.random(in: 1...9, using: &random) {
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
                body += piece.prefix(Bool.random(using: &random) ? piece.count : Int.random(in: 1...piece.count, using: &random))
            }
            let type = (Bool.random(using: &random) ? "text/html" : "multipart/mixed") + "; charset=\(label)"
            let masked = Array(redactor.bytes(Data(body), contentType: type))
            for secret in secrets {
                let left = "\(secret) in \(body), \(type)"
                #expect(masked.firstRange(of: Array(secret.utf8)) == nil, "\(left)")
                for isLittleEndian in [true, false] {
                    #expect(masked.firstRange(of: UTF16Text.bytes(of: secret, isLittleEndian: isLittleEndian)) == nil, "\(left)")
                }
                if secret.utf8.allSatisfy({ $0 < 0x80 }) || name == "iso-2022-jp" { continue }
                if let bytes = Self.encoded(secret, in: name), bytes.count > 5 {
                    #expect(masked.firstRange(of: bytes) == nil, "\(left)")
                }
            }
            let none = Redactor(["nothing-of-it-ÿ"]).bytes(Data(body), contentType: type)
            #expect(none == Data(body), "\(body), \(type)")
        }
    }

    @Test func `without its name UTF-16 is known by its ASCII, wherever it stands`() throws {
        let redactor = Redactor(["hunter2hunter2", "пароль-Ж"])
        for isLittleEndian in [true, false] {
            for start in [[], [0x2A] as [UInt8]] {
                for secret in ["hunter2hunter2", #"hunter2\u0068unter2"#, "пароль-Ж"] {
                    let body = start + UTF16Text.bytes(of: "Ваш ключ:\(secret)Ж\u{1F511}", isLittleEndian: isLittleEndian)
                    let masked = redactor.bytes(Data(body))
                    #expect(masked.count < body.count, "\(secret), \(isLittleEndian), \(start)")
                    #expect(masked.range(of: Data(UTF16Text.bytes(of: secret, isLittleEndian: isLittleEndian).dropFirst())) == nil)
                    // In the middle of other data nothing tells the byte order.
                    guard start.isEmpty else { continue }
                    let expected = UTF16Text.bytes(of: "Ваш ключ:••••••Ж\u{1F511}", isLittleEndian: isLittleEndian)
                    #expect(masked == Data(expected), "\(secret), \(isLittleEndian), \(start)")
                }
            }
        }
        // Half of a pair stays, as does all that is no secret.
        let half: [UInt8] = [0x3D, 0xD8] + UTF16Text.bytes(of: "hunter2hunter2", isLittleEndian: true) + [0x00, 0xDC, 0x41]
        #expect(
            redactor.bytes(Data(half))
                == Data([0x3D, 0xD8] + UTF16Text.bytes(of: "••••••", isLittleEndian: true) + [0x00, 0xDC, 0x41]))
    }

    @Test(
        arguments: [
            ("text/html", "<meta charset=windows-1251><p>", "</p>"), ("text/html", "<META CHARSET = 'Windows-1251'><p>", "</p>"),
            ("text/html", #"<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">"#, ""),
            ("application/xml", #"<?xml version="1.0" encoding="windows-1251"?><a>"#, "</a>"),
            ("application/soap+xml; charset=utf-8", #"<?xml version='1.0' encoding='windows-1251'?><a>"#, "</a>"),
            (nil, #"<?xml version="1.0" encoding="windows-1251"?><a>"#, "</a>"),
            ("multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain; charset=\"windows-1251\"\r\n\r\n", "\r\n--b--\r\n"),
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"_charset_\"\r\n\r\nwindows-1251\r\n--b\r\n"
                    + "Content-Disposition: form-data; name=\"a\"\r\n\r\n",
                "\r\n--b--\r\n"
            ),
            ("application/x-www-form-urlencoded", "_charset_=windows-1251&a=", "&b="),
            ("application/json; charset=windows-1251", #"{"a":""#, #""}"#), ("text/plain; charset=\" Windows-1251 \"", "", ""),
        ] as [(String?, String, String)])
    func `what a body says of its encoding counts`(type: String?, before: String, behind: String) throws {
        let secret = "пароль-Ж"
        let bytes = try #require(Self.encoded(secret, in: "windows-1251"))
        for form in [bytes, Array(Self.percentEncoded(bytes).utf8)] {
            let masked = Redactor([secret]).bytes(Data(Array(before.utf8) + form + Array(behind.utf8)), contentType: type)
            #expect(masked == Data("\(before)******\(behind)".utf8))
        }
    }

    @Test(
        arguments: [
            "text/plain; charset=windows-1251, text/plain; charset=utf-8", "text/plain; charset=windows-1251, text/plain",
            "text/plain, text/plain; charset=windows-1251",
        ])
    func `of several fields each may be the one that is read`(type: String) throws {
        let body = try #require(Self.encoded("<пароль-Ж>", in: "windows-1251"))
        #expect(Redactor(["пароль-Ж"]).bytes(Data(body), contentType: type) == Data("<******>".utf8))
    }

    @Test(arguments: ["<meta charset\t=\t\"windows-1251\">", "<meta charset\n= windows-1251>"])
    func `any blank may stand around a name`(before: String) throws {
        let body = Array(before.utf8) + (try #require(Self.encoded("<пароль-Ж>", in: "windows-1251")))
        #expect(Redactor(["пароль-Ж"]).bytes(Data(body), contentType: "text/html") == Data("\(before)<******>".utf8))
    }

    /// iconv writes nothing for them, and a search for nothing would find it everywhere, or never end.
    @Test func `a secret of characters that a converter drops is none there`() {
        let redactor = Redactor(["\u{E0041}", "\u{E0041}bcdef", "\u{1F3F4}\u{E0067}\u{E0062}"])
        for name in ["windows-1251", "Shift_JIS", "iso-2022-jp", "gb18030"] {
            let body = Data(#"{"a":"","b":"bcdef"}"#.utf8)
            #expect(redactor.bytes(body, contentType: "application/json; charset=\(name)") == body)
        }
    }

    /// The system's converter passes over what it doesn't know, and reads on.
    @Test(
        arguments: [
            "\u{1B}(IHUN\u{1B}(JTER2HUNTER2", "\u{1B}$(Dhunt\u{1B}(Ber2hunter2", "\u{1B}(Jhun\u{1B}(Bter2hun\u{1B}(Iter2",
        ])
    func `what a converter makes a secret of is none`(text: String) throws {
        let redactor = Redactor(["HUNTER2HUNTER2", "hunter2hunter2"])
        let masked = redactor.bytes(Data("<\(text)>".utf8), contentType: "text/plain; charset=iso-2022-jp")
        #expect(try !redactor.finds(in: Self.decoded(masked, in: "iso-2022-jp")))
    }

    @Test func `a character of which one byte is dropped leaves the secret behind it found`() throws {
        let secret = "密鍵暗号"
        var body = try #require(Self.encoded(secret, in: "iso-2022-jp"))
        body.insert(0x29, at: 3)
        let masked = Redactor([secret]).bytes(Data(body), contentType: "text/plain; charset=iso-2022-jp")
        #expect(try !Self.decoded(masked, in: "iso-2022-jp").contains(secret))
    }

    @Test(arguments: ["text/plain; charset=utf-16le", "text/plain"])
    func `of two secrets in UTF-16 of both byte orders that share bytes, nothing stays`(type: String) throws {
        let secret = "пароль-п"
        let (big, little) = (
            UTF16Text.bytes(of: secret, isLittleEndian: false), UTF16Text.bytes(of: secret, isLittleEndian: true)
        )
        let mask = UTF16Text.bytes(of: Redactor.mask, isLittleEndian: true)
        // The last byte of the one is the first of the other. The mask has whole characters, so that what follows is read as before.
        let body = [0x3F] + big + little.dropFirst() + UTF16Text.bytes(of: "Ж", isLittleEndian: true)
        #expect(
            Redactor([secret]).bytes(Data(body), contentType: type) == Data(mask + UTF16Text.bytes(of: "Ж", isLittleEndian: true)))
        // A body that ends within a character.
        #expect(Redactor([secret]).bytes(Data(little + big.dropFirst()), contentType: type) == Data(mask))
    }

    @Test func `secrets that have characters in common are masked as one`() {
        let redactor = Redactor(["hunter2fast", "fast4you"])
        #expect(redactor.text("<hunter2fast4you>") == "<••••••>")
        #expect(redactor.text("<hunter2fastfast4you>") == "<••••••••••••>")
        #expect(redactor.bytes(Data("\u{FEFF}hunter2fast4you".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })).count == 14)
    }

    /// What isn't found in such bytes needn't be looked for in their text.
    @Test(arguments: names.filter { WebEncodings.isOneByteEach($0) })
    func `where each byte is a character, a character is one byte`(name: String) throws {
        for byte in UInt8(0)...0xFF {
            let text = try Self.decoded(Data([byte]), in: name)
            #expect(text.unicodeScalars.count == 1)
            if text != "\u{FFFD}" { #expect(Self.encoded(text, in: name) == [byte]) }
            let pairs = (UInt8(0)...0xFF).flatMap { [byte, $0] }
            #expect(try Self.decoded(Data(pairs), in: name).unicodeScalars.count == pairs.count)
        }
    }

    @Test func `letters that windows-1255 joins in another order are hidden`() {
        let body = Array("pass-".utf8) + [0xF9, 0xD1, 0xCC] + Array("-word".utf8)
        let masked = Redactor(["pass-\u{FB2C}-word"]).bytes(Data(body), contentType: "text/plain; charset=windows-1255")
        #expect(masked == Redactor.hiddenBody)
    }

    @Test(arguments: ["hunter2hunter2", "пароль-Ж"])
    func `a redactor is forgotten with all that was made of it`(secret: String) {
        weak var written: WrittenSecrets?
        do {
            let redactor = Redactor([secret])
            _ = redactor.bytes(Data("a".utf8), contentType: "text/plain; charset=windows-1251")
            written = redactor.written
            withExtendedLifetime(redactor) { #expect(written != nil) }
        }
        #expect(written == nil)
    }

    @Test func `what a program made of a body is masked in the encodings that the body names`() throws {
        let secret = "пароль-Ж"
        let page = "<meta charset=windows-1251><p>\(secret)</p>"
        let body = Data(try #require(Self.encoded(page, in: "windows-1251")))
        let line = Data(try #require(Self.encoded("p: \(secret)", in: "windows-1251")))
        for (made, from, type) in [(line, body, "text/html"), (line, Data(), "text/html; charset=windows-1251")] {
            #expect(Redactor([secret]).bytes(made, madeOf: from, contentType: type) == Data("p: ******".utf8))
        }
        let plain = Redactor([secret]).bytes(Data("p: \(secret)".utf8), madeOf: Data("<p>\(secret)".utf8), contentType: "text/html")
        #expect(plain == Data("p: ••••••".utf8))
    }

    @Test func `a body that names more encodings than anybody tries is masked as a whole`() throws {
        let secret = try #require(Self.encoded("пароль-Ж", in: "windows-1251"))
        let before = Self.names.prefix(12).compactMap { Self.label(of: $0) }.map {
            "--b\r\nContent-Type: a/b; charset=\($0)\r\n\r\n"
        }
        let body = Array((before.joined() + "--b\r\nContent-Type: a/b; charset=windows-1251\r\n\r\n").utf8) + secret
        let masked = Redactor(["пароль-Ж"]).bytes(Data(body), contentType: "multipart/mixed; boundary=b")
        #expect(masked == Redactor.hiddenBody)
        #expect(Redactor(["nothing of it"]).bytes(Data(body), contentType: "multipart/mixed; boundary=b") == Data(body))
    }

    @Test func `markup without a type may begin with blanks`() throws {
        let secret = try #require(Self.encoded("пароль-Ж", in: "windows-1251"))
        for start in ["\n", "\u{FEFF}", " \t"] {
            let before = start + "<meta charset=windows-1251>"
            #expect(Redactor(["пароль-Ж"]).bytes(Data(Array(before.utf8) + secret)) == Data("\(before)******".utf8))
        }
    }

    /// Three bytes in hexadecimal are a colour.
    @Test func `no code of a few bytes is a secret`() {
        let page = Data("<p style='color:#eaeee4'>6u7k</p>".utf8)
        #expect(Redactor(["код"]).bytes(page, contentType: "text/html; charset=windows-1251") == page)
    }

    @Test func `ISO-2022-JP is read behind its escapes before it is taken for UTF-8`() throws {
        let body = try #require(Self.encoded(#"{"password":"鍵と唖然とした夏"}"#, in: "iso-2022-jp"))
        let request = Request(
            url: URL(string: "http://h.test/")!, method: .post,
            headers: [.contentType: "application/json; charset=iso-2022-jp"], body: .data(Data(body)))
        let kept = Redaction.standard.kept(Response(originalRequest: request, info: nil, metrics: OperationMetrics()))
        guard case .data(let data) = kept.originalRequest.body else {
            Issue.record("no body")
            return
        }
        #expect(try Self.decoded(data, in: "iso-2022-jp") == #"{"password":"******"}"#)
    }

    @Test func `a short secret is masked where it is the whole of a value, in any encoding`() throws {
        let body = try #require(Self.encoded(#"{"a":"да","b":"да нет"}"#, in: "windows-1251"))
        let masked = Redactor(["да"]).bytes(Data(body), contentType: "application/json; charset=windows-1251")
        #expect(try Self.decoded(masked, in: "windows-1251") == #"{"a":"******","b":"да нет"}"#)
    }

    /// What has arrived of a body is looked at while the rest comes.
    @Test(arguments: ["cp932", "iso-2022-jp", "utf-16", "euc-jp-ms", "windows-1251"])
    func `wherever a body is cut, what is whole is masked`(name: String) throws {
        let secret = name == "windows-1251" ? "пароль-Ж" : "パスワード鍵1"
        let label = try #require(Self.label(of: name))
        let before = try #require(Self.encoded("a \(secret.unicodeScalars.first!)\(secret)", in: name))
        let body = before + (try #require(Self.encoded("1\(secret) z", in: name)))
        let plain = try #require(Self.encoded(secret, in: name))
        for count in 0...body.count {
            let masked = Redactor([secret]).bytes(Data(body.prefix(count)), contentType: "text/plain; charset=\(label)")
            #expect(masked.range(of: Data(plain)) == nil)
            #expect(try !Self.decoded(masked, in: name).contains(secret))
        }
    }

    @Test func `a request is kept without what is secret by its name, in the encoding that it names`() throws {
        for (name, type, text) in [
            ("windows-1251", "application/json", #"{"имя":"Ада","password":"журавль"}"#),
            ("cp932", "application/json", #"{"名":"表","password":"パスワード"}"#),
            ("utf-16", "application/json", #"{"имя":"Ада","password":"журавль"}"#),
            ("iso-2022-jp", "application/x-www-form-urlencoded", "名=表&password=パスワード"),
        ] {
            let label = try #require(Self.label(of: name))
            let secret = text.contains("журавль") ? "журавль" : "パスワード"
            let request = Request(
                url: URL(string: "http://h.test/")!, method: .post, headers: [.contentType: "\(type); charset=\(label)"],
                body: .data(Data(try #require(Self.encoded(text, in: name)))))
            let kept = Redaction.standard.kept(Response(originalRequest: request, info: nil, metrics: OperationMetrics()))
            guard case .data(let data) = kept.originalRequest.body else {
                Issue.record("no body")
                return
            }
            #expect(try Self.decoded(data, in: name) == text.replacing(secret, with: "******"))
            #expect(Redaction.standard.credentials(of: request).contains(secret))
        }
        let form = Request(
            url: URL(string: "http://h.test/")!, method: .post,
            headers: [.contentType: "application/x-www-form-urlencoded; charset=windows-1251"],
            body: .data(Data("a=1&password=%E6%F3%F0%E0%E2%EB%FC".utf8)))
        #expect(Redaction.standard.credentials(of: form).contains("журавль"))
    }

    private static func keptBody(_ body: [UInt8], type: String) -> Data? {
        let request = Request(
            url: URL(string: "http://h.test/")!, method: .post, headers: [.contentType: type], body: .data(Data(body)))
        let kept = Redaction.standard.kept(Response(originalRequest: request, info: nil, metrics: OperationMetrics()))
        guard case .data(let data) = kept.originalRequest.body else { return nil }
        return data
    }

    /// The history keeps what was sent.
    @Test(
        arguments: [
            "cp932", "gb18030", "windows-1251", "windows-1258", "utf-16", "utf-16be", "iso-2022-jp", "euc-jp-ms", "windows-1252",
        ])
    func `but for what is secret by its name a request is kept to the byte`(name: String) throws {
        // What means nothing, and characters that have another place in the same encoding.
        let odd: [UInt8] =
            switch name {
            case "cp932": [0xED, 0x40, 0xFF, 0x85]
            case "gb18030": [0x80, 0xFF, 0x81]
            case "windows-1258": [0x61, 0xEC, 0xD2]
            case "utf-16": [0x00, 0xDC, 0x01, 0xD8]
            case "utf-16be": [0xDC, 0x00, 0xD8, 0x01]
            case "iso-2022-jp": Array("\u{1B}$B~~\u{1B}(J\u{1B}(B\u{1B}".utf8)
            default: [0x98, 0xFF, 0x81]
            }
        let before = try #require(Self.encoded(#"{"a":""#, in: name)) + odd
        let label = try #require(Self.label(of: name))
        let body = before + (try #require(Self.encoded(#"","password":"hunter2","pin":1,"pwd":12}"#, in: name)))
        let end = try #require(Self.encoded(#"","password":"******","pin":1,"pwd":"******"}"#, in: name))
        #expect(Self.keptBody(body, type: "application/json; charset=\(label)") == Data(before + end))
    }

    @Test func `a form with a file in it is kept without its password, and is no text`() throws {
        let start = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n"
        let before = Array(start.utf8) + [0xFF, 0xD8, 0x80, 0xC3]
        func end(_ password: String) -> String {
            "\r\n--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(password)\r\n--b--\r\n"
        }
        let type = "multipart/form-data; boundary=b"
        #expect(Self.keptBody(before + Array(end("hunter2").utf8), type: type) == Data(before + Array(end("******").utf8)))
        let json = Array(#"{"a":""#.utf8) + [0xC3] + Array(#"","password":"hunter2"}"#.utf8)
        let masked = Array(#"{"a":""#.utf8) + [0xC3] + Array(#"","password":"******"}"#.utf8)
        #expect(Self.keptBody(json, type: "application/json; charset=utf-8") == Data(masked))
    }

    @Test func `what is secret by its name is masked in the bytes, as a redactor would`() throws {
        for (name, mask) in [("cp932", "******"), ("utf-16", "••••••"), ("iso-2022-jp", "******")] {
            let label = try #require(Self.label(of: name))
            // A byte of the first character is a quote behind its escape.
            let body = try #require(Self.encoded(#"{"名":"表","password":"あいう鍵"}"#, in: name))
            let shown = Redactor().bytes(Data(body), contentType: "application/json; charset=\(label)", hiding: .standard)
            #expect(try Self.decoded(shown, in: name) == #"{"名":"表","password":"\#(mask)"}"#)
        }
    }

    @Test func `a template is filled in in UTF-8, and its mask is read in whatever its request says`() {
        let redactor = Redactor(["журавль"])
        let request = Request(
            url: URL(string: "http://h.test/")!, method: .post, headers: [.contentType: "text/plain; charset=Shift_JIS"],
            body: .data(Data("a журавль b".utf8)))
        guard case .data(let data) = redactor.request(request).body else {
            Issue.record("no body")
            return
        }
        #expect(data == Data("a ****** b".utf8))
    }

    @Test func `browsers' byte of GBK for the euro is read, and found`() throws {
        #expect(try Self.decoded(Data([0x31, 0x80, 0x32]), in: "gbk") == "1€2")
        let masked = Redactor(["100-€uro"]).bytes(
            Data([0x31, 0x30, 0x30, 0x2D, 0x80, 0x75, 0x72, 0x6F]), contentType: "a/b; charset=gbk")
        #expect(masked == Data("******".utf8))
    }
}
