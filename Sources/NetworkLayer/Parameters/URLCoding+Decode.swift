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
        /// The value of a key that came once, or the last one.
        case one(String)
        /// At least two, in the order in which they came.
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
        func decoded(_ text: Substring) -> String { percentDecoded(text, preservesPluses: options.contains(.preservePluses)) }
        return text.pieces(at: "&").compactMap { piece in
            let halves = piece.halves(at: "=") ?? (piece, "")
            let (key, value) = (decoded(halves.before), decoded(halves.behind))
            guard !key.isEmpty else { return nil }
            return value.isEmpty && options.contains(.omitEmptyValues) ? nil : (key, value)
        }
    }
}
