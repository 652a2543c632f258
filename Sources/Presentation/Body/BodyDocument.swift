import Base
import Synchronization

package enum BodyMode: String, Sendable, Hashable, CaseIterable {
    /// Indented and coloured, where the kind allows it.
    case pretty
    /// Lines as they were sent, coloured.
    case raw
    case hex
}

/// A body as lines of styled text, made only as far as someone looks.
///
/// Nothing is decoded ahead. An *index* holds, for every 128th line, the byte at which it starts and how deep it is nested;
/// the lines between are laid out from there, and of a line only the columns asked for become text. The index grows when a
/// line behind its end is asked for, and in the background:
///
///     let document = BodyDocument(BodyBytes(data), contentType: "application/json")
///     while document.extendIndex() {}                       // on any thread
///     document.lines(0..<40, columns: 0..<120)              // on any other, at the same time; never waits for it
///
/// Offsets count bytes of the body. They count those of its UTF-8 form when it was sent in another encoding, but for `hex`, which has
/// the bytes as they were sent.
package final class BodyDocument: Sendable {
    package let bytes: BodyBytes
    private let source: BodyText
    package let mode: BodyMode
    /// More of it is to come, so that its end isn't missed.
    package let isPartial: Bool
    let format: any LineFormat
    private let indexing: Mutex<Indexing>
    private let index = Mutex(Index())
    let anchors: ColumnAnchors
    /// Where a walk over long JSON was every so often, as far as it has come.
    let places = Mutex<[JSONWalk]>([])
    /// What folded lists have in them, by the lines that open them.
    let counts = Mutex<[Int: Int]>([:])

    private struct Indexing: ~Copyable {
        var indexer: any LineIndexer
        var sink = CheckpointSink()
        var isComplete = false
    }

    /// What has been found so far. Held for moments only, so that drawing never waits for the indexing.
    struct Index {
        var checkpoints: [Checkpoint] = []
        var count = 0
        var isComplete = false
        var failure: FormatFailure?
        var position = 0
        /// What *fold all* hides: see ``MemberFinder``.
        var members: [Range<UInt32>] = []
        var openMember: UInt32?
    }

    /// - Parameters:
    ///   - contentType: the header field's value; without one, the first bytes tell.
    ///   - isPartial: more of it is to come, so that its end isn't missed.
    package convenience init(
        _ bytes: BodyBytes, contentType: String? = nil, mode: BodyMode = .pretty, isPartial: Bool = false
    ) {
        self.init(BodyText(bytes, contentType: contentType, isPartial: isPartial), mode: mode, isPartial: isPartial)
    }

    /// - Parameter kind: what the bytes are known to be.
    package convenience init(_ bytes: BodyBytes, kind: BodyKind, mode: BodyMode = .pretty) {
        var text = BodyText(bytes, contentType: nil)
        text.kind = kind
        self.init(text, mode: mode)
    }

    private init(_ text: BodyText, mode: BodyMode, isPartial: Bool = false) {
        source = text
        self.mode = mode == .pretty && text.kind == .binary ? .hex : mode
        bytes = self.mode == .hex ? text.sent : text.bytes
        self.isPartial = isPartial
        anchors = ColumnAnchors(bytes)
        let (format, indexer) = text.bytes.withBytes { [mode = self.mode] buffer in
            BodyDocument.format(text, mode, buffer, isPartial: isPartial)
        }
        self.format = format
        indexing = Mutex(Indexing(indexer: indexer))
        if self.mode == .hex {
            let count = bytes.count
            index.withLock {
                $0.count = HexFormat.lineCount(count)
                $0.isComplete = true
                $0.position = count
            }
        }
    }

    package var kind: BodyKind { source.kind }
    /// What the body was sent in, when it isn't UTF-8: `UTF-16LE`.
    package var transcodedFrom: String? { source.transcodedFrom }

    /// How many bytes were sent, whatever they are read as.
    var sentCount: Int { source.sent.count }

    /// The whole body as text; `nil` when it is binary.
    package var text: String? {
        source.bytes.withBytes { String(validating: $0, as: UTF8.self) }
    }

    package func inMode(_ mode: BodyMode) -> BodyDocument {
        BodyDocument(source, mode: mode)
    }

    private static func format(
        _ text: BodyText, _ mode: BodyMode, _ buffer: UnsafeBufferPointer<UInt8>, isPartial: Bool
    ) -> (any LineFormat, any LineIndexer) {
        let ends = LineEndCache(text.bytes)
        let isHTML = text.kind == .html
        switch (text.kind, mode) {
        case (.json, .pretty):
            return (JSONFormat(ends: ends), JSONIndexer(start: text.start, ends: ends, isPartial: isPartial))
        case (.jsonValues, .pretty):
            return (JSONFormat(ends: ends), JSONIndexer(start: text.start, ends: ends, isSequence: true))
        case (.xml, .pretty) where XMLFormat.isSafe(buffer):
            return (XMLFormat(), MarkupIndexer(XMLFormat(), start: text.start, in: buffer))
        case (.xml, .pretty), (.xml, .raw), (.html, .pretty), (.html, .raw):
            let lines = MarkupLines(isHTML: isHTML)
            return (ScannedFormat(scanner: lines, ends: ends), ScannedIndexer(start: text.start, lines))
        case (.json, _), (.jsonLines, _), (.jsonValues, _):
            return (TextFormat(syntax: .json, ends: ends), TextIndexer(start: text.start))
        case (.eventStream, _):
            return (TextFormat(syntax: .eventStream, ends: ends), TextIndexer(start: text.start))
        default:
            guard let language = text.kind.language else {
                return (TextFormat(ends: ends), TextIndexer(start: text.start))
            }
            return (ScannedFormat(scanner: language, ends: ends), ScannedIndexer(start: text.start, language))
        }
    }

    // MARK: Index

    package struct LineCount: Sendable, Hashable {
        package var lines: Int
        /// `false`: there are more, at least one.
        package var isExact: Bool

        package init(lines: Int, isExact: Bool) {
            self.lines = lines
            self.isExact = isExact
        }
    }

    package var lineCount: LineCount { index.withLock { LineCount(lines: $0.count, isExact: $0.isComplete) } }

    /// Why the body isn't the JSON it says it is, once that is known. A line in its place says so too.
    package var failure: FormatFailure? { index.withLock { $0.failure } }

    /// Goes on with the index for about `budget` bytes: 1 MiB takes a millisecond or two. Any thread; one at a time works.
    ///
    /// - Returns: whether there is more to do.
    @discardableResult
    package func extendIndex(byBytes budget: Int = 1 << 20) -> Bool {
        guard !index.withLock({ $0.isComplete }) else { return false }
        return indexing.withLock { indexing in
            if indexing.isComplete { return false }
            let from = indexing.indexer.position
            let stop = from.addingReportingOverflow(max(1, budget)).partialValue
            indexing.isComplete = bytes.withBytes { indexing.indexer.advance($0, until: stop, into: &indexing.sink) }
            let fresh = indexing.sink.drain()
            let members = indexing.sink.drainMembers()
            let openMember = indexing.sink.members.open
            let (count, position) = (indexing.sink.count, indexing.indexer.position)
            let (isComplete, failure) = (indexing.isComplete, indexing.indexer.failure)
            index.withLock { index in
                index.checkpoints.append(contentsOf: fresh)
                index.members.append(contentsOf: members)
                index.openMember = openMember
                index.count = count
                index.position = position
                index.isComplete = isComplete
                index.failure = failure
            }
            bytes.forget(from..<max(from, position))
            return !isComplete
        }
    }

    package func extendIndex(toLine line: Int) {
        while index.withLock({ !$0.isComplete && $0.count <= line }), extendIndex(byBytes: 1 << 18) {}
    }

    /// Goes on until the line that contains the byte is known, or the end.
    package func extendIndex(toByte offset: Int) {
        while index.withLock({ !$0.isComplete && $0.position <= offset }), extendIndex(byBytes: 1 << 20) {}
    }

    /// Goes on to the end: 100 MB of JSON take about 0.2 s.
    package func extendIndexToEnd() {
        while extendIndex(byBytes: 1 << 22) {}
    }

    func snapshot<Result: Sendable>(_ read: (borrowing Index) -> Result) -> Result {
        index.withLock { read($0) }
    }
}

extension BodyDocument {
    /// What the first bytes say, when they are those of an image.
    package var imageHeader: ImageHeader? {
        kind == .binary ? ImageHeader(bytes.prefix(1 << 16)) : nil
    }

    /// `JSON, 1.2 MB, 38,112 lines`; the number of lines as `38,112+` as long as more are to come.
    package var summary: String {
        var parts = [kind == .binary ? imageHeader?.summary ?? "binary" : kind.rawValue]
        parts.append(Figures.bytes(Int64(sentCount)))
        if mode != .hex {
            let count = lineCount
            let lines = Figures.count(count.lines) + (count.isExact ? "" : "+")
            parts.append(count.lines == 1 && count.isExact ? "1 line" : lines + " lines")
        }
        if let transcodedFrom { parts.append(transcodedFrom) }
        if failure != nil { parts.append("not valid JSON") }
        return parts.joined(separator: ", ")
    }
}
