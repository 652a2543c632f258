import Foundation
import Testing

@testable import RequestCollections

@Suite struct ValueStepTests {
    private func applied(_ steps: [String], to value: JSONValue) -> String {
        var context = MatchContext()
        do {
            return try steps.map(ValueStep.init).applied(to: .json(value), &context)?.text(pretty: false) ?? "nothing"
        } catch let error as ValueStepError {
            return "! \(error.message)"
        } catch {
            return "!! \(error)"
        }
    }

    @Test(arguments: [
        (["base64"], "aGk=", #""hi""#), (["base64"], "aGk", #""hi""#), (["base64"], "a\nGk=", #""hi""#),
        (["base64url"], "PDw_Pz8-Pg", #""<<???>>""#), (["unhex"], "68:69", #""hi""#), (["unhex", "hex"], "fFfe", #""fffe""#),
        (["url"], "a%20b+c%C3%A9", #""a b cé""#),
        (["html"], "a &gt; &#98; &#x63; &copy; &nope; &amp;lt;", #""a > b c © &nope; &lt;""#),
        (["json", ".a[1]"], #"{"a":[1,9007199254740993]}"#, "9007199254740993"),
        (["jwt", ".sub"], "e30.eyJzdWIiOiJhZGEifQ.x", #""ada""#),
        (["hex"], "hi", #""6869""#), (["md5"], "hi", #""49f68a5c8493ec2c0bf489821c21fc3b""#),
        (["sha256"], "", #""e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#),
        (["sha1"], "hi", #""c22b5f9178342609428d6f51b2c5af4c0bde6a42""#),
        (["number"], " 042 ", "42"), (["text"], "a", #""a""#), (["trim"], " a\n", #""a""#), (["upper"], "a", #""A""#),
        (["lower"], "Ä", #""ä""#), (["lines"], "a\r\nb\n", #"["a","b"]"#), (["lines", "count"], "", "0"),
        (["split ;", "nth -1"], "a;b;c", #""c""#), (["split ;", "nth 3"], "a;b;c", "nothing"),
        (["split ;", "first"], "a;b", #""a""#), (["split ;", "unique", "count"], "a;b;a", "2"),
        (["split ,", "sort"], "b,a", #"["a","b"]"#), (["json", "sort"], #"[10,9,"a",2]"#, #"[2,9,10,"a"]"#),
        (["/id=(\\d+)/", "number"], "?id=7", "7"), (["/ID=/i"], "?id=7", #""id=""#), (["/x(y)?/"], "x", "nothing"),
        (["param q"], "http://h/?a=1&q=a%20b#f", #""a b""#), (["param q"], "http://h/?a=1", "nothing"),
        (["param charset"], "text/html; Charset=\"utf-8\"", #""utf-8""#),
        (["base64", "gunzip"], "H4sICAAAAAAC/3guanNvbgCrVkpUslLKyFRAQkq1AF4zDkoWAAAA", #""{\"a\":\"hi hi hi hi hi\"}""#),
        (["base64", "gunzip", "json", ".a"], "H4sICAAAAAAC/3guanNvbgCrVkpUslLKyFRAQkq1AF4zDkoWAAAA", #""hi hi hi hi hi""#),
        // Two members; a block that isn't compressed; one with codes of its own.
        (["base64", "gunzip"], "H4sIAAAAAAAC/0tMAgBtSIOeAgAAAB+LCAAAAAAAAv9LTgEA2o/WRQIAAAA=", #""abcd""#),
        (["base64", "gunzip"], "H4sIAAAAAAAEAwEGAPn/c3RvcmVkC/lDVgYAAAA=", #""stored""#),
        (["base64", "gunzip", "md5"], Self.ownCodes, #""a3ab182a0955b097f9914cd5717b27ab""#),
        (["base64", "to-base64"], "aGk", #""aGk=""#), (["base64url", "to-base64url"], "PDw_Pz8-Pg", #""PDw_Pz8-Pg""#),
        (["to-url"], "https://h/?x=a b&é~", #""https%3A//h/%3Fx%3Da%20b%26%C3%A9~""#),
        (["to-html", "html"], "a > \"b\" && 'c'", #""a > \"b\" && 'c'""#), (["to-html"], "a < b", #""a &lt; b""#),
        (["date %d.%m.%Y %H:%M"], "2026-11-22T12:00:00+02:00", #""22.11.2026 10:00""#),
        (["base64", "charset gb2312"], "xOO6ww==", #""你好""#),
        (["date"], "Sun, 22 Nov 2026 10:00:00 GMT", #""2026-11-22T10:00:00Z""#),
        (["date"], "2026-11-22T12:00:00.5+02:00", #""2026-11-22T10:00:00.500Z""#),
    ])
    func `steps take a text apart`(steps: [String], text: String, found: String) {
        #expect(applied(steps, to: .string(text)) == found)
    }

    /// By zlib, of text that is long enough for codes of its own.
    private static let ownCodes = """
        H4sIAAAAAAAC/+3Q65KBYAAA0JfImkVFSFNRFGbHpRTVUCSFHSQa5VIm8v6zT7H/vvMIB8qzdsU3p9aNdocUzqqRgD4fEL3Cr1vH+xahraasYv4xFwQ9ZMPZ\
        cKjfWndTHtuvHrRbWGdUr8Z+8NXxB3ihyK2KB2Ugr78ULA4iVHovenxv+RmXk3tK6Ig7U82QPgoNkjdShchCxR+vnb2GKe2QT+8Y1Uw8ct2YsMjEv3zYPZ9L\
        3iUxmtSxaneNuUp/tEpHhcD1M91Aqlcp8dxMdvb+xV1khmxp8RCOwqSmI9586sStUOu2xd+i0yXwlgFNGyhCq4lKwQitpVOmXOGWebvHNCWPCgxJ2WRkODic\
        Uu7Ux2Gss6n6xkT3ShaTg0ARKAJFoAgUgSJQBIpAESgCRaAIFIGi/y76A27iWUmgDwAA
        """

    @Test(arguments: [
        (
            ["base64", "gunzip"], #""H4sIAAAAAAAC/8tIzcnJBwCGphA3BQAAAA==""#,
            "! `gunzip` found a wrong checksum: some of the bytes have changed"
        ),
        (["base64", "gunzip"], #""H4sIAAAAAAAC/8tIzcnJV8hAkA==""#, "! `gunzip` comes to no end: some of the bytes are missing"),
        (["gunzip"], #""hi""#, "! `gunzip` takes bytes in that format, and these are none"),
        (["base64"], #""%%""#, "! `base64` takes a text in that code, and this is none"),
        (["base64"], #""/w==""#, "! 1 bytes that are no text; `hex`, `sha256` or `charset` makes one of them"),
        (["unhex"], #""abc""#, "! `unhex` takes pairs of hexadecimal digits, and this has something else"),
        (["jwt"], #""a.b""#, "! `jwt` takes a token of three parts, and this has 2"),
        (["json"], #""{""#, "! `json` takes JSON, and this is none"),
        (["number"], #""x""#, "! `number` takes a number, and this is the text \"x\""),
        (["first"], #""x""#, "! `first` takes a list, and this is the text \"x\""),
        (["lower"], "[1]", "! `lower` takes a text, and this is a list of 1"),
        (["date"], "12", "! `date` takes a date, and this is the number 12"),
        (["charset x-nope"], #""x""#, "! `x-nope` is no encoding that this system knows"),
    ])
    func `a step says what it can't take`(steps: [String], json: String, message: String) throws {
        let value = try #require(JSONParser.parse(json))
        #expect(applied(steps, to: value) == message)
    }

    @Test(arguments: [
        ("bas64", "`bas64` is no step; did you mean `base64`?"), (".a | length", "`.a | length` is more than a path"),
        ("nth", "`nth` is no step"), ("/(/", "`/(/` isn't a regular expression"),
        ("date Y", "`date` takes a pattern such as `%Y-%m-%d`, not `Y`"), ("date %Q", "`date` takes a pattern"),
    ])
    func `what is no step is refused`(text: String, beginning: String) {
        #expect { _ = try ValueStep(text) } throws: { ($0 as? MatcherError)?.message.hasPrefix(beginning) == true }
    }

    @Test func `zeros behind the end of gzip say nothing`() throws {
        let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
        #expect(try Gzip.plain(packed) == Data("hello".utf8))
        #expect(try Gzip.plain(packed + Data(count: 512)) == Data("hello".utf8))
        #expect(throws: GzipError.self) { try Gzip.plain(packed + Data(count: 512) + Data([1])) }
    }

    @Test func `a few bytes that stand for a thousand times as many are refused`() {
        // Of its 1,030 bytes each copies 258 of those before.
        var bits: [UInt8] = [1, 1, 0]
        func add(_ value: Int, _ count: Int) { for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) } }
        add(0x30 + 97, 8)
        // 258 (285: eight bits), of what is 1 back (0: five bits).
        for _ in 0..<1_000 {
            add(0b1100_0101, 8)
            add(0, 5)
        }
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for start in stride(from: 0, to: bits.count, by: 8) {
            bytes.append(bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | $1.element << UInt8($1.offset) })
        }
        let data = Data(bytes + [UInt8](repeating: 0, count: 8))
        #expect(throws: GzipError(message: "would make more than 0 MiB")) { try Gzip.plain(data, limit: 100_000) }
        // As far as it goes it is one letter.
        #expect(throws: GzipError.self) { try Gzip.plain(data) }
    }

    @Test(arguments: [
        "base64", "nth -2", "split  ", "param a b", "charset gb2312", ".a[0]", "/x(y)/i", "date %H:%M", "to-base64url",
    ])
    func `a step is written as it was read`(text: String) throws {
        #expect(try ValueStep(text).description == text)
    }

    // MARK: Dates

    @Test(arguments: [
        ("1970-01-01", 0), ("2026-11-22", 1_795_305_600), ("2000-02-29T00:00Z", 951_782_400), ("1969-12-31T23:59:59Z", -1),
        ("2026-11-22T12:00:00+02:00", 1_795_341_600), ("2026-11-22 10:00:00", 1_795_341_600),
        ("2026-11-22T10:00:00z", 1_795_341_600),
        ("1998-12-31T23:59:60Z", 915_148_799), ("Sun, 22 Nov 2026 10:00:00 GMT", 1_795_341_600),
    ])
    func `dates are read in the forms that servers write`(text: String, seconds: Double) {
        #expect(DateText.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "2026-13-01", "2026-02-29", "2026-11-22T24:00Z", "2026-11-22T10:00+2", "22.11.2026", "", "now", "2026-11-22x", "12",
    ])
    func `what is no date isn't one`(text: String) {
        #expect(DateText.parse(text) == nil)
    }

    @Test func `a date may be so far from now`() {
        let now = Date(timeIntervalSince1970: 1000)
        #expect(DateText.parse("now", now: now) == now)
        #expect(DateText.parse("now + 1m", now: now)?.timeIntervalSince1970 == 1060)
        #expect(DateText.parse("now-10s", now: now)?.timeIntervalSince1970 == 990)
        #expect(DateText.parse("now + x", now: now) == nil)
        #expect(DateText.parse("nowhere", now: now) == nil)
    }
}
