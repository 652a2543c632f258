import ArgumentParser
import CollectionRunner
import RequestCollections

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
