import NetworkLayer

/// A value that is large and rarely there, in memory of its own: most requests have none, and a hundred thousand of them are held and
/// copied at a time. In JSON and in comparisons it is the value itself.
@propertyWrapper
package struct Boxed<Value: Hashable & Sendable & Boxable>: Hashable, Sendable {
    /// `nil`: the value that stands for nothing.
    private var shared: Shared<Value>?

    package init(wrappedValue: Value) {
        shared = wrappedValue.needsBox ? Shared(wrappedValue: wrappedValue) : nil
    }

    /// Whether it has a value other than the one that stands for nothing: the value needn't be compared for it.
    package var isBoxed: Bool { shared != nil }

    package var projectedValue: Self { self }

    package var wrappedValue: Value {
        get { shared?.wrappedValue ?? .withoutBox }
        set { self = Boxed(wrappedValue: newValue) }
    }
}

/// What has a value that stands for nothing. The names are its own: another word would also be found where an optional of a type is meant
/// that has a member of that name.
package protocol Boxable {
    static var withoutBox: Self { get }
    var needsBox: Bool { get }
}

extension Optional: Boxable {
    package static var withoutBox: Wrapped? { nil }
    package var needsBox: Bool { if case nil = self { false } else { true } }
}

extension RequestSettings: Boxable {
    package static let withoutBox = RequestSettings()
    package var needsBox: Bool { self != .withoutBox }
}

extension Boxed: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// As with any optional, a key is absent where there is nothing. An absent list is an empty one: what an older version has kept, in the history
// and in drafts, knows nothing of what came later.

extension KeyedDecodingContainer {
    func decode<Element: Codable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }

    func decode(_ type: RequestSettings.ConnectionSettings.Type, forKey key: Key) throws -> RequestSettings.ConnectionSettings {
        try decodeIfPresent(type, forKey: key) ?? .init()
    }

    func decode<Value: Codable>(_ type: Boxed<Value?>.Type, forKey key: Key) throws -> Boxed<Value?> {
        Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value: Codable>(_ value: Boxed<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
