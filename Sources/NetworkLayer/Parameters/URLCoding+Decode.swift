extension URLCoding {
    /// How parameters are read (URL-3).
    public struct DecodingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Leaves out keys whose value is empty.
        public static let omitEmptyValues = DecodingOptions(rawValue: 1 << 0)
        /// Keeps all values of a key that repeats; else the last one wins.
        public static let combineRepeatingKeysIntoArray = DecodingOptions(rawValue: 1 << 1)
        /// Takes `+` for itself; else it is a space.
        public static let preservePluses = DecodingOptions(rawValue: 1 << 2)
    }

    /// One value, or with ``DecodingOptions/combineRepeatingKeysIntoArray`` those of a key that repeats, in order.
    public enum DecodedValue: Sendable, Hashable {
        case one(String)
        case many([String])
    }

    /// Splits at `&`, then at the first `=`. Pieces with an empty key are dropped; a key without `=` has an empty value.
    public static func decode(_ text: some StringProtocol, options: DecodingOptions = []) -> [String: DecodedValue] {
        var values: [String: DecodedValue] = [:]
        for (key, value) in pairs(in: text, options: options) {
            guard options.contains(.combineRepeatingKeysIntoArray) else {
                values[key] = .one(value)
                continue
            }
            switch values[key] {
            case nil: values[key] = .one(value)
            case .one(let first): values[key] = .many([first, value])
            case .many(let others): values[key] = .many(others + [value])
            }
        }
        return values
    }

    static func pairs(in text: some StringProtocol, options: DecodingOptions = []) -> [(key: String, value: String)] {
        text.split(separator: "&").compactMap { piece in
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { percentDecoded($0, preservesPluses: options.contains(.preservePluses)) }
            guard !decoded[0].isEmpty else { return nil }
            let value = decoded.count > 1 ? decoded[1] : ""
            return value.isEmpty && options.contains(.omitEmptyValues) ? nil : (decoded[0], value)
        }
    }
}
