import TerminalUI

/// What one line shows: pieces of the body, and the little that a format adds between them.
struct LineLayout {
    /// In columns.
    var indent = 0
    var pieces: [Piece] = []

    enum Piece {
        /// Bytes of the body in one role.
        case bytes(Range<Int>, ThemeRole)
        /// What isn't in the body: the space behind a colon, a note.
        case added(String, ThemeRole)
    }

    mutating func reset() {
        indent = 0
        pieces.removeAll(keepingCapacity: true)
    }

    mutating func append(_ range: Range<Int>, _ role: ThemeRole) {
        if !range.isEmpty { pieces.append(.bytes(range, role)) }
    }

    mutating func add(_ text: String, _ role: ThemeRole) {
        pieces.append(.added(text, role))
    }
}

/// A way to cut bytes into lines, and to say what each shows. There are two halves that must agree:
///
/// - `LineIndexer` goes over the bytes once, at full speed, and reports where every line starts.
/// - `LineFormat` lays out one line, given its start, and says where the next one starts.
protocol LineIndexer: Sendable {
    /// How far it has come.
    var position: Int { get }
    /// Goes on until a line starts at `stop` or later. `true` when there is nothing left.
    mutating func advance(_ bytes: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool
    /// Why the rest of the body isn't what it was taken for; known when `advance` has come there.
    var failure: FormatFailure? { get }
}

extension LineIndexer {
    var failure: FormatFailure? { nil }
}

protocol LineFormat: Sendable {
    /// - Returns: where the line behind this one starts; `nil` at the end of the body.
    func layout(
        _ start: LineStart, in bytes: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart?
}

/// Where a body stops being what it was taken for. From `restart` on it is shown as it was sent.
package struct FormatFailure: Error, Hashable, Sendable {
    /// The byte that can't be there.
    package var offset: Int
    /// The start of the token around it, at or before `offset`.
    package var restart: Int
    /// `expected a value, found "x"`.
    package var reason: String
}
