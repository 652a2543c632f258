import Base
import RequestCollections

/// The format of `-w`, read: text with `%{variables}`, `%header{name}`, `%%` and the escapes `\n \r \t`.
struct WriteOut: Hashable {
    var pieces: [Piece]

    enum Piece: Hashable {
        case text(String)
        /// One of ``WriteOutValues/variables``.
        case variable(String)
        /// The value of a field of the last response; nothing when it isn't there.
        case header(String)
        /// A part of the URL: of the given one, or of the last one.
        case urlPart(URLPart, isLast: Bool)
        /// All figures, as JSON.
        case json
        /// The fields of the last response, as JSON.
        case headerJSON
        /// What follows is printed on standard error, or on standard output again.
        case standardError, standardOutput
        /// What follows goes to a file, at its end or in place of what is there.
        case file(String, appends: Bool)
        /// What follows is printed only when something failed.
        case onError
    }

    /// - Parameter text: the format, or `@FILE`.
    init(_ text: String, reading files: InputFiles) throws {
        // Like curl, we add no line feed: a format that is to end a line says \n.
        self = try WriteOut(format: text.hasPrefix("@") ? files.text(String(text.dropFirst())).filter { !$0.isNewline } : text)
    }

    init(format: String) throws {
        pieces = []
        var text = ""
        var rest = format[...]
        func flush(_ pieces: inout [Piece]) {
            if !text.isEmpty { pieces.append(.text(text)) }
            text = ""
        }
        while let character = rest.popFirst() {
            if character == "\\", let escaped = rest.popFirst() {
                switch escaped {
                case "n": text += "\n"
                case "r": text += "\r"
                case "t": text += "\t"
                default: text += "\\\(escaped)"
                }
            } else if character == "%", rest.first == "%" {
                rest.removeFirst()
                text += "%"
            } else if character == "%", let name = Self.braced(&rest, after: "{") {
                flush(&pieces)
                pieces.append(try Self.piece(name))
            } else if character == "%", let name = Self.braced(&rest, after: "header{") {
                flush(&pieces)
                pieces.append(.header(name))
            } else if character == "%", let name = Self.braced(&rest, after: "output{") {
                flush(&pieces)
                let path = name.hasPrefix(">>") ? String(name.dropFirst(2)) : name
                guard !path.isEmpty else { throw CommandFailure(.usage, "-w: %output{} names no file.") }
                pieces.append(.file(path, appends: path != name))
            } else {
                text.append(character)
            }
        }
        flush(&pieces)
    }

    private static func braced(_ rest: inout Substring, after start: String) -> String? {
        guard rest.hasPrefix(start), let end = rest.firstIndex(of: "}") else { return nil }
        let name = rest[..<end].dropFirst(start.count)
        rest = rest[rest.index(after: end)...]
        return String(name)
    }

    private static func piece(_ name: String) throws -> Piece {
        switch name {
        case "json": return .json
        case "header_json": return .headerJSON
        case "stderr": return .standardError
        case "stdout": return .standardOutput
        case "onerror": return .onError
        default:
            for (start, isLast) in [("url.", false), ("urle.", true)] where name.hasPrefix(start) {
                if let part = URLPart(rawValue: String(name.dropFirst(start.count))) { return .urlPart(part, isLast: isLast) }
            }
            guard WriteOutValues.variables.contains(where: { $0.name == name }) else {
                let names =
                    WriteOutValues.variables.map(\.name) + ["json", "header_json", "stderr", "stdout", "onerror"]
                    + URLPart.allCases.map { "url.\($0.rawValue)" }
                let near = nearestName(to: name, in: names).map { " Did you mean %{\($0)}?" } ?? ""
                throw CommandFailure(.usage, "-w: there is no %{\(name)}.\(near) It takes \(names.joined(separator: ", ")).")
            }
            return .variable(name)
        }
    }

    enum Place: Hashable {
        case standardOutput, standardError
        case file(String, appends: Bool)
    }

    /// What goes where, in its order. A terminal obeys what the format itself says, such as colours, and nothing of the values.
    func texts(_ values: WriteOutValues, isTerminal: (Place) -> Bool) -> [(place: Place, text: String)] {
        var texts: [(place: Place, text: String)] = []
        var place = Place.standardOutput
        loop: for piece in pieces {
            var text = ""
            switch piece {
            case .text(let literal): text = literal
            case .variable(let variable): text = values[variable].text
            case .header(let name): text = values.header(name)
            case .urlPart(let part, let isLast): text = values.part(part, isLast: isLast)
            case .json: text = values.json
            case .headerJSON: text = values.headerJSON
            case .standardError: place = .standardError
            case .standardOutput: place = .standardOutput
            case .file(let path, let appends):
                place = .file(path, appends: appends)
                // The file is created or emptied, even where nothing is written to it.
                texts.append((place, ""))
            case .onError:
                guard values.hasFailed else { break loop }
            }
            guard !text.isEmpty else { continue }
            if case .text = piece {} else if isTerminal(place) { text = TerminalFilter.safe(text) }
            if texts.last?.place == place { texts[texts.count - 1].text += text } else { texts.append((place, text)) }
        }
        return texts
    }
}

/// What `%{url.host}` and its like name.
enum URLPart: String, Hashable, CaseIterable {
    case scheme, user, password, options, host, port, path, query, fragment
    case zoneID = "zoneid"
}

extension WriteOut {
    /// Writes what the format says to where it says.
    func write(_ values: WriteOutValues, in context: CommandLineContext) throws(OutputFailure) {
        for (place, text) in texts(values, isTerminal: { $0.isTerminal(in: context) }) {
            let bytes = Data(text.utf8)
            switch place {
            case .standardOutput: try context.standardOutput.write(bytes)
            case .standardError: try context.standardError.write(bytes)
            case .file(let path, let appends): try FileOutput(path: path, appends: appends).write(bytes)
            }
        }
    }
}

extension WriteOut.Place {
    /// A device isn't opened to find it out: to another one than a terminal, a sign in place of a control character is all the same.
    fileprivate func isTerminal(in context: CommandLineContext) -> Bool {
        switch self {
        case .standardOutput: context.standardOutput.isTerminal
        case .standardError: context.standardError.isTerminal
        case .file(let path, _): FilePaths.isDevice(path)
        }
    }
}
