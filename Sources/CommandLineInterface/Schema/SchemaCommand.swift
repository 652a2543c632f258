import ArgumentParser
import Base
import Presentation
import RequestCollections

/// `turnstone schema`.
struct SchemaCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print a JSON Schema of the files that people write.",
        discussion: """
            With it an editor completes keys, says what each does, and marks what is wrong while you type. It is made from the tables that
            the program itself reads with (JSON Schema, draft 2020-12). `collection` is for every file of a collection: a whole one,
            _collection.yaml, _folder.yaml and a request of its own; `theme` for a file in Themes.

            Examples:
              turnstone schema > turnstone.schema.json
              turnstone schema theme > theme.schema.json

            The first line of a YAML file tells editors that use yaml-language-server where its schema is:
              # yaml-language-server: $schema=./turnstone.schema.json
            """)

    @Argument(help: ArgumentHelp("collection or theme.", valueName: "FORMAT"))
    var format = "collection"

    @Flag(help: ArgumentHelp("Print docs/format.md, the reference page of the collection format.", visibility: .hidden))
    var reference = false

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        if reference {
            try context.standardOutput.write(Data(FormatReference.text().utf8))
            return .success
        }
        guard let format = SchemaFormat(rawValue: format) else {
            let names = SchemaFormat.allCases.map(\.rawValue).joined(separator: " or ")
            throw CommandFailure(.usage, "There is no schema of \(SafeText.line(format)). It takes \(names).")
        }
        try context.standardOutput.write(Data(format.schema.utf8))
        return .success
    }
}

/// What a schema can be printed of.
enum SchemaFormat: String, CaseIterable, Sendable {
    case collection, theme

    /// JSON, with a line break at its end.
    var schema: String {
        switch self {
        case .collection: CollectionSchema.text()
        case .theme: ThemeSchema.text()
        }
    }
}
