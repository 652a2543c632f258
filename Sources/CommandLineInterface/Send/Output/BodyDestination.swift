import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

/// Which file a `send` writes the body to.
struct OutputNames {
    let arguments: SendArguments
    /// How a URL is sent that can't hold it.
    var spelling: URLSpelling?

    /// What can be said before anything is sent: `-O` needs a URL that names a file.
    func check(_ url: URL) throws {
        guard arguments.usesRemoteName, arguments.output == nil, lastComponent(of: url) == nil else { return }
        throw CommandFailure(
            .usage, "-O: the path of \(URLText.line(url.absoluteString).text) ends in no name. Give the file one with -o FILE.")
    }

    /// - Parameter head: of the last response.
    /// - Returns: `nil` for standard output.
    func file(for url: URL, _ head: ResponseHead?) -> OutputFile? {
        if let output = arguments.output {
            return output == "-" ? nil : OutputFile(path: located(output), existing: arguments.neverOverwrites ? .kept : .replaced)
        }
        guard arguments.usesRemoteName else { return nil }
        if arguments.usesHeaderName, let name = head?.headers[.contentDisposition].flatMap(Self.fileName(in:)) {
            return OutputFile(path: located(name), existing: arguments.neverOverwrites ? .kept : .refused)
        }
        return OutputFile(
            path: located(lastComponent(of: url) ?? "response"), existing: arguments.neverOverwrites ? .kept : .replaced)
    }

    private func located(_ name: String) -> String {
        guard let directory = arguments.outputDirectory, !name.begins(with: "/") else { return name }
        return directory.ends(with: "/") ? directory + name : "\(directory)/\(name)"
    }

    private func lastComponent(of url: URL) -> String? {
        guard let spelling, spelling.url == url.absoluteString else { return Self.lastComponent(of: url) }
        return spelling.target.prefix { $0 != "?" }.pieces(at: "/").last.flatMap { Self.safe(String($0)) }
    }

    static func lastComponent(of url: URL) -> String? {
        url.path(percentEncoded: true).pieces(at: "/").last.flatMap { safe(String($0)) }
    }

    /// `attachment; filename="report.pdf"` (RFC 6266); of a path only the last part, so that a server can't choose the directory.
    static func fileName(in disposition: String) -> String? {
        guard var name = ContentType(disposition)["filename"]?[...] else { return nil }
        // Some servers write apostrophes for quotes, and curl treats them as such.
        if name.utf8.count > 2, name.begins(with: "'"), name.ends(with: "'") {
            name = Substring(name.unicodeScalars.dropFirst().dropLast())
        }
        return safe(name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? "").map(tamed)
    }

    /// A server's name for a file, in which nothing is hidden (`.bashrc`), taken for an option (`-rf`) or for a home (`~root`) later on,
    /// turned around on a screen, or too long for a file system.
    private static func tamed(_ name: String) -> String {
        var name = String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { !$0.properties.isBidiControl && $0.properties.generalCategory != .control }))
        if let first = name.unicodeScalars.first, ".-~".unicodeScalars.contains(first) {
            name = "_" + String(name.unicodeScalars.dropFirst())
        }
        let ending = name.unicodeScalars.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        var stem = name.dropLast(ending.count)
        while stem.utf8.count + ending.utf8.count > 200 { stem.removeLast() }
        return String(stem + ending)
    }

    private static func safe(_ name: String) -> String? {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
        return name
    }
}

/// Where `send` puts heads and bodies: a file, a pipe, or a terminal, which must not obey them.
struct BodyDestination {
    /// The name that the file got; `nil` before it is open, and on standard output.
    private(set) var path: String?
    private let target: OutputFile?
    private let standardOutput: any ByteOutput
    private var file: (any ByteOutput)?
    private var filter: TerminalFilter?
    private var decoder: CharsetDecoder?
    /// The body's first bytes, until there are enough for a byte order mark.
    private var start = Data()
    private var contentType: String?
    private var bodyHasBegun = false

    /// - Parameter file: `nil` for standard output.
    init(_ file: OutputFile?, standardOutput: any ByteOutput) {
        target = file
        self.standardOutput = standardOutput
    }

    /// A head, or trailers.
    mutating func write(_ bytes: Data) throws(OutputFailure) {
        try endBody()
        try put(bytes)
    }

    /// A piece of a body. A terminal gets its text, whatever encoding its `charset` names; files and pipes get the bytes.
    mutating func write(body bytes: Data, contentType: String?) throws(OutputFailure) {
        _ = try open()
        guard !bodyHasBegun, filter != nil else { return try put(decoder?.utf8(bytes) ?? bytes) }
        start += bytes
        self.contentType = contentType
        if start.count >= 3 { try beginBody() }
    }

    private mutating func beginBody() throws(OutputFailure) {
        decoder = CharsetDecoder(contentType: contentType, start: start)
        let bytes = start
        (start, bodyHasBegun) = (Data(), true)
        try put(decoder?.utf8(bytes) ?? bytes)
    }

    private mutating func endBody() throws(OutputFailure) {
        if !start.isEmpty { try beginBody() }
        bodyHasBegun = false
        guard let rest = decoder?.finish() else { return }
        decoder = nil
        try put(rest)
    }

    private mutating func put(_ bytes: Data) throws(OutputFailure) {
        let output = try open()
        try output.write(filter != nil ? Data(filter!.safe(bytes).utf8) : bytes)
    }

    /// A file is made also for a response without a body; a terminal's prompt starts on a line of its own.
    mutating func finish() throws(OutputFailure) {
        try endBody()
        let output = try open()
        if let rest = filter?.finish(), !rest.isEmpty { try output.write(Data(rest.utf8)) }
        if target != nil { file = nil }
    }

    /// A file may be a terminal, too: /dev/tty, or what /dev/stdout leads to.
    private mutating func open() throws(OutputFailure) -> any ByteOutput {
        if let file { return file }
        var output = standardOutput
        if let target { (output, path) = try target.open() }
        filter = output.isTerminal ? filter ?? TerminalFilter() : nil
        file = output
        return output
    }
}
