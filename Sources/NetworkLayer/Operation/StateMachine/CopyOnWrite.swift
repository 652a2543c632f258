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
