import Base
import HTTPTypes
import NetworkLayer

/// What `-F` was given, taken apart: `name=content`, `name=@file;type=text/plain;filename=other`, `name=<file`, `name=@one,two`.
struct FormPart: Hashable {
    var name: String
    var content: Content
    var contentType: String?
    var fileName: String?
    /// `Name: value`, and the names of files with such lines behind a `@` or `<`.
    var headers: [String] = []
    var encoder: Encoder?

    enum Encoder: String, Hashable, CaseIterable {
        case binary
        case eightBit = "8bit"
        case sevenBit = "7bit"
        case base64
    }

    indirect enum Content: Hashable {
        case text(String)
        /// An upload, with its file's name.
        case file(String)
        /// The text of a file, as if it stood there.
        case textOf(String)
        /// Several uploads.
        case files([FormPart])
    }

    init(_ argument: FormArgument) throws {
        guard let (name, rest) = argument.text.halves(at: "=") else {
            throw CommandFailure(
                .usage, "-F '\(argument.text)' has no =. It takes NAME=TEXT, NAME=@FILE to upload one, or NAME=<FILE for its text."
            )
        }
        guard !argument.isLiteral else {
            self.init(name: name, .text(String(rest)))
            return
        }
        guard !name.isEmpty else {
            throw CommandFailure(
                .usage, "-F '\(argument.text)' has no name before its =. Groups of parts, =( and =), aren't there either.")
        }
        let clauses = rest.unicodeScalars.first == "@" ? Self.clauses(of: rest) : [rest]
        if clauses.count > 1 {
            self.init(name: name, .files(try clauses.map { try FormPart(name: name, $0, of: argument) }))
        } else {
            try self.init(name: name, rest, of: argument)
        }
    }

    private init(name: Substring, _ content: Content) {
        self.name = String(name)
        self.content = content
    }

    /// - Parameter text: one content, with its parameters.
    private init(name: Substring, _ text: Substring, of argument: FormArgument) throws {
        self.name = String(name)
        var pieces = Self.pieces(of: text)
        let first = pieces.removeFirst().trimmed
        content =
            switch text.unicodeScalars.first {
            case "@": .file(String(first.unicodeScalars.dropFirst()))
            case "<": .textOf(String(first.unicodeScalars.dropFirst()))
            default: .text(first)
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
                        .usage, "-F '\(argument.text)': \"\(value)\" is no type. It takes one, as in ;type=text/csv."
                    )
                }
                contentType = value
                followsType = true
                continue
            case ("filename", let value?): fileName = value
            case ("headers", let value?): headers.append(value)
            case ("encoder", let value?):
                guard let encoder = Encoder(rawValue: value.lowercased()) else {
                    let names = Encoder.allCases.map(\.rawValue).joined(separator: ", ")
                    throw CommandFailure(.usage, "-F '\(argument.text)': the encoder \"\(value)\" isn't there. It takes \(names).")
                }
                self.encoder = encoder
            default:
                guard followsType, let type = contentType else {
                    throw CommandFailure(
                        .usage,
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

    /// What stands between commas, except those in double quotes, each with a `@`.
    private static func clauses(of text: Substring) -> [Substring] {
        var clauses: [String.UnicodeScalarView] = [.init()]
        var isQuoted = false
        var last: Unicode.Scalar = "@"
        for scalar in text.unicodeScalars {
            if scalar == "\"", isQuoted ? last != "\\" : "@,=".unicodeScalars.contains(last) { isQuoted.toggle() }
            if scalar == ",", !isQuoted { clauses.append("@".unicodeScalars) } else { clauses[clauses.count - 1].append(scalar) }
            last = scalar
        }
        return clauses.map { Substring(String($0)) }
    }

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
            throw CommandFailure(.usage, "-F \(name): the type has a line break or another control character.")
        }
        switch content {
        case .text(let text): return try part(.data(Data(text.utf8)), fileName, Self.type(of: [fileName]), files)
        case .textOf(let path): return try part(.data(try files.contents(path)), fileName, Self.type(of: [fileName]), files)
        case .file("-"): return try part(.data(try files.contents("-")), fileName ?? "-", Self.type(of: [fileName]), files)
        case .file(let path) where FilePaths.exists(path) && !FilePaths.isRegularFile(path):
            // A pipe has no size, and can't be read again.
            return try part(
                .data(try files.contents(path)), fileName ?? path.split(separator: "/").last.map(String.init) ?? path,
                Self.type(of: [fileName, path]) ?? "application/octet-stream", files)
        case .file(let path):
            guard let size = FilePaths.size(try files.existing(path)) else { throw InputFiles.missing(path) }
            return try part(
                .file(path: path, count: size), fileName ?? path.split(separator: "/").last.map(String.init) ?? path,
                Self.type(of: [fileName, path]) ?? "application/octet-stream", files)
        case .files(let parts): return try Self.mixed(parts.map { try $0.part(reading: files) }, name: name, reading: files)
        }
    }

