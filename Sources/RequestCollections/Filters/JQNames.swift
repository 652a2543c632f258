/// The names of jq that reach out of the body: into an environment, into files, to other inputs, and into the process itself.
///
/// The process that runs jq has no environment, but it could read files: `import`, `include` and `modulemeta` do. A program with one of these
/// names isn't compiled, and its writer is told so before anything is sent.
enum JQNames {
    private static let refused: Set<String> = [
        "env", "$ENV", "input_filename", "import", "include", "modulemeta", "get_search_list", "input", "inputs",
        "input_line_number", "stderr", "halt", "halt_error",
    ]

    /// The first of them in a program, outside of texts and remarks; neither as a field (`.env`) nor as a key (`{env: 1}`, `{env}`).
    static func refused(in program: String) -> String? {
        var rest = Array(program.utf8)[...]
        // The two signs before a word.
        var (before, sign): (UInt8, UInt8) = (0, 0)
        // The brackets that are open in each program in a text, `"\(…)"`, around here.
        var open: [Int] = []
        while let byte = rest.first {
            guard isWord(byte) || byte == UInt8(ascii: "$") else {
                rest.removeFirst()
                var isText = byte == UInt8(ascii: "\"")
                switch byte {
                case UInt8(ascii: "(") where !open.isEmpty: open[open.count - 1] += 1
                case UInt8(ascii: ")"):
                    if open.last == 0 {
                        open.removeLast()
                        isText = true
                    } else if !open.isEmpty {
                        open[open.count - 1] -= 1
                    }
                case UInt8(ascii: "#"):
                    let remark = rest.prefix { $0 != 0x0A }
                    // Versions of jq differ in where a remark ends that has one of these.
                    if remark.contains(where: { $0 == UInt8(ascii: "\\") || $0 == 0x0D }) { return "#… \\" }
                    rest = rest[remark.endIndex...]
                    continue
                default: break
                }
                if isText, endText(&rest) { open.append(0) }
                if byte > 0x20 { (before, sign) = (sign, byte) }
                continue
            }
            let word = rest.prefix(1) + rest.dropFirst().prefix { Self.isWord($0) || 0x30...0x39 ~= $0 }
            rest = rest[word.endIndex...]
            let next = rest.first { $0 > 0x20 }
            let isKey =
                next == UInt8(ascii: ":") || sign == UInt8(ascii: "{") || sign == UInt8(ascii: ",") && next == UInt8(ascii: "}")
            let isField = sign == UInt8(ascii: ".") && before != sign || sign == UInt8(ascii: "@")
            let isPart = sign == UInt8(ascii: ":") && before == sign
            let name = String(decoding: word, as: UTF8.self)
            if !isKey || name == "$ENV", !isField, !isPart, refused.contains(name) { return name }
            (before, sign) = (sign, word.last ?? 0)
        }
        return nil
    }

    /// Goes behind the end of a text.
    ///
    /// - Returns: whether a program in it begins there instead.
    private static func endText(_ rest: inout ArraySlice<UInt8>) -> Bool {
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "(") { return true }
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 && byte < 0x80 || byte == UInt8(ascii: "_") }
}
