import Base
import HTTPTypes
import NetworkLayer
import RequestCollections

/// Gives a request to a command just before each attempt, and takes what it changes.
struct CommandHydrator: RequestHydrator, DescribedRole {
    private let hydrate: ResolvedHydrate
    private let environment: [String: String]
    private let redactor: Redactor
    /// Called when the command has run well.
    private let ran: @Sendable () -> Void

    init(
        _ hydrate: ResolvedHydrate, environment: [String: String], hiding redactor: Redactor,
        ran: @escaping @Sendable () -> Void = {}
    ) {
        self.hydrate = hydrate
        self.environment = environment
        self.redactor = redactor
        self.ran = ran
    }

    func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
        let command = Command(
            hydrate.words, directory: hydrate.directory, environment: environment,
            input: .data(Data(HydrationMessage(request).text.utf8)), timeout: .seconds(60), outputLimit: 16 << 20)
        let changed = try HydrationMessage.apply(try await output(of: command), to: request, name: name, hiding: redactor)
        return changed.map { Self.labelled($0, after: request) }
    }

    /// What a command that was given secrets changes may be made of any of them, such as a signature.
    private static func labelled(_ changed: Request, after request: Request) -> Request {
        var changed = changed
        var parts: Set<RequestSecrets.Part> = []
        for name in Set(changed.headers.map(\.name)) where changed.headers[values: name] != request.headers[values: name] {
            parts.insert(.header(name.canonicalName))
        }
        if changed.body != request.body, changed.body != .none { parts.insert(.body) }
        if changed.url != request.url { parts.insert(.url) }
        let given = request.secrets.uses
        for part in parts {
            for use in given { changed.secrets.insert(.init(part: part, name: use.name, origins: use.origins)) }
        }
        return changed
    }

    private func output(of command: Command) async throws(HydrationError) -> Data {
        guard let permit = hydrate.permit else { throw HydrationError("\(name) isn't allowed") }
        do throws(CommandError) {
            let output = try await command.run(permit)
            ran()
            return output
        } catch {
            throw HydrationError("\(name) \(error.predicate)")
        }
    }

    var roleDescription: String { name }

    private var name: String { "the command `\(hydrate.words.joined(separator: " "))` of `hydrate`" }
}

/// Why a command could not complete a request.
struct HydrationError: Error, Hashable, CustomStringConvertible {
    var message: String

    init(_ message: String) { self.message = message }

    var description: String { message }
}

/// What a `hydrate` command reads, and what it answers.
///
/// It reads the request as JSON. What it prints is JSON with the same keys, those that it changes; what it leaves out stays as it was,
/// and nothing at all changes nothing.
///
/// | key | value |
/// |---|---|
/// | `method`, `url` | text |
/// | `headers` | an object: a text, or a list of texts for a field that is there several times. In the answer `null` removes one. |
/// | `body` | text |
/// | `body_base64` | instead of `body` for bytes that aren't text |
/// | `body_file` | instead of both for a body in a file; it is never read into memory for the command |
struct HydrationMessage {
    let text: String

    init(_ request: Request) {
        var members: [JSONValue.Member] = [
            .init(name: "method", value: .string(request.method.rawValue)),
            .init(name: "url", value: .string(request.url.absoluteString)),
            .init(name: "headers", value: .object(Self.headers(request.headers))),
        ]
        switch request.body {
        case .none, .stream: break
        case .file(let file): members.append(.init(name: "body_file", value: .string(file.path)))
        case .data(let data):
            if let text = String(validating: data, as: UTF8.self) {
                members.append(.init(name: "body", value: .string(text)))
            } else {
                members.append(.init(name: "body_base64", value: .string(data.base64EncodedString())))
            }
        }
        text = JSONValue.object(members).text(pretty: false)
    }

    private static func headers(_ fields: HTTPFields) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        for field in fields where !members.contains(where: { $0.name == field.name.rawName }) {
            let values = fields[values: field.name].map { JSONValue.string($0) }
            members.append(.init(name: field.name.rawName, value: values.count == 1 ? values[0] : .array(values)))
        }
        return members
    }

    /// - Parameters:
    ///   - name: of the command, for errors.
    ///   - redactor: takes secrets out of what errors quote, before that is shortened.
    static func apply(
        _ output: Data, to request: Request, name: String, hiding redactor: Redactor = Redactor()
    ) throws(HydrationError) -> Request? {
        let text = String(decoding: output, as: UTF8.self)
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        guard case .object(let members) = JSONParser.parse(text) else {
            throw HydrationError(
                "\(name) must print a JSON object, or nothing, and printed: \(redactor.text(text).prefix { !$0.isNewline }.prefix(80))"
            )
        }
        var request = request
        for member in members {
            switch (member.name, member.value) {
            case ("method", .string(let text)):
                guard let method = HTTPRequest.Method(text) else {
                    throw HydrationError("\(name) gives `\(text)`, which is no method")
                }
                request.method = method
            case ("url", .string(let text)):
                guard let url = URL(international: text) else { throw HydrationError("\(name) gives `\(text)`, which is no URL") }
                request.url = url
            case ("headers", .object(let fields)):
                for field in fields { try apply(field, to: &request, name) }
            case ("body", .string(let text)): request.body = .data(Data(text.utf8))
            case ("body", .null), ("body_base64", .null), ("body_file", .null): request.body = .none
            case ("body_base64", .string(let text)):
                guard let data = Data(base64Encoded: text) else {
                    throw HydrationError("\(name) gives a `body_base64` that isn't base64")
                }
                request.body = .data(data)
            case ("body_file", .string(let path)):
                // The same file stays the one that was allowed.
                if request.body != .file(path: path) { request.body = .file(path: path) }
            default:
                throw HydrationError(
                    "\(name) gives `\(member.name)`, which can't be set so; it may give method, url, headers, body, body_base64, body_file"
                )
            }
        }
        return request
    }

    private static func apply(_ field: JSONValue.Member, to request: inout Request, _ name: String) throws(HydrationError) {
        guard let fieldName = HTTPField.Name(field.name) else {
            throw HydrationError("\(name) gives the header `\(field.name)`, which is no header's name")
        }
        var values: [String] = []
        switch field.value {
        case .null: break
        case .string(let text): values = [text]
        case .array(let items):
            for case .string(let text) in items { values.append(text) }
            if values.count < items.count { fallthrough }
        default: throw HydrationError("\(name) gives the header `\(field.name)` something that isn't text")
        }
        guard values.allSatisfy({ HTTPField.isValidValue($0) }) else {
            throw HydrationError("\(name) gives the header `\(field.name)` a line break or another control character")
        }
        guard request.headers.count + values.count <= HTTPFields.limit else {
            throw HydrationError("\(name) gives more than \(HTTPFields.limit) headers; leave some out")
        }
        request.headers[values: fieldName] = values
    }
}
