/// A large value that many others hold, in memory of its own: a copy of them is a reference more, not a copy of it.
@propertyWrapper
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

    /// To be handed on without a copy.
    package var projectedValue: Self { self }
}
