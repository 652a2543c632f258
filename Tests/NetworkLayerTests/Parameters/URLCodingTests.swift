import FoundationEssentials
import NetworkLayer
import Testing

@Suite struct URLCodingTests {
    // MARK: Percent-encoding and numbers

    @Test(arguments: [
        ("", ""), ("azAZ09-._~", "azAZ09-._~"), (" ", "%20"), ("+", "%2B"), ("a&b=c", "a%26b%3Dc"), ("100%", "100%25"),
        ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"), ("!*'();:@,/?#[]$", "%21%2A%27%28%29%3B%3A%40%2C%2F%3F%23%5B%5D%24"),
    ])
    func `URL-1 all but letters, digits and -._~ is percent-encoded`(text: String, encoded: String) {
        #expect(URLCoding.percentEncoded(text) == encoded)
        #expect(URLCoding.percentDecoded(encoded) == text)
    }

    @Test func `URL-1 bytes that are no text are encoded too, and other bytes can be kept`() {
        #expect(URLCoding.percentEncoded([0xFF, 0x61, 0x00]) == "%FFa%00")
        #expect(URLCoding.percentEncoded("a.b c".utf8) { $0 == UInt8(ascii: "a") || $0 == UInt8(ascii: " ") } == "a%2E%62 %63")
    }

    @Test(arguments: [("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("a%2fb", "a/b"), ("%41", "A"), ("%%41", "%A"), ("a+b", "a+b")])
    func `URL-1 what isn't percent-encoded stays as it is`(text: String, decoded: String) {
        #expect(URLCoding.percentDecoded(text) == decoded)
    }

    @Test(arguments: [
        ("http://h/echo?f[0]=a%20b", "http://h/echo?f%5B0%5D=a%20b"), ("/echo?f[0]=a%20b", "/echo?f%5B0%5D=a%20b"),
        ("http://h/p[0]/a%20b?x={}%41#f[%42]#", "http://h/p%5B0%5D/a%20b?x=%7B%7D%41#f%5B%42%5D%23"),
        ("http://h/100%?q=%zz%2F", "http://h/100%25?q=%25zz%2F"), ("http://h/a b/ü?x=^%5E", "http://h/a%20b/%C3%BC?x=%5E%5E"),
        ("http://[::1]:80/[", "http://[::1]:80/%5B"), ("http://u[@:%5B@h/", "http://u%5B%40:%5B@h/"),
        ("//h/[%41]", "//h/%5B%41%5D"),
        ("a//b[%41]", "a//b%5B%41%5D"), ("?a[%41]", "?a%5B%41%5D"), ("\t%41", "%09%41"), ("", ""), ("http://h", "http://h"),
        ("http://h/!$&'()*+,;=:@-._~%00?/?", "http://h/!$&'()*+,;=:@-._~%00?/?"),
    ])
    func `URL-1 nothing of a URL is encoded twice`(text: String, completed: String) {
        #expect(URLCoding.completed(text) == completed)
        // So that Foundation finds nothing to repair.
        #expect(URL(string: completed)?.absoluteString == completed || completed.isEmpty)
        #expect(URLCoding.completed(completed) == completed)
    }

    @Test(
        arguments: [
            (0.1 as Float, "a=0.1"), (1e10 as Float, "a=1e%2B10"), (16_777_216 as Float, "a=1.677722e%2B07"),
            (0.1 as Double, "a=0.1"),
            (1.0 / 3 as Double, "a=0.3333333333333333"), (-2.5 as Double, "a=-2.5"), (100 as Double, "a=100"),
            (1e300 as Double, "a=1e%2B300"), (Int.min, "a=-9223372036854775808"), (UInt64.max, "a=18446744073709551615"),
            (Int8(-1), "a=-1"),
        ] as [(any URLEncodable & Sendable, String)])
    func `URL-1 numbers are written in 7 and 16 digits`(number: any URLEncodable & Sendable, text: String) throws {
        #expect(try URLCoding.encode(["a": number]) == text)
    }

    @Test func `URL-1 a boolean is 1 or 0, or true or false where it is asked for`() throws {
        let parameters: [(String, Any?)] = [("a", true), ("b", false), ("c", URLBoolean(true)), ("d", false as URLBoolean)]
        #expect(try URLCoding.encode(parameters) == "a=1&b=0&c=true&d=false")
        #expect(
            try URLCoding.encode(parameters, options: .encodeBooleanNumbersAsTrueOrFalse) == "a=true&b=false&c=true&d=false")
    }

    // MARK: Encoding

    private struct Opaque {}
    private struct Point: URLEncodable {
        var urlValue: URLValue? { .text("1;2") }
    }

    private static var parameters: [(String, Any?)] { [("b", "x y"), ("a", ""), ("c", [1, 2]), ("d", nil)] }

    @Test(
        arguments: [
            ([], "b=x%20y&a=&c=1,2&d="), (.stableOrder, "a=&b=x%20y&c=1,2&d="), (.discardEmptyValues, "b=x%20y&c=1,2"),
            (.trimEmptyValueDelimiter, "b=x%20y&a&c=1,2&d"), (.duplicateEntriesForArrayValues, "b=x%20y&a=&c=1&c=2&d="),
            ([.stableOrder, .trimEmptyValueDelimiter, .duplicateEntriesForArrayValues], "a&b=x%20y&c=1&c=2&d"),
            ([.discardEmptyValues, .trimEmptyValueDelimiter], "b=x%20y&c=1,2"),
        ] as [(URLCoding.EncodingOptions, String)])
    func `URL-2 the options of encoding`(options: URLCoding.EncodingOptions, text: String) throws {
        #expect(try URLCoding.encode(Self.parameters, options: options) == text)
    }

    @Test(
        arguments: [
            (.ignoreUnsupported, "a=1&c=2"), (.treatUnsupportedAsEmpty, "a=1&b=&c=,2"),
            ([.ignoreUnsupported, .treatUnsupportedAsEmpty], "a=1&b=&c=,2"),
            ([.treatUnsupportedAsEmpty, .discardEmptyValues], "a=1&c=2"),
        ] as [(URLCoding.EncodingOptions, String)])
    func `URL-2 what has no form in a URL can be left out or be empty`(options: URLCoding.EncodingOptions, text: String) throws {
        let parameters: [(String, Any?)] = [("a", 1), ("b", Opaque()), ("c", [Opaque(), 2] as [Any])]
        #expect(try URLCoding.encode(parameters, options: options) == text)
    }

    @Test func `URL-2 what has no form in a URL is an error that names it`() {
        for value in [Opaque(), Double.nan, ["x": 1], [[1]]] as [Any] {
            #expect { try URLCoding.encode(["spot": value]) } throws: { error in
                let error = error as? URLCodingError
                return error?.code == .unsupportedValue && error?.key == "spot"
            }
        }
        #expect {
            try URLCoding.encode(["spot": Opaque()])
        } throws: {
            "\($0)"
                == "The parameter \"spot\" is of type Opaque, which has no form in a URL; make the type URLEncodable, or choose to ignore such values."
        }
    }

