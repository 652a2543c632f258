import ArgumentParser
import Base
package import Interchange
import NetworkLayer
import Presentation
import RequestCollections

/// `turnstone init`.
struct Init: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Begin a collection here.",
        discussion: """
            Writes Collections/NAME.yaml, which `turnstone` and `turnstone run` find by themselves, and beside it the schema for editors and
            a .gitignore for files that are private. Nothing that is there already is replaced, and nothing is sent.
            A newer version of a file that it began with is merged in by `turnstone import --update`.

            Examples:
              turnstone init                                    a collection with one request, to go on from
              turnstone init https://api.example.com/orders     with this request
              turnstone init 'curl -d qty=2 https://example.com/orders'
              turnstone init openapi.yaml                       with the requests of a file, as `turnstone import` takes it
            """)

    @Argument(help: ArgumentHelp("A URL, a command for curl (one word, in quotes), or a file to import.", valueName: "SOURCE"))
    var source: String?

    @Option(help: ArgumentHelp("The collection's name, and that of its file. Default: what the source says.", valueName: "NAME"))
    var name: String?

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let (text, title, report, base) = try contents(in: context)
        let path = "\(Self.directory)/\(Self.fileName(title)).yaml"
        do throws(OutputFailure) {
            try FilePaths.makeDirectory(Self.directory)
            try Self.write(Self.schemaLine + text, to: path)
            if let base { try? Self.write(base.text, to: ImportBase.path(of: path, .file)) }
            try? Self.write(CollectionSchema.text(), to: "\(Self.directory)/\(Self.schemaFile)")
            try? Self.write(Self.ignored, to: "\(Self.directory)/.gitignore")
        } catch {
            guard error.errno == EEXIST else { throw error }
            throw CommandFailure(
                status: .usage, message: "\(SafeText.line(path)) is there already. --name gives the new collection another name.")
        }
        for line in report { try context.standardError.print(SafeText.line(line)) }
        try context.standardOutput.print(
            """
            Wrote \(SafeText.line(path)).
              turnstone        opens it in the explorer
              turnstone run    sends what is in it
            """)
        return .success
    }

    fileprivate static let directory = "Collections"
    private static let schemaFile = "turnstone.schema.json"
    private static let schemaLine = "# yaml-language-server: $schema=./\(schemaFile)\n"

    private static let ignored = """
        # Secrets belong into the environment or a password manager, not into these files; and if they are here, not into git.
        .env
        *.key
        *.p12

        """

    /// The collection's text, its name, what is to be said about it, and what a later `import --update` has to know of a file.
    private func contents(
        in context: CommandLineContext
    ) throws -> (text: String, title: String, report: [String], base: ImportBase?) {
        guard let source else {
            let title = name ?? "First"
            return (Self.beginning(title), title, [], nil)
        }
        let (isFile, isCommand) = (FilePaths.exists(source), Self.isCommand(source))
        let words = isFile ? [source] : ["--curl", isCommand ? source : "curl '\(source)'"]
        guard isFile || isCommand || Self.isURL(source) else {
            throw CommandFailure(
                status: .usage, message: "\(SafeText.line(source)) is no file that is there, no URL and no command for curl.")
        }
        let name = name ?? (isFile ? nil : Self.host(in: source))
        let command = try Import.parse(words + (name.map { ["--name", $0] } ?? []))
        let target = ImportTarget("\(Self.directory)/\(Self.fileName(name ?? "imported")).yaml")
        let sources = try command.sources(in: context)
        let assembled = try command.assembled(sources.collection, for: target)
        let title = name ?? (assembled.collection.name.isEmpty ? "First" : assembled.collection.name)
        let file = "\(Self.directory)/\(Self.fileName(title)).yaml"
        let report = ImportReport(assembled, kinds: sources.kinds, file: file)
        // Nobody thinks of a URL as something that is imported.
        let lines = isFile || isCommand || report.hasLosses ? report.lines : Array(report.lines.dropFirst())
        let keepsBase = isFile && sources.kinds != [.curl]
        let base = keepsBase ? try ImportBase(assembled.collection, identities: assembled.identities) : nil
        return (try assembled.collection.text(), title, lines, base)
    }

    /// The host of the first URL, the best name for a collection of one request. What stands before the host may be a password.
    private static func host(in source: String) -> String? {
        let start = source.firstRange(of: "://")?.upperBound
        guard let start = start ?? (isCommand(source) ? nil : source.startIndex) else { return nil }
        let authority = source[start...].prefix { !"/?#'\"\\ ".contains($0) }
        let host = authority[(authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...]
        guard host.first.map({ $0.isLetter || $0.isNumber }) == true else { return nil }
        return String(host.prefix { $0 != ":" })
    }

    private static func isCommand(_ text: String) -> Bool { text.hasPrefix("curl ") }

    /// A host has a dot, a port or a scheme; `localhost` alone is as likely a slip, and so is a file's name.
    private static func isURL(_ text: String) -> Bool {
        let path = text.lowercased().prefix { $0 != "?" && $0 != "#" }
        if !text.contains("://"), fileEndings.contains(where: path.hasSuffix) { return false }
        return text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "'" }
            && (text.contains(".") || text.contains(":") || text.contains("/"))
    }

    /// The endings of files that can be imported.
    private static let fileEndings = [".yaml", ".yml", ".json", ".har", ".http", ".rest", ".hurl", ".bru", ".sh", ".txt"]

    /// Letters, digits and hyphens: what every file system and every shell takes.
    fileprivate static func fileName(_ title: String) -> String {
        var name = ""
        for scalar in title.lowercased().unicodeScalars {
            let isKept = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if isKept { name.unicodeScalars.append(scalar) } else if name.last != "-", !name.isEmpty { name += "-" }
        }
        while name.last == "-" { name.removeLast() }
        return name.isEmpty ? "first" : String(name.prefix(60))
    }

    private static func write(_ text: String, to path: String) throws(OutputFailure) {
        try FileOutput(path: path, isNew: true).write(Data(text.utf8))
    }

    private static func beginning(_ title: String) -> String {
        """
        turnstone: 1
        name: \(JSONText.quoted(title))
        variables:
          host: http://127.0.0.1:8080      # `turnstone demo-server` answers there
        environments:
          local: {}
          # production:
          #   host: https://api.example.com
          #   token: { secret: { env: API_TOKEN } }
        defaults:
          headers: { accept: application/json }
        requests:
          hello:
            get: "{{host}}/anything"
            query: { name: Ada }
            expect: { status: 200, body: { .query.name: Ada } }

        """
    }
}

/// Another program's files, as the explorer opens them.
package enum ForeignFiles {
    /// A file or a directory as the collection in `./Collections` that `turnstone import` would make of it. Nothing is written.
    package static func collection(at path: String, keepsSecrets: Bool) throws -> AssembledImport {
        do {
            let command = try Import.parse((keepsSecrets ? ["--keep-secrets"] : []) + ["--", path])
            let sources = try command.sources(in: nil)
            var made = try command.assembled(sources.collection, for: ImportTarget("\(Init.directory)/imported.yaml"))
            made.collection.path = "\(Init.directory)/\(Init.fileName(made.collection.name)).yaml"
            return made
        } catch let error as CommandFailure {
            throw CollectionFileError(path: path, message: error.message)
        }
    }
}
