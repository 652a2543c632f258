import Foundation
import NetworkLayer
import RequestCollections

/// Gives a request to a command just before each attempt, and takes what it changes.
struct CommandHydrator: RequestHydrator {
    private let hydrate: ResolvedHydrate
    private let environment: [String: String]

    init(_ hydrate: ResolvedHydrate, environment: [String: String]) {
        self.hydrate = hydrate
        self.environment = environment
    }

    func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
        let command = Command(
            hydrate.words, directory: hydrate.directory, environment: environment,
            input: .data(Data(HydrationMessage(request).text.utf8)), timeout: .seconds(60), outputLimit: 16 << 20)
        return try HydrationMessage.apply(try await output(of: command), to: request, name: name)
    }

    private func output(of command: Command) async throws(HydrationError) -> Data {
        do throws(CommandError) {
            return try await command.run()
        } catch {
            throw HydrationError("\(name) \(error.predicate)")
        }
    }

    private var name: String { "the command `\(hydrate.words.joined(separator: " "))` of `hydrate`" }
}

/// Why a command could not complete a request.
struct HydrationError: Error, Hashable, CustomStringConvertible {
    var message: String

    init(_ message: String) { self.message = message }

    var description: String { message }
}
