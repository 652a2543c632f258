/// A large value that many others hold. It lies in memory of its own, so that copying its holders copies only a reference.
@propertyWrapper @dynamicMemberLookup @usableFromInline
package struct Shared<Value: Sendable>: Sendable {
    @usableFromInline var box: Box

    @usableFromInline final class Box: Sendable {
        @usableFromInline let value: Value

        @inlinable init(_ value: Value) { self.value = value }
    }

    @inlinable package init(wrappedValue: Value) { box = Box(wrappedValue) }

    // Inlined, a part of the value is read without copying the whole.
    @inlinable package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    /// A part of the value, which can only be read.
    @inlinable package subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { box.value[keyPath: member] }

    /// The wrapper itself, to be passed on without a copy of the value.
    package var projectedValue: Self { self }
}

extension Shared: Equatable where Value: Equatable {
    @usableFromInline package static func == (left: Self, right: Self) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
