package import RequestCollections

/// What an importer makes of its source: the tree that all formats share, with names as people gave them. Texts have Turnstone's own
/// templates already; what depends on the whole, such as keys, secrets and what requests share, is ``assembled(_:)``'s.
package struct ImportedCollection: Hashable, Sendable {
    package var name: String
    package var description: String?
    package var variables: [ImportedVariable] = []
    package var environments: [ImportedEnvironment] = []
    package var auth: AuthDefinition?
    package var headers: [RequestDefinition.Row] = []
    /// The settings of requests that say nothing else.
    package var settings = RequestSettings()
    package var nodes: [ImportedNode] = []
    package var notes: [ImportNote] = []
    /// The comments of the headers, by name.
    package var comments: [String: String] = [:]
    /// The scripts of the whole, by the keys that they stand below.
    package var scripts: [String: String] = [:]
    /// What fetches the tokens that requests of other files name.
    var tokens: [String: OAuth2Definition] = [:]
    /// The values in bodies were made up, or are a page's examples: nothing in them is a secret.
    package var hasExampleBodies = false

    package init(name: String) {
        self.name = name
    }
}

extension ImportedCollection {
    /// - Parameter count: examples of responses beside the one that is a request's mock.
    mutating func noteExamples(_ count: Int) {
        guard count > 0 else { return }
        let what = count == 1 ? "1 more example response" : "\(count) more example responses"
        notes.append(ImportNote("", "\(what): a request has one `mock`, which is its first success"))
    }
}

package struct ImportedVariable: Hashable, Sendable {
    package var name: String
    package var value: Value
    /// The source says so.
    package var isSecret: Bool
    package var comment: String?
    /// Whether its value was made up from its type alone.
    package var isMadeUp = false

    package enum Value: Hashable, Sendable {
        case text(String)
        /// A list or map. Numbers are texts: a program that puts texts together has nothing else.
        case json(JSONValue)
        /// An environment variable of the machine, by its name.
        case environment(String)
        /// What a person types.
        case prompt(String)
    }

    package init(_ name: String, _ value: Value, isSecret: Bool = false, comment: String? = nil) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
        self.comment = comment
    }
}

package struct ImportedEnvironment: Hashable, Sendable {
    package var name: String
    package var variables: [ImportedVariable]
    /// What its source calls it, of which ``name`` may be made: environments of one name and several titles are several.
    let title: String

    package init(name: String, variables: [ImportedVariable] = []) {
        self.name = name
        self.variables = variables
        title = name
    }

    /// With a name made of what its source calls it.
    init(titled title: String, variables: [ImportedVariable]) {
        name = TreeKey.make(title, fallback: "environment")
        self.variables = variables
        self.title = title
    }
}

package indirect enum ImportedNode: Hashable, Sendable {
    case request(ImportedRequest)
    case folder(ImportedFolder)
}

package struct ImportedFolder: Hashable, Sendable {
    package var name: String
    package var description: String?
    package var variables: [ImportedVariable] = []
    package var auth: AuthDefinition?
    package var headers: [RequestDefinition.Row] = []
    /// The comments of the headers, by name.
    package var comments: [String: String] = [:]
    /// By the keys that they stand below.
    package var scripts: [String: String] = [:]
    package var nodes: [ImportedNode] = []
    /// What the source knows it by, whatever it is called.
    package var identity: String?

    package init(name: String) {
        self.name = name
    }
}

package struct ImportedRequest: Hashable, Sendable {
    package var name: String
    /// What its key is made of, where that isn't its name: an identifier that programs know it by.
    package var key: String?
    /// What the source knows it by, whatever it is called and wherever it goes: what finds it again in the next version.
    package var identity: String?
    /// What ``reference(to:)`` of another request names.
    package var reference: String?
    /// Its id and its name come from ``name``.
    package var definition: RequestDefinition
    package var variables: [ImportedVariable] = []
    /// By the names of variables, the references of the requests whose answers give them here. Where others capture one, too, it needs that.
    package var captors: [String: String] = [:]
    /// What its rows are about, by key path: `query.limit`, `body.form.name`.
    package var comments: [String: String] = [:]
    /// `/:name` in the URL takes a value of `path`; otherwise a colon is a colon.
    package var hasPathParameters = false

    package init(name: String, method: String = "GET", url: String = "") {
        self.name = name
        definition = RequestDefinition(
            id: RequestID(rawValue: ""), method: method, url: url, location: SourceLocation(path: "", line: 0, column: 0))
    }

    /// Stands in a template for the id of a request, until all have one.
    static func reference(to request: String) -> String { RequestReference.text(request) }
}

/// What a source calls a request. Of several sources that come together, each has a scope, so that `login` of one isn't `login` of another.
enum RequestReference {
    private static let (open, close, scopeEnd) = ("\u{F8FD}", "\u{F8FE}", "\u{F8FC}")

    static func text(_ name: String) -> String { open + name + close }

    static func scoped(_ name: String, _ scope: Int) -> String { "\(scope)\(scopeEnd)\(name)" }

    /// A name with its scope, and without: what a source itself doesn't have, it may mean of another one.
    static func names(_ name: String) -> [String] {
        guard let end = name.firstRange(of: scopeEnd)?.upperBound else { return [name] }
        return [name, String(name[end...])]
    }

    /// - Parameter text: of the request that has the first of these names that any has.
    static func replacing(in whole: String, with text: (_ names: [String]) -> String) -> String {
        var result = ""
        var rest = Substring(whole)
        while let start = rest.firstRange(of: open), let end = rest[start.upperBound...].firstRange(of: close) {
            result += rest[..<start.lowerBound] + text(names(String(rest[start.upperBound..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        return result + rest
    }
}

/// Something that people have to know about an import.
package struct ImportNote: Hashable, Sendable {
    /// The request or folder: `Orders / Create`; empty for the whole.
    package var place: String
    /// What, and why or what it became: "the test script: JavaScript isn't run".
    package var text: String
    /// Whether something is missing in the collection, or works differently there.
    package var isLoss: Bool

    package init(_ place: String, _ text: String, isLoss: Bool = true) {
        self.place = place
        self.text = text
        self.isLoss = isLoss
    }
}

extension [String] {
    /// Names from the outermost folder to the request.
    var place: String { joined(separator: " / ") }
}
