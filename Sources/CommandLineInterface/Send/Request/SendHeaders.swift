import Base
import HTTPTypes
import NetworkLayer

/// The header fields of a `send`: what options imply, then what `-H` says, which wins.
struct SendHeaders {
    private let arguments: SendArguments
    private let body: SendBody
    private let files: InputFiles
    private let now: Date

    init(_ arguments: SendArguments, body: SendBody, reading files: InputFiles, now: Date) {
        self.arguments = arguments
        self.body = body
        self.files = files
        self.now = now
    }

    /// In curl's order, with the names of those that the transport is to leave out, and whether it may ask a server to say that it
    /// wants the body (`Expect`), which curl does for those of more than 1 MiB and of unknown length.
    func fields() throws -> (HTTPFields, omitted: [String], mayExpect: Bool) {
        let (given, removed) = try given()
        var fields = try implied()
        for field in given { fields[field.name] = nil }
        for name in removed { fields[name] = nil }
        for field in given { fields.append(try formField(field)) }
        // The transport adds these when they aren't there.
        let omitted =
            [HTTPField.Name.userAgent, .accept].filter { fields[$0] == nil } + removed.filter(Self.transportsOwn.contains)
        let expect = HTTPField.Name.expect
        return (fields, omitted.map(\.rawName), mayExpect: !removed.contains(expect) && fields[expect] == nil)
    }

    /// The type of a form says what stands between its parts, also when `-H` names it.
    private func formField(_ field: HTTPField) throws -> HTTPField {
        guard field.name == .contentType, let boundary = body.boundary else { return field }
        guard ContentType(field.value)["boundary"] == nil else {
            throw CommandFailure(.usage, "-F makes the boundary of its parts itself: leave it out of -H 'Content-Type'.")
        }
        return HTTPField(name: field.name, value: "\(field.value); boundary=\(boundary)")
    }

    /// Fields that the transport adds by itself.
    private static let transportsOwn = [HTTPField.Name("Proxy-Connection")!, HTTPField.Name("Host")!]

    private func implied() throws -> HTTPFields {
        var fields = HTTPFields()
        func add(_ name: HTTPField.Name, _ value: String?, _ option: String) throws {
            guard let value = value.map({ String(FieldSyntax.trimmed($0[...])) }) else { return }
            guard HTTPField.isValidValue(value) else {
                throw CommandFailure(.usage, "\(option): the value has a line break or another control character.")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        try add(.authorization, try authorization(), "--oauth2-bearer")
        try add(.range, arguments.range.map { "bytes=\($0)" }, "--range")
        let userAgent = arguments.userAgent ?? "turnstone/\(Version.text)"
        try add(.userAgent, userAgent.isEmpty ? nil : userAgent, "--user-agent")
        try add(.accept, body.accept ?? "*/*", "--json")
        let referer = arguments.referer.map { $0.hasSuffix(";auto") ? String($0.dropLast(5)) : $0 }
        try add(.referer, referer.flatMap { $0.isEmpty ? nil : $0 }, "--referer")
        let cookies = arguments.cookieFields.joined(separator: "; ")
        try add(.cookie, cookies.isEmpty ? nil : cookies, "--cookie")
        if let text = arguments.timeCondition {
            let condition = TimeCondition(text, now: now)
            try add(condition?.field ?? .ifModifiedSince, condition?.value, "--time-cond")
        }
        if let path = arguments.etagCompare {
            let isThere = arguments.etagSave == nil || FilePaths.exists(path)
            let tag = isThere ? try files.text(path).lines.joined() : ""
            try add(.ifNoneMatch, tag.isEmpty ? "\"\"" : tag, "--etag-compare")
        }
        try add(.contentType, body.contentType, "--data")
        return fields
    }

    private func authorization() throws -> String? {
        // As in curl, a token goes before a name.
        if let bearer = arguments.bearer { return "Bearer \(bearer)" }
        if let user = arguments.user, arguments.sendsBasic {
            guard user.contains(":") else {
                throw CommandFailure(.usage, "-u \(user) has no password. It takes USER:PASSWORD, or USER: for an empty one.")
            }
            return "Basic " + Data(user.utf8).base64EncodedString()
        }
        return nil
    }

    /// What `-H` and tnlcli's options say, and the names that are to be left out.
    private func given() throws -> (fields: HTTPFields, removed: [HTTPField.Name]) {
        var fields = HTTPFields()
        var removed: [HTTPField.Name] = []
        if let path = arguments.headersFile {
            for (name, value) in try TnlcliSetting.strings(path, of: "--request-headers-file", reading: files) {
                fields.append(try Self.field("\(name): \(value)").field)
            }
        }
        for argument in arguments.headers {
            for line in try lines(of: argument) {
                let (field, isRemoved) = try Self.field(line)
                if isRemoved { removed.append(field.name) } else { fields.append(field) }
                guard fields.count <= HTTPFields.limit else {
                    throw CommandFailure(.usage, "-H gives more than \(HTTPFields.limit) headers. Leave some out.")
                }
            }
        }
        return (fields, removed)
    }

    private func lines(of argument: String) throws -> [String] {
        guard argument.begins(with: "@") else { return [argument] }
        return try files.text(String(argument.unicodeScalars.dropFirst())).lines.filter { !$0.isEmpty }.map(String.init)
    }

    /// What `--proxy-header` says.
    static func proxyFields(_ lines: [String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for line in lines { fields.append(try field(line).field) }
        return fields
    }

    static func field(_ line: String) throws -> (field: HTTPField, isRemoved: Bool) {
        let isEmpty = !line.utf8.contains(UInt8(ascii: ":")) && line.ends(with: ";")
        guard let parts = isEmpty ? (before: Substring(line.unicodeScalars.dropLast()), behind: "") : line.halves(at: ":") else {
            throw CommandFailure(.usage, "-H '\(line)' has no colon. It takes 'Name: value', or 'Name;' for an empty one.")
        }
        guard let name = HTTPField.Name(String(parts.before)) else {
            throw CommandFailure(.usage, "-H '\(line)': '\(parts.before)' is not the name of a header field.")
        }
        let value = Self.unfolded(FieldSyntax.trimmed(parts.behind))
        guard HTTPField.isValidValue(value) else {
            throw CommandFailure(.usage, "-H '\(name)': the value has a line break or another control character.")
        }
        return (HTTPField(name: name, value: value), !isEmpty && value.isEmpty)
    }

    /// A value that goes on in lines which begin with a blank, as old ones do, in one line: whoever reads it puts a blank there
    /// (RFC 9112, section 5.2).
    private static func unfolded(_ value: Substring) -> String {
        let lines = value.lines
        guard lines.count > 1, lines.dropFirst().allSatisfy({ $0.begins(with: " ") || $0.begins(with: "\t") }) else {
            return String(value)
        }
        return lines.map(FieldSyntax.trimmed).joined(separator: " ")
    }
}
