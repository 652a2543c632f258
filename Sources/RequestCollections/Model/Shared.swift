/// A large value that many others hold, in memory of its own: a copy of them is a reference more, not a copy of it.
@propertyWrapper
package struct Shared<Value: Sendable>: Sendable {
    private var box: Box

    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    /// To be handed on without a copy.
    package var projectedValue: Self { self }
}
