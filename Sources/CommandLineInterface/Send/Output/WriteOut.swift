import FoundationEssentials
import RequestCollections

/// The format of `-w`, read: text with `%{variables}`, `%header{name}`, `%%` and the escapes `\n \r \t`.
struct WriteOut: Hashable {
    var pieces: [Piece]

    enum Piece: Hashable {
        case text(String)
        case variable(WriteOutVariable)
        /// The value of a field of the last response; nothing when it isn't there.
        case header(String)
        /// All figures, as JSON.
        case json
        /// The fields of the last response, as JSON.
        case headerJSON
        /// What follows is printed on standard error, or on standard output again.
        case standardError, standardOutput
        /// What follows is printed only when something failed.
        case onError
    }

    /// - Parameter text: the format, or `@FILE`.
    init(_ text: String, reading files: InputFiles) throws {
        // As curl reads it: a format that is to end a line says \n.
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
            guard let variable = WriteOutVariable(rawValue: name) else {
                let names = WriteOutVariable.allCases.map(\.rawValue) + ["json", "header_json", "stderr", "stdout", "onerror"]
                let near = nearestName(to: name, in: names).map { " Did you mean %{\($0)}?" } ?? ""
                throw CommandFailure(
                    status: .usage, message: "-w: there is no %{\(name)}.\(near) It takes \(names.joined(separator: ", ")).")
            }
            return .variable(variable)
        }
    }

    /// What goes to standard output, and what to standard error.
    func text(_ values: WriteOutValues) -> (output: String, errors: String) {
        var output = ""
        var errors = ""
        var isError = false
        loop: for piece in pieces {
            let text: String
            switch piece {
            case .text(let literal): text = literal
            case .variable(let variable): text = values[variable].text
            case .header(let name): text = values.header(name)
            case .json: text = values.json
            case .headerJSON: text = values.headerJSON
            case .standardError:
                isError = true
                continue
            case .standardOutput:
                isError = false
                continue
            case .onError:
                guard values.hasFailed else { break loop }
                continue
            }
            if isError { errors += text } else { output += text }
        }
        return (output, errors)
    }
}

/// curl's variables, by curl's names, in the order of its JSON.
enum WriteOutVariable: String, Hashable, CaseIterable {
    case certs
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
    case proxyVerifyResult = "proxy_ssl_verify_result"
    case redirectURL = "redirect_url"
    case referer
    case remoteIP = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
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
    case timePreTransfer = "time_pretransfer"
    case timeRedirect = "time_redirect"
    case timeStartTransfer = "time_starttransfer"
    case timeTotal = "time_total"
    case url
    case urlEffective = "url_effective"
    case urlNumber = "urlnum"
}
