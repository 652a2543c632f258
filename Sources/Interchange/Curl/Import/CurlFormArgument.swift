import NetworkLayer

/// What `--form` is given, taken apart as curl 7.88 was seen to do it.
struct CurlFormArgument {
    var name: String
    /// One, or several for `name=@file,file`.
    var contents: [Content]
    /// Whether it puts the parts behind it into one, or ends that.
    var group: Group?

    enum Group {
        case begins
        case ends
    }

    struct Content {
        var source: Source
        /// What stands in quotes or up to a semicolon: a text, or a file's path.
        var text: String
        var type: String?
        var fileName: String?
        /// What curl sends and a part can't have here, such as `encoder=base64`.
        var others: [String] = []
        /// What curl doesn't know, and leaves out.
        var unknown: [String] = []
    }

    enum Source {
        case text
        /// A file that is sent as such, with its name.
        case upload
        /// A file whose content is the value.
        case file
    }

    /// - Parameter isLiteral: the value is sent as it stands, as by `--form-string`.
    /// - Returns: `nil` for what has no `=`.
    init?(_ argument: String, isLiteral: Bool) {
        guard let (name, value) = argument.halves(at: "=") else { return nil }
        self.name = String(name)
        var scanner = Scanner(rest: value.unicodeScalars, endsAtComma: false)
        guard !isLiteral else {
            contents = [Content(source: .text, text: String(value))]
            return
        }
        switch value.unicodeScalars.first {
        case "(":
            (contents, group) = ([], .begins)
        case ")" where name.isEmpty && value.unicodeScalars.count == 1:
            (contents, group) = ([], .ends)
        case "<":
            scanner.rest.removeFirst()
            contents = [scanner.content(of: .file)]
        case "@":
            scanner.endsAtComma = true
            contents = []
            repeat {
                scanner.rest.removeFirst()
                contents.append(scanner.content(of: .upload))
            } while scanner.rest.first == ","
        default: contents = [scanner.content(of: .text)]
        }
    }
}

extension CurlFormArgument {
    private struct Scanner {
        var rest: Substring.UnicodeScalarView
        var endsAtComma: Bool

        private func isEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == ";" || endsAtComma && scalar == "," }

        private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || (0x09...0x0D).contains(scalar.value) }

        private mutating func skipSpace() { rest = rest.drop(while: Self.isSpace) }

        mutating func content(of source: Source) -> Content {
            skipSpace()
            var content = Content(source: source, text: word())
            // Where the type begins, while what comes next may be a parameter of it: `text/plain; charset=utf-8`.
            var typeStart: Substring.UnicodeScalarView?
            while rest.first == ";" {
                rest.removeFirst()
                skipSpace()
                if typeStart == nil, skip("type=") {
                    skipSpace()
                    typeStart = rest
                } else if skip("filename=") {
                    typeStart = nil
                    skipSpace()
                    let name = word()
                    // Only an upload and a text may have one.
                    if source == .file { content.unknown.append("filename=\(name)") } else { content.fileName = name }
                    continue
                } else if let key = ["headers=", "encoder="].first(where: { skip($0) }) {
                    typeStart = nil
                    skipSpace()
                    content.others.append(key + word())
                    continue
                }
                guard let start = typeStart else {
                    let unknown = word()
                    if !unknown.isEmpty { content.unknown.append(unknown) }
                    continue
                }
                rest = rest.drop { !isEnd($0) }
                content.type = Self.trimmingEnd(start[..<rest.startIndex])
            }
            return content
        }

        private mutating func skip(_ key: String) -> Bool {
            guard String(rest.prefix(key.unicodeScalars.count)).lowercased() == key else { return false }
            rest = rest.dropFirst(key.unicodeScalars.count)
            return true
        }

        private static func trimmingEnd(_ scalars: Substring.UnicodeScalarView) -> String {
            var scalars = scalars
            while let last = scalars.last, isSpace(last) { scalars.removeLast() }
            return String(scalars)
        }

        /// Up to a semicolon without the blanks before it, or what stands in double quotes, where a backslash escapes another one and a
        /// quote. Quotes without an end are none.
        private mutating func word() -> String {
            if rest.first == "\"", let quoted = quoted() { return quoted }
            let word = rest.prefix { !isEnd($0) }
            rest = rest[word.endIndex...]
            return Self.trimmingEnd(word)
        }

        private mutating func quoted() -> String? {
            var text = String.UnicodeScalarView()
            var inside = rest.dropFirst()
            while let scalar = inside.popFirst() {
                if scalar == "\\", let next = inside.first, next == "\\" || next == "\"" {
                    text.append(next)
                    inside.removeFirst()
                } else if scalar == "\"" {
                    // What stands behind the quotes is left out.
                    rest = inside.drop { !isEnd($0) }
                    return String(text)
                } else {
                    text.append(scalar)
                }
            }
            return nil
        }
    }
}
