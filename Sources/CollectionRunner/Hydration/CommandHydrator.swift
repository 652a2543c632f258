import Base
import HTTPTypes
import NetworkLayer
import RequestCollections

/// Gives a request to a command just before each attempt, and takes what it changes.
struct CommandHydrator: RequestHydrator, DescribedRole {
    private let hydrate: ResolvedHydrate
    private let environment: [String: String]
    private let redactor: Redactor

    init(_ hydrate: ResolvedHydrate, environment: [String: String], hiding redactor: Redactor) {
        self.hydrate = hydrate
        self.environment = environment
        self.redactor = redactor
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
            return try await command.run(permit)
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
