import Base
import RequestCollections

/// The format of `-w`, read: text with `%{variables}`, `%header{name}`, `%%` and the escapes `\n \r \t`.
struct WriteOut: Hashable {
    var pieces: [Piece]

    enum Piece: Hashable {
        case text(String)
        case variable(WriteOutVariable)
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
                guard !path.isEmpty else { throw CommandFailure(status: .usage, message: "-w: %output{} names no file.") }
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
            guard let variable = WriteOutVariable(rawValue: name) else {
                let names =
                    WriteOutVariable.allCases.map(\.rawValue) + ["json", "header_json", "stderr", "stdout", "onerror"]
                    + URLPart.allCases.map { "url.\($0.rawValue)" }
                let near = nearestName(to: name, in: names).map { " Did you mean %{\($0)}?" } ?? ""
                throw CommandFailure(
                    status: .usage, message: "-w: there is no %{\(name)}.\(near) It takes \(names.joined(separator: ", ")).")
            }
            return .variable(variable)
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

/// curl's variables, by curl's names, in the order of its JSON.
enum WriteOutVariable: String, Hashable, CaseIterable {
    case certs
    case connectionID = "conn_id"
    case contentType = "content_type"
    case errorMessage = "errormsg"
    case exitCode = "exitcode"
    case fileName = "filename_effective"
    case ftpEntryPath = "ftp_entry_path"
    case httpCode = "http_code"
    case httpConnect = "http_connect"
    case httpVersion = "http_version"
    case localIP = "local_ip"
    case localPort = "local_port"
    case method
    case certificateCount = "num_certs"
    case connectCount = "num_connects"
    case headerCount = "num_headers"
    case redirectCount = "num_redirects"
    case retryCount = "num_retries"
    case proxyUsed = "proxy_used"
    case proxyVerifyResult = "proxy_ssl_verify_result"
    case redirectURL = "redirect_url"
    case referer
    case remoteIP = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
    case sizeDelivered = "size_delivered"
    case sizeDownload = "size_download"
    case sizeHeader = "size_header"
    case sizeRequest = "size_request"
    case sizeUpload = "size_upload"
    case speedDownload = "speed_download"
    case speedUpload = "speed_upload"
    case verifyResult = "ssl_verify_result"
    case timeAppConnect = "time_appconnect"
    case timeConnect = "time_connect"
    case timeNameLookup = "time_namelookup"
    case timePostTransfer = "time_posttransfer"
    case timePreTransfer = "time_pretransfer"
    case timeQueue = "time_queue"
    case timeRedirect = "time_redirect"
    case timeStartTransfer = "time_starttransfer"
    case timeTotal = "time_total"
    case earlyData = "tls_earlydata"
    case url
    case urlEffective = "url_effective"
    case urlNumber = "urlnum"
    case transferID = "xfer_id"
}