    @Test func `URL-2 a type of one's own says what it stands for`() throws {
        #expect(try URLCoding.encode(["at": Point()]) == "at=1%3B2")
        #expect(try URLCoding.encode(["at": Optional(Point())]) == "at=1%3B2")
    }

    @Test func `URL-2 an empty array is an empty value`() throws {
        #expect(try URLCoding.encode(["a": [Int]()]) == "a=")
        #expect(try URLCoding.encode(["a": [Int]()], options: .duplicateEntriesForArrayValues) == "a=")
        #expect(try URLCoding.encode(["a": [Int]()], options: .discardEmptyValues) == "")
    }

    @Test func `URL-2 keys are encoded too, and must not be empty`() throws {
        #expect(try URLCoding.encode(["a b&": 1]) == "a%20b%26=1")
        #expect(throws: URLCodingError.self) { try URLCoding.encode(["": 1]) }
    }

    // MARK: Decoding

    @Test(
        arguments: [
            ("", [], [:]), ("a=1", [], ["a": .one("1")]), ("a=1=2", [], ["a": .one("1=2")]), ("a", [], ["a": .one("")]),
            ("a=", [], ["a": .one("")]), ("=1&a=2&&", [], ["a": .one("2")]), ("a=1&a=2", [], ["a": .one("2")]),
            ("a=x+y%2B", [], ["a": .one("x y+")]), ("a=x+y", .preservePluses, ["a": .one("x+y")]),
            ("a=&b&c=1", .omitEmptyValues, ["c": .one("1")]),
            ("a=1&b=2&a=3&a=", .combineRepeatingKeysIntoArray, ["a": .many(["1", "3", ""]), "b": .one("2")]),
            ("a=1&a=&a=3", [.combineRepeatingKeysIntoArray, .omitEmptyValues], ["a": .many(["1", "3"])]),
            ("a%20b=%E2%82%AC", [], ["a b": .one("€")]),
        ] as [(String, URLCoding.DecodingOptions, [String: URLCoding.DecodedValue])])
    func `URL-3 the options of decoding`(
        text: String, options: URLCoding.DecodingOptions, values: [String: URLCoding.DecodedValue]
    ) {
        #expect(URLCoding.decode(text, options: options) == values)
    }
}
