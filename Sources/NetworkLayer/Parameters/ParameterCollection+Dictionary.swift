extension ParameterCollection {
    /// How a dictionary becomes parameters. With `["b": 2, "a": 1]`:
    ///
    /// | form              | parameters         |
    /// |-------------------|--------------------|
    /// | keysDirectly      | `a=1&b=2`          |
    /// | urlEncoded("k")   | `k=a%3D1%26b%3D2`  |
    /// | jsonEncoded("k")  | `k={"a":1,"b":2}`, percent-encoded when it is written |
    /// | dotted("k")       | `k.a=1&k.b=2`      |
    public enum DictionaryForm: Sendable, Hashable {
        /// A parameter for each key.
        case keysDirectly
        /// All of it, encoded, as the value of one parameter.
        case urlEncoded(String)
        /// All of it as JSON, keys sorted, as the value of one parameter; a `nil` is `null`.
        case jsonEncoded(String)
        /// A parameter for each value, also of the dictionaries in it.
        case dotted(String)
    }

    /// Adds a dictionary; where a value is `nil`, the parameter is taken out.
    ///
    /// - Throws: for an empty name, or a value that has no form in a URL; then the collection is as it was.
    public mutating func add(
        _ dictionary: [String: Any?], as form: DictionaryForm = .keysDirectly, to part: Part = .query,
        options: URLCoding.EncodingOptions = []
    ) throws(URLCodingError) {
        var changed = self
        switch form {
        case .keysDirectly:
            for (key, value) in dictionary { try changed.set(value, at: key, part, options) }
        case .urlEncoded(let key):
            guard !key.isEmpty else { throw .emptyKey(at: key) }
            let present = dictionary.filter { $0.value != nil }
            changed[key, part] = try URLCoding.encode(present, options: options.union(.stableOrder))
        case .jsonEncoded(let key):
            guard !key.isEmpty else { throw .emptyKey(at: key) }
            changed[key, part] = try JSONText.of(dictionary, at: key)
        case .dotted(let key):
            guard !key.isEmpty else { throw .emptyKey(at: key) }
            try changed.addDotted(dictionary, under: key, part, options)
        }
        self = changed
    }

    private mutating func addDotted(
        _ dictionary: [String: Any?], under prefix: String, _ part: Part, _ options: URLCoding.EncodingOptions
    ) throws(URLCodingError) {
        for (key, value) in dictionary {
            guard !key.isEmpty else { throw .emptyKey(at: prefix) }
            if let inner = value as? [String: Any?] {
                try addDotted(inner, under: prefix + "." + key, part, options)
            } else {
                try set(value, at: prefix + "." + key, part, options)
            }
        }
    }

    private mutating func set(
        _ value: Any?, at key: String, _ part: Part, _ options: URLCoding.EncodingOptions
    ) throws(URLCodingError) {
        guard !key.isEmpty else { throw .emptyKey(at: key) }
        guard let value else { return self[key, part] = nil }
        guard let texts = try URLCoding.texts(of: value, at: key, options: options) else { return }
        let text = texts.joined(separator: ",")
        if text.isEmpty, options.contains(.discardEmptyValues) { return }
        self[key, part] = text
    }
}
