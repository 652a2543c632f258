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
        if let transcodedFrom { parts.append(transcodedFrom) } else if encoding == .latin1 { parts.append(encoding.rawValue) }
        if failure != nil { parts.append("not valid JSON") }
        return parts.joined(separator: ", ")
    }
}
