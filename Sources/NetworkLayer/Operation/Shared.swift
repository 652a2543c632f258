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

/// A large value in memory of its own, so that its holders stay small and are cheap to copy. It is changed in place as long as one
/// alone holds it, and copied otherwise, so it is as good as the value itself.
@dynamicMemberLookup
struct CopyOnWrite<Value: Sendable>: Sendable {
    private var storage: Storage

    /// Sendable, unchecked: changed only while one box alone refers to it. A box is part of a value, whose accesses the compiler checks.
    private final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { self.value = value }
    }

    init(_ value: Value) { storage = Storage(value) }

    subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member {
        @inline(__always) get { storage.value[keyPath: path] }
    }

    subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Member {
        @inline(__always) get { storage.value[keyPath: path] }
        @inline(__always) _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value[keyPath: path]
        }
    }
}
