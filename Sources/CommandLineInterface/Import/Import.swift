import ArgumentParser
import Base
package import Interchange
import Presentation
import RequestCollections

/// `turnstone import`.
struct Import: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a collection from another program's requests.",
        discussion: """
            A file's content tells what it is: \(ImportKind.list). An environment comes along when its file is named too; of several
            files with requests, and of a directory with several, each becomes a folder, in their order.

            An OpenAPI document may consist of several files: what it refers to is read from its directory, and from nowhere else unless
            --trust is given. Nothing is run, and no server is asked. Examples of responses become mocks: `explore --mocks` answers with them.

            No secret is copied: passwords, tokens and keys become environment variables. The last lines name those to set, and what has no
            equivalent.

            What test scripts of Postman, Insomnia and JetBrains' HTTP Client check in a response and keep of it becomes `expect` and
            `capture`; a script that does anything else is kept below `x-test-script` of its request, and isn't run.

            With --update, a newer version of what a collection was imported from is merged into its files: what you have edited since, your
            comments and your order stay, and what came, changed and went is listed. Where both changed the same entry, yours stays and both
            values are named; --theirs takes the other one. What the last import made is kept as digests beside the collection, in
            NAME.import.json or, in a directory, _import.json: commit it with the collection.

            Examples:
              turnstone import shop.postman_collection.json -o shop.yaml
              turnstone import shop.json staging.postman_environment.json -o shop.yaml
              turnstone import bruno/ -o shop.yaml               a directory of Bruno's, of .bru files or in YAML
              turnstone import thunder-tests/ -o shop.yaml       the files of a directory, in the order of their names
              turnstone import shop.json -o shop/                a directory, with a file for each request
              turnstone import --curl 'curl -d a=b https://example.com/'
              turnstone import openapi.yaml -o shop.yaml --update --dry-run     what a newer version would change
              pbpaste | turnstone import -                       standard input to standard output
            """)

    @Argument(help: ArgumentHelp("Files; - for standard input.", valueName: "FILE"))
    var files: [String] = []

    @Option(help: ArgumentHelp("What the files are. Default: what their content shows.", valueName: "KIND"))
    var from: ImportKind?

    @Option(help: ArgumentHelp("A command for curl, instead of a file. Repeatable.", valueName: "COMMAND"))
    var curl: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A file, or with a / at its end a directory. Default: standard output.", valueName: "FILE"))
    var output: String?

    @Option(help: ArgumentHelp("The collection's name. Default: what the file says.", valueName: "NAME"))
    var name: String?

    @Flag(help: "Replace what is there already.")
    var force = false

    @Flag(help: "Merge into what an earlier import made; your edits stay.")
    var update = false

    @Option(
        help: ArgumentHelp(
            "With --update, take the import's values here, also where you have others: a request or folder, `orders/create query.limit`, "
                + "`variables.host`. Repeatable.", valueName: "PLACE"))
    var theirs: [String] = []

    @Flag(help: "Say what would be done, and write nothing.")
    var dryRun = false

    @Flag(help: "Copy secrets into the collection.")
    var keepSecrets = false

    @Flag(help: "Exit with 1 when something had to be left out.")
    var strict = false

    @Flag(help: "Also read files that an OpenAPI document refers to outside of its directory.")
    var trust = false

    @Flag(name: .customLong("static"), help: "Keep a recording's static files, too: images, fonts, styles and scripts.")
    var keepsStatic = false

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let target = ImportTarget(output)
        if update || !theirs.isEmpty, let status = try updateExisting(target, in: context) { return status }
        if !force { try target.checkIsFree() }
        let sources = try sources(in: context)
        let assembled = try assembled(sources.collection, for: target)
        if !dryRun { try target.write(assembled, keepsBase: sources.kinds != [.curl], in: context) }
        let report = ImportReport(assembled, kinds: sources.kinds, file: target.variablesFile)
        for line in report.lines { try context.standardError.print(SafeText.line(line)) }
        // An import of nothing but what was left out isn't one.
        return report.hasLosses && (strict || assembled.requestCount == 0) ? .expectationFailed : .success
    }

    /// What the files come to, as a collection in this place. Nothing is written.
    ///
    /// - Parameter places: where requests are in the collection that is updated.
    func assembled(
        _ imported: ImportedCollection, for target: ImportTarget, places: [RequestID: RequestID] = [:]
    ) throws(CommandFailure) -> AssembledImport {
        var options = ImportOptions(path: target.path)
        options.form = target.form
        options.keepsSecrets = keepSecrets
        options.places = places
        options.filesDirectory = target.directory(
            // What a directory of Bruno's names lies in the directory itself.
            ofSources: files.map { FilePaths.isDirectory($0) ? $0 + "/bruno.json" : $0 })
        do throws(CollectionProblem) {
            return try imported.assembled(options)
        } catch {
            throw CommandFailure(status: .usage, message: SafeText.line("\(error)"))
        }
    }
}

extension ImportKind: ExpressibleByArgument {
    /// For sentences: "postman, openapi or curl".
    static var list: String {
        let names = allCases.map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
