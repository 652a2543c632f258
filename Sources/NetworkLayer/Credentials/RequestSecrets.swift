/// What of a request nobody but certain servers may get, and which those are.
///
/// It is the *value* that is secret, whatever the field is called: `RedirectRules` take a part with a secret in it out of a request
/// that leaves the secret's origins, and refuse a redirect that would carry it out by other means. A request that is kept (`Codable`)
/// doesn't keep them: what is kept has been redacted.
///
///     var request = Request(url: "https://api.example.com/orders")
///     request.headers[apiKey] = key
///     request.secrets.insert(key, named: "key", in: .header("x-api-key"), for: [OriginPattern("https://api.example.com")!])
package struct RequestSecrets: Sendable, Hashable {
    package private(set) var uses: [Use] = []
    /// The texts themselves and all that was made of them, to find them where they come back.
    private var texts: [[OriginPattern]: Set<String>] = [:]

    package init() {}

    package var isEmpty: Bool { uses.isEmpty && texts.isEmpty }

    package struct Use: Sendable, Hashable {
        package var part: Part
        /// What people know it by, such as the name of its variable.
        package var name: String
        package var origins: [OriginPattern]
        /// Where it stands in the part, in bytes of UTF-8; empty: somewhere.
        package var ranges: [Range<Int>]
        /// The length of the part, in bytes, when the ranges were found: in a part that has changed since, they no longer hold.
        package var length: Int?

        /// A use of the secret that people know as `name`; with no origins it may go nowhere.
        package init(part: Part, name: String, origins: [OriginPattern], ranges: [Range<Int>] = [], length: Int? = nil) {
            self.part = part
            self.name = name
            self.origins = origins
            self.ranges = ranges
            self.length = length
        }

        /// Whether one of ``origins`` contains this origin; never, when there are none.
        package func mayGo(to origin: Origin) -> Bool { origins.contains { $0.contains(origin) } }
    }

    package enum Part: Sendable, Hashable {
        /// Anywhere in the URL: its user, path or query.
        case url
        /// By its name in lower case.
        case header(String)
        case body
    }

    /// Adds a use, unless an equal one is there already. It makes no text known: see ``know(_:for:)``.
    package mutating func insert(_ use: Use) {
        if !uses.contains(use) { uses.append(use) }
    }

    /// - Parameter text: is looked for in the `Location` of redirects, in every form in which it may travel.
    package mutating func insert(
        _ text: String, named name: String, in part: Part, for origins: [OriginPattern]
    ) {
        insert(Use(part: part, name: name, origins: origins))
        know([text], for: origins)
    }

    /// Texts that may go to these origins alone, wherever they turn up.
    package mutating func know(_ texts: some Sequence<String>, for origins: [OriginPattern]) {
        let texts = texts.filter { !$0.isEmpty }
        if !texts.isEmpty { self.texts[origins, default: []].formUnion(texts) }
    }

    /// The secrets in a part that may not go there.
    func withheld(_ part: Part, from origin: Origin) -> [Use] {
        uses.filter { $0.part == part && !$0.mayGo(to: origin) }
    }

    /// Finds what may not go there.
    func redactor(ofThoseWithheldFrom origin: Origin) -> Redactor {
        Redactor(texts.filter { origins, _ in !origins.contains { $0.contains(origin) } }.values.joined())
    }

    /// Without the uses in these parts; what is known stays known.
    package mutating func removeUses(where isRemoved: (Part) -> Bool) {
        uses.removeAll { isRemoved($0.part) }
    }
}

extension RequestSecrets: CustomStringConvertible, CustomReflectable {
    /// Where they are, and never what they are.
    package var description: String { "RequestSecrets(\(uses.map { "\($0.name) in \($0.part)" }.joined(separator: ", ")))" }

    package var customMirror: Mirror { Mirror(self, children: ["uses": uses]) }
}

extension RequestSecrets.Part: CustomStringConvertible {
    /// The part of the request as words for a sentence.
    package var description: String {
        switch self {
        case .url: "the URL"
        case .header(let name): name
        case .body: "the body"
        }
    }
}
