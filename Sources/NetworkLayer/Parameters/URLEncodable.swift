public import Base

/// A value that has a form in a URL. Strings, numbers, booleans, URLs, and arrays and optionals of them have one.
public protocol URLEncodable {
    /// Not yet percent-encoded; `nil`: this very value has none, and counts as unsupported.
    var urlValue: URLValue? { get }
}

/// What a ``URLEncodable`` stands for.
public enum URLValue {
    /// A name with no value, which some options leave out.
    case empty
    /// As it is, not yet percent-encoded.
    case text(String)
    /// `1` or `0`, or `true` or `false`, as the options say.
    case boolean(Bool)
    /// The name once for each of these, which are ``URLEncodable`` or unsupported.
    case list([Any])
}

/// A boolean that is always written `true` or `false`, whatever the options say. TNL's `TNLBoolean`.
public struct URLBoolean: URLEncodable, Sendable, Hashable, ExpressibleByBooleanLiteral {
    /// What is written as `true` or `false`.
    public var value: Bool

    /// A boolean for a server that doesn't read `1` and `0`.
    public init(_ value: Bool) { self.value = value }

    public init(booleanLiteral value: Bool) { self.value = value }

    public var urlValue: URLValue? { .text(value ? "true" : "false") }
}

extension String: URLEncodable {
    /// The text itself; an empty one is ``URLValue/empty``.
    public var urlValue: URLValue? { isEmpty ? .empty : .text(self) }
}

extension Substring: URLEncodable {
    /// As for `String`.
    public var urlValue: URLValue? { String(self).urlValue }
}

extension URL: URLEncodable {
    /// The absolute form of the URL.
    public var urlValue: URLValue? { .text(absoluteString) }
}

extension Bool: URLEncodable {
    /// ``URLValue/boolean(_:)``: the options decide between digits and words.
    public var urlValue: URLValue? { .boolean(self) }
}

extension Array: URLEncodable {
    /// The elements, whether they have a form in a URL or not: the encoder finds that out.
    public var urlValue: URLValue? { .list(self) }
}

extension Optional: URLEncodable {
    /// ``URLValue/empty`` for `nil`; otherwise the wrapped value's form, or `nil` when it has none.
    public var urlValue: URLValue? {
        switch self {
        case nil: .empty
        case let value?: (value as? any URLEncodable)?.urlValue
        }
    }
}

extension FixedWidthInteger where Self: URLEncodable {
    /// Decimal digits, with a minus sign where there is one.
    public var urlValue: URLValue? { .text(String(self)) }
}

extension Int: URLEncodable {}
extension Int8: URLEncodable {}
extension Int16: URLEncodable {}
extension Int32: URLEncodable {}
extension Int64: URLEncodable {}
extension UInt: URLEncodable {}
extension UInt8: URLEncodable {}
extension UInt16: URLEncodable {}
extension UInt32: URLEncodable {}
extension UInt64: URLEncodable {}

extension Float: URLEncodable {
    /// C's `%.7g`; infinities and NaN have no form.
    public var urlValue: URLValue? { isFinite ? .text(Double(self).general(digits: 7)) : nil }
}

extension Double: URLEncodable {
    /// C's `%.16g`; infinities and NaN have no form.
    public var urlValue: URLValue? { isFinite ? .text(general(digits: 16)) : nil }

    /// C's `%.*g`, with a point in every locale.
    fileprivate func general(digits: Int) -> String {
        // Sign, digits, point and exponent.
        var buffer = [CChar](repeating: 0, count: digits + 16)
        let count = withVaList([Int32(digits), self]) { vsnprintf(&buffer, buffer.count, "%.*g", $0) }
        let isNumberByte: (UInt8) -> Bool = { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "e")
        }
        var hasPoint = false
        let bytes = buffer.prefix(Int(count)).compactMap { character -> UInt8? in
            let byte = UInt8(bitPattern: character)
            if isNumberByte(byte) { return byte }
            defer { hasPoint = true }
            return hasPoint ? nil : UInt8(ascii: ".")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
