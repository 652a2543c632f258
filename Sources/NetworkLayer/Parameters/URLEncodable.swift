public import Base

/// A value that has a form in a URL. Strings, numbers, booleans, URLs, and arrays and optionals of them have one.
public protocol URLEncodable {
    /// As it stands in a query or a form, not yet percent-encoded: one text for a value, one for each element of a list, none for `nil`.
    var urlTexts: [String] { get }
}

extension String: URLEncodable {
    /// The text itself.
    public var urlTexts: [String] { [self] }
}

extension Substring: URLEncodable {
    /// The text itself.
    public var urlTexts: [String] { [String(self)] }
}

extension URL: URLEncodable {
    /// The absolute form of the URL.
    public var urlTexts: [String] { [absoluteString] }
}

extension Bool: URLEncodable {
    /// `1` or `0`; for a server that reads words, give it `"\(flag)"`.
    public var urlTexts: [String] { [self ? "1" : "0"] }
}

extension Array: URLEncodable where Element: URLEncodable {
    /// Those of the elements.
    public var urlTexts: [String] { flatMap(\.urlTexts) }
}

extension Optional: URLEncodable where Wrapped: URLEncodable {
    /// None for `nil`: the parameter is left out.
    public var urlTexts: [String] { self?.urlTexts ?? [] }
}

extension FixedWidthInteger where Self: URLEncodable {
    /// Decimal digits, with a minus sign where there is one.
    public var urlTexts: [String] { [String(self)] }
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

extension BinaryFloatingPoint where Self: URLEncodable & LosslessStringConvertible {
    /// As few digits as tell it from all others, without a point where there is nothing behind it.
    public var urlTexts: [String] {
        let text = "\(self)"
        return [text.hasSuffix(".0") ? String(text.dropLast(2)) : text]
    }
}

extension Float: URLEncodable {}
extension Double: URLEncodable {}
