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
        let first = pieces.removeFirst().trimmed
        content =
            switch rest.unicodeScalars.first {
            case "@": .file(String(first.unicodeScalars.dropFirst()))
            case "<": .textOf(String(first.unicodeScalars.dropFirst()))
            default: .text(first)
            }
        guard !name.isEmpty else {
            throw CommandFailure(
                status: .usage,
                message: "-F '\(argument.text)' has no name before its =. Groups of parts, =( and =), aren't there either.")
        }
        // Whether what comes next may be a parameter of the content type.
        var followsType = false
        for piece in pieces {
            let pair = piece.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = pair[0].drop(while: Self.isBlank)
            let value = pair.count == 2 ? Piece(text: String(pair[1]), isQuoted: piece.isQuoted).trimmed : nil
            switch (key, value) {
            case ("type", let value?):
                guard contentType == nil, value.wholeMatch(of: /[^\/ ]+\/[^;, ]+([;\s].*)?/) != nil else {
                    throw CommandFailure(
                        status: .usage,
                        message:
                            "-F '\(argument.text)': \"\(value)\" is no type. It takes one, as in ;type=text/csv, and one file a part."
                    )
                }
                contentType = value
                followsType = true
                continue
            case ("filename", let value?): fileName = value
            case ("headers", _?), ("encoder", _?):
                throw CommandFailure(
                    status: .usage,
                    message: "-F '\(argument.text)': \(key)= isn't there. After ; it takes type=TYPE and filename=NAME.")
            default:
                guard followsType, let type = contentType else {
                    throw CommandFailure(
                        status: .usage,
                        message:
                            "-F '\(argument.text)': there is no \"\(piece.text)\". After ; it takes type=TYPE and filename=NAME; "
                            + "--form-string takes text with a ; in it.")
                }
                contentType = "\(type);\(piece.trimmedEnd)"
                continue
            }
            followsType = false
        }
    }

    /// What stands between two semicolons.
    private struct Piece {
        var text = ""
        var isQuoted = false

        /// Blanks are a value's own only in quotes.
        var trimmed: String { isQuoted ? text : String(trimmedEnd.drop(while: FormPart.isBlank)) }
        var trimmedEnd: String { String(text.reversed().drop(while: FormPart.isBlank).reversed()) }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// What stands between semicolons, except those in double quotes; backslashes escape inside of them.
    private static func pieces(of text: Substring) -> [Piece] {
        var pieces = [Piece()]
        var isQuoted = false
        var isEscaped = false
        for character in text.unicodeScalars.lazy.map(Character.init) {
            let last = pieces.count - 1
            if isEscaped {
                pieces[last].text.append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"", isQuoted || Self.beginsValue(pieces[last].text, isFirst: last == 0) {
                isQuoted.toggle()
                pieces[last].isQuoted = true
            } else if character == ";", !isQuoted {
                pieces.append(Piece())
            } else {
                pieces[last].text.append(character)
            }
        }
        return pieces
    }

    /// A quote in the middle of a value is one of its characters.
    private static func beginsValue(_ piece: String, isFirst: Bool) -> Bool {
        isFirst ? ["", "@", "<"].contains(piece) : piece.firstIndex(of: "=") == piece.indices.last
    }

    static func multipart(_ arguments: [FormArgument], reading files: InputFiles) throws -> MultipartBody {
        var multipart = MultipartBody()
        for argument in arguments { multipart.append(try FormPart(argument).part(reading: files)) }
        return multipart
    }

    private func part(reading files: InputFiles) throws -> MultipartBody.Part {
        if let contentType, contentType.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw CommandFailure(status: .usage, message: "-F \(name): the type has a line break or another control character.")
        }
        switch content {
        case .text(let text): return part(.data(Data(text.utf8)), fileName, Self.type(of: [fileName]))
        case .textOf(let path): return part(.data(try files.contents(path)), fileName, Self.type(of: [fileName]))
        case .file("-"): return part(.data(try files.contents("-")), fileName ?? "-", Self.type(of: [fileName]))
        case .file(let path):
            guard let size = FilePaths.size(try files.existing(path)) else { throw InputFiles.missing(path) }
            return part(
                .file(path: path, count: size), fileName ?? path.split(separator: "/").last.map(String.init) ?? path,
                Self.type(of: [fileName, path]) ?? "application/octet-stream")
        }
    }

    private func part(_ content: MultipartBody.Content, _ fileName: String?, _ type: String?) -> MultipartBody.Part {
        .init(name: name, fileName: fileName, contentType: contentType ?? type, content: content)
    }

    /// As curl guesses, of the first name that says something.
    private static func type(of names: [String?]) -> String? {
        let types = [
            ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
            ".txt": "text/plain", ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf", ".xml": "application/xml",
        ]
        return names.lazy.compactMap { name in name?.lastIndex(of: ".").flatMap { types[name![$0...].lowercased()] } }.first
    }
}
