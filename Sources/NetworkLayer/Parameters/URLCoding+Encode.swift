extension URLCoding {
    /// How parameters are written (URL-2).
    public struct EncodingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Sorted by key; else in the order in which the parameters come.
        public static let stableOrder = EncodingOptions(rawValue: 1 << 0)
        /// Leaves out parameters whose value is empty.
        public static let discardEmptyValues = EncodingOptions(rawValue: 1 << 1)
        /// `a` instead of `a=`.
        public static let trimEmptyValueDelimiter = EncodingOptions(rawValue: 1 << 2)
        /// Leaves out what has no form in a URL; else it is an error.
        public static let ignoreUnsupported = EncodingOptions(rawValue: 1 << 3)
        /// Writes what has no form in a URL as an empty value; goes before ``ignoreUnsupported``.
        public static let treatUnsupportedAsEmpty = EncodingOptions(rawValue: 1 << 4)
        /// `a=1&a=2` instead of `a=1,2`.
        public static let duplicateEntriesForArrayValues = EncodingOptions(rawValue: 1 << 5)
        /// `true` and `false` instead of `1` and `0`.
        public static let encodeBooleanNumbersAsTrueOrFalse = EncodingOptions(rawValue: 1 << 6)
    }

    public static func encode(_ parameters: [String: Any?], options: EncodingOptions = []) throws(URLCodingError) -> String {
        try encode(parameters.map { ($0.key, $0.value) }, options: options)
    }

    /// Keys and values percent-encoded, joined by `=` and `&`. Keys may repeat.
    public static func encode(_ parameters: [(String, Any?)], options: EncodingOptions = []) throws(URLCodingError) -> String {
        var entries: [String] = []
        let ordered = options.contains(.stableOrder) ? stablySorted(parameters) : parameters
        for (key, value) in ordered {
            guard !key.isEmpty else { throw .emptyKey(at: key) }
            guard let texts = try texts(of: value, at: key, options: options) else { continue }
            let encoded = texts.map(percentEncoded)
            let values = options.contains(.duplicateEntriesForArrayValues) ? encoded : [encoded.joined(separator: ",")]
            for value in values {
                if value.isEmpty, options.contains(.discardEmptyValues) { continue }
                let delimiter = value.isEmpty && options.contains(.trimEmptyValueDelimiter) ? "" : "="
                entries.append(percentEncoded(key) + delimiter + value)
            }
        }
        return entries.joined(separator: "&")
    }

    private static func stablySorted(_ parameters: [(String, Any?)]) -> [(String, Any?)] {
        parameters.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    }

    /// What a value is written as, not yet percent-encoded: one text, or one for each element of an array, at least one.
    ///
    /// - Returns: `nil` when it is to be left out.
    static func texts(of value: Any?, at key: String, options: EncodingOptions) throws(URLCodingError) -> [String]? {
        if case .list(let elements) = (value as? any URLEncodable)?.urlValue {
            var texts: [String] = []
            for element in elements {
                guard let text = try text(of: element, at: key, options: options) else { continue }
                if text.isEmpty, options.contains(.discardEmptyValues) { continue }
                texts.append(text)
            }
            return texts.isEmpty ? [""] : texts
        }
        return try text(of: value, at: key, options: options).map { [$0] }
    }

    private static func text(of value: Any?, at key: String, options: EncodingOptions) throws(URLCodingError) -> String? {
        guard let value else { return "" }
        switch (value as? any URLEncodable)?.urlValue {
        case .empty: return ""
        case .text(let text): return text
        case .boolean(let isTrue):
            if options.contains(.encodeBooleanNumbersAsTrueOrFalse) { return isTrue ? "true" : "false" }
            return isTrue ? "1" : "0"
        case .list, nil:
            if options.contains(.treatUnsupportedAsEmpty) { return "" }
            if options.contains(.ignoreUnsupported) { return nil }
            throw .unsupported(value, at: key)
        }
    }
}
