import ArgumentParser
import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections

/// `--trust`, alone or with the hash of what is allowed.
enum TrustOption: Hashable, Sendable, ExpressibleByArgument {
    case everything
    /// `sha256:…`
    case hash(String)

    init?(argument: String) {
        if argument == "all" {
            self = .everything
        } else if argument.hasPrefix("sha256:"), argument.count == 71 {
            self = .hash(argument)
        } else {
            return nil
        }
    }

    /// What stands behind `--trust` is its value only when it is a hash: the next word may be a collection.
    static func written(_ arguments: [String]) -> [String] {
        var written: [String] = []
        var isOver = false
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { isOver = true }
            let next = arguments.dropFirst(index + 1).first ?? ""
            written.append(argument == "--trust" && !isOver && !next.hasPrefix("sha256:") ? "--trust=all" : argument)
        }
        return written
    }
}

/// The options of each command that sends what collections say.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow what the collections want, for this run; with a hash (of turnstone trust --hash), only when they want nothing else.",
            valueName: "sha256:…"))
    var trust: TrustOption?

    @Flag(help: "Never ask, not even at a terminal: what would need an answer fails.")
    var noInput = false

    /// Who is asked for values; `nil`: nobody.
    func prompter(_ context: CommandLineContext, beside screen: RunScreen? = nil) -> TerminalPrompter? {
        noInput ? nil : TerminalPrompter(context, beside: screen)
    }

    /// Who knows what is allowed in this run.
    func keeper(
        _ collections: [RequestCollection], environment: String? = nil, variables: [String: JSONValue] = [:],
        in context: CommandLineContext
    ) throws -> TrustKeeper {
        let store = TrustStore(environment: context.environment)
        var option = trust
        if option == nil, let text = context.environment["TURNSTONE_TRUST"], !text.isEmpty {
            guard case .hash(let hash)? = TrustOption(argument: text) else {
                throw CommandFailure(
                    status: .usage, message: "TURNSTONE_TRUST takes the hash that `turnstone trust --hash` prints: sha256:…")
            }
            option = .hash(hash)
        }
        switch option {
        case nil: return TrustKeeper(store: store, asker: noInput ? nil : TerminalTrustAsker(context))
        case .everything: return TrustKeeper(store: store, policy: .everything)
        case .hash(let hash):
            var sets: [ExactText: [NotedWant]] = [:]
            var found: [String] = []
            for collection in collections {
                let all = TrustHash.wants(of: collection, variables: variables)
                let these = environment.map { TrustHash.wants(of: collection, environment: $0, variables: variables) } ?? all
                for wants in [all, these] {
                    let text = TrustHash.text(wants, of: collection, home: context.environment["HOME"])
                    if !found.contains(text) { found.append(text) }
                    if text == hash { sets[ExactText(collection.path)] = wants }
                }
            }
            if sets.isEmpty {
                try context.standardError.print(
                    "turnstone: what the collections want isn't what \(hash) stands for any more; now it is \(found.joined(separator: ", "))"
                )
            }
            return TrustKeeper(store: store, policy: .these(sets))
        }
    }
}

extension CommandLineContext {
    /// What was found out about kept grants.
    func say(warningsOf trust: TrustKeeper) throws {
        for warning in trust.drainWarnings() { try standardError.print("turnstone: \(SafeText.line(warning))") }
    }
}

/// The options of commands that write what somebody pastes or runs later.
struct ExportTrustOptions: ParsableArguments {
    @Flag(help: "Write the collection's commands although they aren't allowed: whoever runs what is written runs them.")
    var allowCommands = false

    /// Whether the commands of a collection may stand in it: they run without a question.
    ///
    /// - Parameters:
    ///   - definitions: the requests that are written.
    ///   - environments: the ones that they are written in.
    func allowsCommands(
        of definitions: [RequestDefinition], in collection: RequestCollection, environments: [String?],
        variables: [String: JSONValue] = [:], _ context: CommandLineContext
    ) -> Bool {
        if allowCommands { return true }
        let trust = TrustKeeper(store: TrustStore(environment: context.environment)).trust(in: collection)
        return environments.allSatisfy { environment in
            trust.open(collection.wants(of: definitions, environment: environment, variables: variables)).isEmpty
        }
    }
}