    private func part(
        _ content: MultipartBody.Content, _ fileName: String?, _ type: String?, _ files: InputFiles
    ) throws -> MultipartBody.Part {
        var fields = HTTPFields()
        var content = content
        if let encoder {
            fields.append(HTTPField(name: Self.transferEncoding, value: encoder.rawValue))
            content = try encoded(content, encoder, files)
        }
        for text in headers {
            let isFile = text.begins(with: "@") || text.begins(with: "<")
            let lines = isFile ? try files.text(String(text.unicodeScalars.dropFirst())).lines.map(String.init) : [text]
            for line in lines where !line.isEmpty && !line.begins(with: "#") { fields.append(try SendHeaders.field(line).field) }
        }
        return .init(name: name, fileName: fileName, contentType: contentType ?? type, content: content, headers: fields)
    }

    private static let transferEncoding = HTTPField.Name("Content-Transfer-Encoding")!

    /// RFC 2045, section 6.
    private func encoded(
        _ content: MultipartBody.Content, _ encoder: Encoder, _ files: InputFiles
    ) throws -> MultipartBody.Content {
        guard encoder == .base64 || encoder == .sevenBit else { return content }
        let bytes = try Self.bytes(of: content, files)
        guard encoder == .base64 else {
            guard bytes.allSatisfy({ $0 < 0x80 }) else {
                throw CommandFailure(.file, "-F \(name): with encoder=7bit it must be ASCII. base64 takes anything.")
            }
            return .data(bytes)
        }
        return .data(bytes.base64EncodedData(options: [.lineLength76Characters]))
    }

    private static func bytes(of content: MultipartBody.Content, _ files: InputFiles) throws -> Data {
        switch content {
        case .data(let data): data
        case .file(let file, _): try files.contents(file.path)
        }
    }

    /// Several files under one name (RFC 2388, section 4.2, which RFC 7578 takes back); they are read into memory.
    private static func mixed(
        _ parts: [MultipartBody.Part], name: String, reading files: InputFiles
    ) throws -> MultipartBody.Part {
        let boundary = MultipartBody().boundary
        var data = Data()
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: attachment"
            if let fileName = part.fileName { head += "; filename=\"\(MultipartBody.quoted(fileName))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(type)" }
            for field in part.headers { head += "\r\n\(field.name): \(field.value)" }
            data += Data((head + "\r\n\r\n").utf8)
            data += try bytes(of: part.content, files) + Data("\r\n".utf8)
        }
        data += Data("--\(boundary)--\r\n".utf8)
        return .init(name: name, contentType: "multipart/mixed; boundary=\(boundary)", content: .data(data))
    }

    /// The type that curl guesses from the first name that says something.
    private static func type(of names: [String?]) -> String? {
        let types = [
            ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
            ".txt": "text/plain", ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf", ".xml": "application/xml",
        ]
        return names.lazy.compactMap { name in name?.lastIndex(of: ".").flatMap { types[name![$0...].lowercased()] } }.first
    }
}
