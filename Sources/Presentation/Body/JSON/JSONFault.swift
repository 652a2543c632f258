import Base

/// Where a body that is being written isn't JSON, and why. Templates in it stand for values.
package struct JSONFault: Sendable, Hashable {
    /// From 1.
    package var line: Int
    package var reason: String

    /// A text that is longer than this wasn't written by hand.
    package static let longest = 1 << 16

    /// `nil` when a text is JSON, or blank, or has more bytes than the limit: 64 KiB where it is looked at as it is typed.
    package init?(in text: String, limit: Int = Self.longest) {
        var bytes = Array(text.utf8)
        guard bytes.count <= limit, !bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
        let source = bytes
        Self.putNumbersForTemplates(in: &bytes)
        let document = BodyDocument(BodyBytes(Data(bytes)), kind: .json)
        document.extendIndexToEnd()
        guard let failure = document.failure else { return nil }
        line = source.prefix(failure.offset).count { $0 == 0x0A } + 1
        reason = failure.reason
    }

    /// The text keeps its length, so that places stay: a number can stand for a value, and within a string for anything.
    private static func putNumbersForTemplates(in bytes: inout [UInt8]) {
        var position = 0
        while let start = bytes[position...].firstRange(of: [0x7B, 0x7B]),
            let end = bytes[start.upperBound...].firstRange(of: [0x7D, 0x7D])
        {
            for index in start.lowerBound..<end.upperBound { bytes[index] = 0x31 }
            position = end.upperBound
        }
    }
}
