import Foundation
import TerminalUI

@testable import NcursesTerminal
@testable import Presentation

extension FuzzTarget {
    /// A body in the viewer: everything that a person can do with it. Nothing in it may reach the terminal as it is.
    static func viewBody(_ bytes: [UInt8], contentType: String?) throws {
        let whole = Data(bytes)
        for mode in BodyMode.allCases {
            let document = BodyDocument(BodyBytes(whole), contentType: contentType, mode: mode)
            // As much as a screen shows comes first; the rest is found later.
            _ = document.lines(0..<40, columns: 0..<80)
            document.extendIndexToEnd()
            let count = document.lineCount.lines
            let last = max(0, count - 40)..<count
            for range in [0..<min(40, count), last] {
                for line in document.lines(range, columns: 3..<90) { try isHarmless(line.text) }
            }
            for line in [0, count / 2, max(0, count - 1)] where line < count {
                _ = document.columnCount(ofLine: line)
                _ = document.text(of: line..<line + 1)
                _ = document.jsonPlace(ofLine: line)
                // What says why the body can't be read stands where it can't be read, and shows no byte.
                if let bytes = document.bytes(ofLine: line), !bytes.isEmpty {
                    let found = document.line(containing: bytes.lowerBound)
                    try require(found == line, "byte \(bytes.lowerBound) is on line \(line), and was found on line \(found)")
                }
                _ = document.line(enclosing: line)
            }
            try wrap(document)
            try fold(document)
            if let pattern = BodyPattern(String(decoding: bytes.prefix(2), as: UTF8.self)) {
                if let match = document.search(pattern) { _ = document.search(pattern, after: match) }
                _ = document.lines(0..<10, columns: 0..<80, highlighting: pattern)
            }
        }
    }

    private static func wrap(_ document: BodyDocument) throws {
        let rows = document.rows(from: BodyPosition(), count: 60, width: 17)
        for row in rows { try isHarmless(row.text.text) }
        let end = document.lastPosition(width: 17)
        _ = document.rows(from: end, count: 2, width: 17)
        _ = document.position(end, movedBy: -5, width: 17)
    }

    private static func fold(_ document: BodyDocument) throws {
        var folds = BodyFolds()
        folds.foldMembers(of: document)
        let rows = folds.rowCount(document.lineCount).lines
        try require(rows >= 0, "\(rows) rows")
        for line in document.lines(0..<min(rows, 30), folds: folds, columns: 0..<60) { try isHarmless(line.text) }
        for row in [0, rows / 2, max(0, rows - 1)] where row < rows {
            try require(folds.row(ofLine: folds.line(ofRow: row)) == row, "row \(row) shows another line than its own")
        }
        folds.toggle(0, in: document)
    }

    private static func isHarmless(_ text: String) throws {
        let obeyed = text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        try require(obeyed == nil, "a terminal would obey \(text.debugDescription)")
    }

    /// What a terminal sends means the same in one piece and byte by byte.
    static func decodeKeys(_ bytes: [UInt8]) throws {
        var whole = InputDecoder()
        var pieces = InputDecoder()
        var expected = whole.feed(bytes)
        var events: [TerminalEvent] = []
        for byte in bytes { events += pieces.feed([byte]) }
        try require(events == expected, "in pieces \(events), in one \(expected)")
        expected = whole.flush()
        events = pieces.flush()
        try require(events == expected, "at the end in pieces \(events), in one \(expected)")
    }
}
