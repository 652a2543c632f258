import FoundationEssentials
import NetworkLayer

/// What `-F` was given, taken apart: `name=content`, `name=@file;type=text/plain;filename=other`, `name=<file`.
struct FormPart: Hashable {
    var name: String
    var content: Content
    var contentType: String?
    var fileName: String?

    enum Content: Hashable {
        case text(String)
        /// An upload, with its file's name.
        case file(String)
        /// The text of a file, as if it stood there.
        case textOf(String)
    }

    init(_ argument: FormArgument) throws {
        guard let (name, rest) = argument.text.halves(at: "=") else {
            throw CommandFailure(
                status: .usage,
                message: "-F '\(argument.text)' has no =. It takes NAME=TEXT, NAME=@FILE to upload one, or NAME=<FILE for its text."
            )
        }
        self.name = String(name)
        guard !argument.isLiteral else {
            content = .text(String(rest))
            return
        }
        var pieces = Self.pieces(of: rest)
        let first = pieces.removeFirst()
        content =
            switch rest.unicodeScalars.first {
            case "@": .file(String(first.unicodeScalars.dropFirst()))
            case "<": .textOf(String(first.unicodeScalars.dropFirst()))
            default: .text(first)
            }
        for piece in pieces {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch pair[0].drop(while: { $0 == " " }) {
            case "type" where pair.count == 2: contentType = String(pair[1])
            case "filename" where pair.count == 2: fileName = String(pair[1])
            default:
                throw CommandFailure(
                    status: .usage,
                    message: "-F '\(argument.text)': there is no \"\(piece)\". After ; it takes type=TYPE and filename=NAME; "
                        + "--form-string takes text with a ; in it.")
            }
        }
    }

    /// What stands between semicolons, except those in double quotes; backslashes escape inside of them.
    private static func pieces(of text: Substring) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text.unicodeScalars.lazy.map(Character.init) {
            if isEscaped {
                pieces[pieces.count - 1].append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"", isQuoted || Self.beginsValue(pieces[pieces.count - 1], isFirst: pieces.count == 1) {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        return pieces
    }

    /// A quote in the middle of a value is one of its characters.
    private static func beginsValue(_ piece: String, isFirst: Bool) -> Bool {
        isFirst ? ["", "@", "<"].contains(piece) : piece.firstIndex(of: "=") == piece.indices.last
    }

    /// The body and its content type.
    static func multipart(_ arguments: [FormArgument], reading files: InputFiles) throws -> (RequestBody, contentType: String) {
        var multipart = MultipartBody()
        for argument in arguments { multipart.append(try FormPart(argument).part(reading: files)) }
        return (multipart.body, multipart.contentType)
    }

    private func part(reading files: InputFiles) throws -> MultipartBody.Part {
        if let contentType, contentType.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw CommandFailure(status: .usage, message: "-F \(name): the type has a line break or another control character.")
        }
        switch content {
        case .text(let text):
            return .init(name: name, fileName: fileName, contentType: contentType, content: .data(Data(text.utf8)))
        case .textOf(let path):
            return .init(name: name, fileName: fileName, contentType: contentType, content: .data(try files.contents(path)))
        case .file("-"):
            return .init(
                name: name, fileName: fileName ?? "-", contentType: contentType,
                content: .data(try files.contents("-")))
        case .file(let path):
            guard let size = FilePaths.size(try files.existing(path)) else { throw InputFiles.missing(path) }
            return .init(
                name: name, fileName: fileName ?? path.split(separator: "/").last.map(String.init) ?? path,
                contentType: contentType ?? Self.type(of: fileName ?? path), content: .file(path: path, count: size))
        }
    }

    /// As curl guesses.
    private static func type(of path: String) -> String {
        let types = [
            ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
            ".txt": "text/plain", ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf", ".xml": "application/xml",
        ]
        guard let dot = path.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[path[dot...].lowercased()] ?? "application/octet-stream"
    }
}
