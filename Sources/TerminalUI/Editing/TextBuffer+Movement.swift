extension TextBuffer {
    /// One character (as a reader sees it) on; at the end of a line, the start of the next.
    package func position(after position: TextPosition) -> TextPosition {
        let line = lines[position.line]
        guard position.offset < line.utf8.count else {
            return position.line + 1 < lines.count ? TextPosition(line: position.line + 1, offset: 0) : position
        }
        let next = line.index(after: index(position))
        return TextPosition(line: position.line, offset: line.utf8.distance(from: line.startIndex, to: next))
    }

    package func position(before position: TextPosition) -> TextPosition {
        guard position.offset > 0 else {
            return position.line > 0 ? lineEnd(position.line - 1) : position
        }
        let line = lines[position.line]
        let previous = line.index(before: index(position))
        return TextPosition(line: position.line, offset: line.utf8.distance(from: line.startIndex, to: previous))
    }

    /// The end of the word here or next.
    package func wordEnd(after position: TextPosition) -> TextPosition {
        var here = position
        while here < end, character(at: here).map({ !isWord($0) }) ?? true { here = self.position(after: here) }
        while let character = character(at: here), isWord(character) { here = self.position(after: here) }
        return here
    }

    /// The start of the word here or before.
    package func wordStart(before position: TextPosition) -> TextPosition {
        var here = position
        while here > .start {
            let previous = self.position(before: here)
            if previous.line == here.line, let character = character(at: previous), isWord(character) { break }
            here = previous
        }
        while here.offset > 0 {
            let previous = self.position(before: here)
            guard let character = character(at: previous), isWord(character) else { break }
            here = previous
        }
        return here
    }

    package func lineEnd(_ line: Int) -> TextPosition { TextPosition(line: line, offset: lines[line].utf8.count) }

    /// Where the line's text begins behind its indentation.
    package func indentation(of line: Int) -> Substring {
        lines[line].prefix { $0 == " " || $0 == "\t" }
    }

    /// The display column of a position, from 0.
    package func column(of position: TextPosition) -> Int {
        let line = lines[position.line]
        return DisplayWidth.of(line[..<index(position)])
    }

    /// The position in a line that is shown at or just before a display column.
    package func position(line: Int, column: Int) -> TextPosition {
        let text = lines[line]
        var shown = 0
        var place = text.startIndex
        while place < text.endIndex {
            shown += DisplayWidth.of(text[place], at: shown)
            if shown > column { break }
            text.formIndex(after: &place)
        }
        return TextPosition(line: line, offset: text.utf8.distance(from: text.startIndex, to: place))
    }

    /// The character behind the position; `nil` at the end of a line.
    private func character(at position: TextPosition) -> Character? {
        let line = lines[position.line]
        return position.offset < line.utf8.count ? line[index(position)] : nil
    }

    private func index(_ position: TextPosition) -> String.Index {
        let line = lines[position.line]
        return line.utf8.index(line.startIndex, offsetBy: position.offset)
    }

    private func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
}
