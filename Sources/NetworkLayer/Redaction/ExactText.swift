import Base

/// A text that equals another only when both have the same bytes.
///
/// To Swift, and so to its sets and dictionaries, `é` is the same as `e` and an accent behind it. To JSON, HTTP, shells and file systems it
/// isn't: whoever has allowed the one has not allowed the other, and masking the one hides nothing of the other.
@propertyWrapper
package struct ExactText: Hashable, Sendable {
    package var wrappedValue: String

    package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

    package init(_ text: String) { wrappedValue = text }

    package static func == (left: Self, right: Self) -> Bool { left.wrappedValue.hasBytes(of: right.wrappedValue) }

    package func hash(into hasher: inout Hasher) {
        var text = wrappedValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Two texts after one another aren't two others with the same bytes.
        hasher.combine(UInt8(0xFF))
    }
}

extension String {
    package func hasBytes(of other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Sign by sign, the comparison of two paths would take a thousand instructions.
        let isSame = utf8.withContiguousStorageIfAvailable { left -> Bool? in
            other.utf8.withContiguousStorageIfAvailable { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return memcmp(left, right, other.utf8.count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
