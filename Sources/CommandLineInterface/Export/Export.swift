import ArgumentParser
import Base
import Interchange
import NetworkLayer
import Presentation
import RequestCollections

/// `turnstone export`.
struct Export: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write saved requests in another program's language.",
        discussion: """
            `curl` gives a command for each request. The shell fills in the secrets: $SHOP_TOKEN, or $(pass show shop/token), and a function
            encodes them in a URL, a form or JSON. Everything else, including a password in the file, is written as it is. Unless the
            collection is trusted, a variable that you set stands for each of its commands; --allow-commands writes the commands.

            `locust` gives one Python file for Locust (https://locust.io), which sends the requests as load, from as many machines as there
            are: a task for each request, with its expectations; what it needs is sent before it, and what is captured is used. Environments
            and variables are --env and --var of that file; secrets are read where it runs. What can't be said in Python is a comment in the
            file, and on standard error.

            `hurl`, `http` and `opencollection` give files of Hurl, of JetBrains' HTTP Client, Visual Studio Code's REST Client and
            httpYac, and of Bruno; `har` gives an HTTP Archive, with everything filled in but secrets, and with the mocks' answers. What
            such a file can't say exactly is named on standard error. Secrets stay variables there. The
            variables are those of --env; with a / at the end of --output, the environments are written beside the requests, and Bruno
            gets a file for each request.

            Examples:
              turnstone export curl login                                  one command, to copy
              turnstone export curl shop.yaml --env staging > shop.sh
              turnstone export locust shop.yaml --output locustfile.py
              turnstone export locust shop.yaml --weight orders=5 --weight '#slow=1' -o locustfile.py
              locust -f locustfile.py --headless --users 50 --run-time 1m --env staging
              turnstone export hurl shop.yaml --env staging -o shop.hurl
              turnstone export http shop.yaml --dialect jetbrains -o shop/  with http-client.env.json
              turnstone export har shop.yaml -o shop.har            for browsers' tools and proxies
              turnstone export opencollection shop.yaml -o bruno/          a directory that Bruno opens
            """)

    @Argument(help: ArgumentHelp("\(ExportFormat.list).", valueName: "FORMAT"))
    var format: String

    @Argument(help: ArgumentHelp("A collection, then names, folders or patterns.", valueName: "COLLECTION|NAME"))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("Only requests with this tag. Repeatable.", valueName: "TAG"))
    var tag: [String] = []

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp("The environment; a Locust file uses it unless it is given another.", valueName: "NAME"))
    var environment: String?

    @OptionGroup
    var variables: VariableOptions

    @Option(
        help: ArgumentHelp(
            "How often Locust chooses these requests, compared with 1 for the others; #TAG means those with a tag. Repeatable.",
            valueName: "NAME=N"))
    var weight: [ExportWeight] = []

    @Option(
        help: ArgumentHelp(
            "Of a .http file: vscode, for programs that run no scripts, or jetbrains, with scripts about what responses give.",
            valueName: "DIALECT"))
    var dialect: HTTPFileExport.Dialect?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to a file, for its owner only; with a / at its end, for Hurl, .http and OpenCollection, to a new directory.",
            valueName: "FILE"))
    var output: String?

    @OptionGroup var trust: ExportTrustOptions

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        guard let format = ExportFormat(rawValue: format) else {
            throw CommandFailure(
                status: .usage, message: "There is no export to \(SafeText.line(format)). It takes \(ExportFormat.list).")
        }
        guard dialect == nil || format == .http else {
            throw CommandFailure(status: .usage, message: "--dialect is for a .http file.")
        }
        guard weight.isEmpty || format == .locust else {
            throw CommandFailure(status: .usage, message: "--weight is for a Locust file; \(format.title) sends once.")
        }
        if let output, output.hasSuffix("/"), [.curl, .locust, .har].contains(format) {
            throw CommandFailure(
                status: .usage,
                message: "`export \(format.rawValue)` writes one file, and \(output) is a directory; name a file in it.")
        }
        let choice = try CollectionChoice(words, environment: context.environment)
        try choice.warn(in: context)
        let selection = RequestSelection(names: choice.names, tags: tag)
        if let complaint = selection.complaint(about: choice.collections) {
            throw CommandFailure(status: .usage, message: complaint)
        }
        try choice.check(environment: environment)
        let exported: Exported
        switch format {
        case .curl: exported = try curl(choice.collections, selection, context)
        case .locust: exported = try locust(choice.collections, selection, context)
        case .hurl, .http, .har, .opencollection: exported = try collection(choice.collections, selection, as: format)
        }
        if let output, output.hasSuffix("/"), !exported.files.isEmpty {
            try ExportDirectory(output).write(exported.files)
        } else {
            let file: any ByteOutput = try output.map { try FileOutput(path: $0, isPrivate: true) } ?? context.standardOutput
            // A terminal would obey what stands in names and texts.
            let isShown = output == nil && context.standardOutput.isTerminal && format.isText
            let text = isShown ? exported.text.lines.map { SafeText.line($0) }.joined(separator: "\n") : exported.text
            try file.show(Data(text.utf8))
        }
        for note in exported.notes { try context.standardError.print("turnstone: \(SafeText.line(note))") }
        return exported.status
    }

    private static func absolute(_ directory: String) -> String {
        let path = URL(filePath: directory.isEmpty ? "." : directory).standardized.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    struct Exported {
        var text: String
        /// The same as a directory.
        var files: [ExportedCollection.File] = []
        var notes: [String] = []
        var status = ExitStatus.success
    }

    private func curl(
        _ collections: [RequestCollection], _ selection: RequestSelection, _ context: CommandLineContext
    ) throws -> Exported {
        let variables = try variables.values()
        var exported = Exported(text: "")
        for collection in collections {
            let requests = selection.requests(of: collection)
            for needed in collection.withNeeds(of: requests, environment: environment, variables: Set(variables.keys)) {
                // What it wants is what it says itself.
                let request = collection.request(needed.id) ?? needed
                if !exported.text.isEmpty { exported.text += "\n" }
                exported.text += "# \(SafeText.line("\(request.id)  \(request.location)"))\n"
                do {
                    let runsCommands = trust.allowsCommands(
                        of: [request], in: collection, environments: [environment], variables: variables, context)
                    let curl = try CurlExport(
                        request, in: collection, environment: environment, variables: variables, runsCommands: runsCommands)
                    for note in curl.notes { exported.text += "# \(SafeText.line(note))\n" }
                    exported.text += curl.command + "\n"
                } catch {
                    exported.text += "# \(SafeText.line("not exported: \(error)"))\n"
                    exported.notes.append("\(error)")
                    exported.status = .template
                }
            }
        }
        return exported
    }

    private func locust(
        _ collections: [RequestCollection], _ selection: RequestSelection, _ context: CommandLineContext
    ) throws -> Exported {
        guard variables.isEmpty else {
            throw CommandFailure(status: .usage, message: "--var belongs to the Locust file: locust -f FILE --var NAME=VALUE.")
        }
        guard collections.count == 1, let collection = collections.first else {
            let paths = collections.map(\.path).joined(separator: ", ")
            throw CommandFailure(status: .usage, message: "A Locust file is of one collection, and these are several: \(paths).")
        }
        let weights = weight
        for weight in weights where !collection.requests.contains(where: weight.includes) {
            throw CommandFailure(
                status: .usage, message: "--weight \(weight.name)=\(weight.weight): there is no such request or tag.")
        }
        let requests = selection.requests(of: collection)
        let runsCommands = trust.allowsCommands(
            of: requests, in: collection, environments: [nil] + collection.environmentNames, context)
        let file: LocustFile
        do {
            file = try LocustFile(
                collection, requests: requests, environment: environment,
                files: Self.absolute(collection.directory), runsCommands: runsCommands
            ) { request in weights.last { $0.includes(request) }?.weight ?? 1 }
        } catch let error as ResolutionError {
            throw CommandFailure(status: .template, message: "\(error)")
        }
        guard file.taskCount > 0 else {
            let reasons = file.notes.map { "\n  \($0)" }.joined()
            throw CommandFailure(status: .template, message: "Locust could send none of these requests:\(reasons)")
        }
        return Exported(text: file.text, notes: file.notes.map(\.description))
    }
}

/// `--weight orders=5`, `--weight '#slow=1'`.
struct ExportWeight: Hashable, Sendable, ExpressibleByArgument {
    var name: String
    /// At least 1.
    var weight: Int

    init?(argument: String) {
        guard let equals = argument.lastIndex(of: "="), equals != argument.startIndex,
            let weight = Int(argument[argument.index(after: equals)...]), weight >= 1
        else { return nil }
        name = String(argument[..<equals])
        self.weight = weight
    }

    func includes(_ request: RequestDefinition) -> Bool {
        if name.hasPrefix("#") { return request.tags.contains(String(name.dropFirst())) }
        return RequestSelection.matches(request.id.rawValue, name)
    }
}
