import Base
import NetworkLayer

/// A value as JSON without secrets, that can still be decoded: every text is redacted by itself, and bytes before they are base64.
///
/// One pass over the value, straight into the bytes: Foundation's encoder makes a tree of it first, which costs a run some twenty times
/// as much. What it writes is what `JSONDecoder` reads: dates are seconds since 2001, bytes are base64, URLs are texts.
final class RecordEncoder {
    private static let mask = "******"

    private let redactor: Redactor
    // One thread has it, and nobody reads it while it grows; the runtime's checks of that would take a fifth of the time.
    @exclusivity(unchecked) fileprivate var bytes: [UInt8] = []
    /// What ends the objects and lists that are open, the innermost last.
    @exclusivity(unchecked) fileprivate var closers: [UInt8] = []
    /// How many were open where the current value began.
    @exclusivity(unchecked) private var depth = 0

    private init(_ redactor: Redactor) {
        self.redactor = redactor
        bytes.reserveCapacity(4 << 10)
    }

    static func text(_ value: some Encodable, _ redactor: Redactor) throws -> String {
        let encoder = RecordEncoder(redactor)
        try encoder.encode(value)
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    // MARK: Objects and lists

    /// Begins the object or list of the current value, unless it has begun.
    ///
    /// - Returns: how many are open with it.
    fileprivate func open(_ opener: UInt8) -> Int {
        if closers.count == depth { begin(opener) }
        return depth + 1
    }

    fileprivate func begin(_ opener: UInt8) {
        bytes.append(opener)
        // `{` is two before `}`, and `[` before `]`.
        closers.append(opener + 2)
    }

    fileprivate func close(to count: Int) {
        while closers.count > count, let closer = closers.popLast() { bytes.append(closer) }
    }

    /// Makes room for the next element of what is open at this depth.
    fileprivate func separate(_ depth: Int) {
        close(to: depth)
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
    }

    fileprivate func key(_ key: some CodingKey, _ depth: Int) {
        separate(depth)
        quote(key.stringValue)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    fileprivate func encode<Value: Encodable>(_ value: Value) throws {
        // Types are compared, not cast: a cast is a search.
        if Value.self == String.self {
            write(value as! String)
        } else if Value.self == Data.self {
            quote(redactor.bytes(value as! Data).base64EncodedString())
        } else if Value.self == URL.self {
            write((value as! URL).absoluteString)
        } else if Value.self == Date.self {
            try write((value as! Date).timeIntervalSinceReferenceDate)
        } else {
            let (outer, own, start) = (depth, closers.count, bytes.count)
            depth = own
            try value.encode(to: self)
            if bytes.count == start { begin(UInt8(ascii: "{")) }
            close(to: own)
            depth = outer
        }
    }

    fileprivate func write(_ text: String) {
        // Header fields and URLs take ASCII alone.
        quote(redactor.isEmpty ? text : redactor.text(text).replacing(scalars: Redactor.mask, with: Self.mask))
    }

    fileprivate func write(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "it is no number in JSON"))
        }
        bytes += number.description.utf8
    }

    fileprivate func write(number: some BinaryInteger) {
        bytes += number.description.utf8
    }

    fileprivate func write(_ value: Bool) {
        bytes += (value ? "true" : "false").utf8
    }

    fileprivate func writeNull() {
        bytes += "null".utf8
    }

    /// As RFC 8259, section 7, wants it.
    private func quote(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            var copied = 0
            for index in text.indices {
                let byte = text[index]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes += UnsafeBufferPointer(rebasing: text[copied..<index])
                copied = index + 1
                escape(byte)
            }
            bytes += UnsafeBufferPointer(rebasing: text[copied...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            bytes += (digits.utf8.count == 1 ? "u000" : "u00").utf8
            bytes += digits.utf8
        default: bytes.append(byte)
        }
    }
}

extension RecordEncoder: Encoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RecordObject(encoder: self, depth: open(UInt8(ascii: "{"))))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RecordList(encoder: self, depth: open(UInt8(ascii: "["))) }

    func singleValueContainer() -> any SingleValueEncodingContainer { RecordScalar(encoder: self) }

    /// What a class above writes of itself.
    fileprivate func above() -> any Encoder {
        depth = closers.count
        return self
    }
}

private struct RecordObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        encoder.key(key, depth)
        encoder.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) {
        encoder.key(key, depth)
        encoder.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        encoder.key(key, depth)
        encoder.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        encoder.key(key, depth)
        try encoder.write(value)
    }

    func encode(_ value: Int, forKey key: Key) { number(value, key) }
    func encode(_ value: Int64, forKey key: Key) { number(value, key) }

    /// All others, the rarer kinds of numbers among them.
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        encoder.key(key, depth)
        try encoder.encode(value)
    }

    private func number(_ value: some BinaryInteger, _ key: Key) {
        encoder.key(key, depth)
        encoder.write(number: value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder.key(key, depth)
        encoder.begin(UInt8(ascii: "{"))
        return KeyedEncodingContainer(RecordObject<Nested>(encoder: encoder, depth: depth + 1))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.key(key, depth)
        encoder.begin(UInt8(ascii: "["))
        return RecordList(encoder: encoder, depth: depth + 1)
    }

    func superEncoder() -> any Encoder {
        encoder.key(RecordKey(stringValue: "super"), depth)
        return encoder.above()
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder.key(key, depth)
        return encoder.above()
    }
}

private struct RecordKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct RecordList: UnkeyedEncodingContainer {
    let encoder: RecordEncoder
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(encoder: RecordEncoder, depth: Int) {
        self.encoder = encoder
        self.depth = depth
    }

    private mutating func next() {
        encoder.separate(depth)
        count += 1
    }

    mutating func encodeNil() {
        next()
        encoder.writeNull()
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        next()
        try encoder.encode(value)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        next()
        encoder.begin(UInt8(ascii: "{"))
        return KeyedEncodingContainer(RecordObject<Key>(encoder: encoder, depth: depth + 1))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next()
        encoder.begin(UInt8(ascii: "["))
        return RecordList(encoder: encoder, depth: depth + 1)
    }

    mutating func superEncoder() -> any Encoder {
        next()
        return encoder.above()
    }
}

private struct RecordScalar: SingleValueEncodingContainer {
    let encoder: RecordEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.writeNull() }
    func encode(_ value: Bool) { encoder.write(value) }
    func encode(_ value: String) { encoder.write(value) }
    func encode(_ value: Double) throws { try encoder.write(value) }
    func encode(_ value: Float) throws { try encoder.write(Double(value)) }
    func encode(_ value: Int) { encoder.write(number: value) }
    func encode(_ value: Int8) { encoder.write(number: value) }
    func encode(_ value: Int16) { encoder.write(number: value) }
    func encode(_ value: Int32) { encoder.write(number: value) }
    func encode(_ value: Int64) { encoder.write(number: value) }
    func encode(_ value: UInt) { encoder.write(number: value) }
    func encode(_ value: UInt8) { encoder.write(number: value) }
    func encode(_ value: UInt16) { encoder.write(number: value) }
    func encode(_ value: UInt32) { encoder.write(number: value) }
    func encode(_ value: UInt64) { encoder.write(number: value) }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
}
