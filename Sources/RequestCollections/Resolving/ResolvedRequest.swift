package import NetworkLayer

/// A request with everything filled in: ready for a ``NetworkLayer/RequestOperation``, and what is to be done before and after it.
package struct ResolvedRequest: Sendable {
    package var id: RequestID
    package var request: Request
    package var configuration: RequestConfiguration
    package var priority: Priority
    /// What is said of a cookie jar; ``configuration`` has it already, when there is one.
    package var cookieJar = CookieJarChoice.unsaid
    /// Where its answer's body is written to when it has passed.
    package var output: PermittedOutput?
    /// The delay before it is sent, chosen at random between these bounds.
    package var delay: DelaySetting?
    /// Where each value that is sent comes from, in the order in which they were looked up.
    package var origins: [ValueOrigin]
    /// Texts that no screen, log or report may show: ``redactor`` finds them in every form.
    package var secrets: Set<String>
    /// Which secret goes where; each use is listed once.
    package var secretUses: [SecretUse] = []
    /// Credentials that stand in the file as they are: masked as well, and no secret to whoever has the file.
    package var literalCredentials: Set<String> = []
    /// What is run before it, in this order.
    package var needs: [ResolvedNeed] = []
    /// What it wants of the machine, allowed or not.
    package var wants: [NotedWant] = []
    /// Permission for the filters that are commands, as they are written.
    package var filterPermits: [ExactText: Permission] = [:]
    package var hydrate: ResolvedHydrate?
    /// What becomes of it when it opens a WebSocket.
    package var session: ResolvedSession?
    /// Where a token comes from, which is sent as a bearer.
    package var oauth2: OAuth2Definition?
    /// What the request's body was made of, when it has parts.
    package var multipart: MultipartBody?
    /// The body with the whole query, for a server that doesn't know its hash.
    package var wholeQuery: RequestBody?
    /// What stands for the start of the URL, as people read it, where a part of its address isn't known yet: `‹host›`.
    package var unknownAddress: String?
    package var captures: [CaptureDefinition] = []
    /// With their templates filled in.
    package var expectations: [ExpectationDefinition] = []
    /// The same.
    package var until: UntilDefinition?
    package var mock: ResolvedMock?
    /// Whether it will be the same when it is resolved again.
    package var isConstant = false

    /// Takes ``secrets`` out of whatever is shown, in each form in which they may travel, and ``literalCredentials``.
    package var redactor: Redactor { Redactor(secrets.union(literalCredentials)) }
}

/// A request to run before another.
package struct ResolvedNeed: Hashable, Sendable {
    package var request: RequestID
    /// It isn't run again while its last success is younger than this; `nil`: it is run every time.
    package var maxAge: Duration?
    package var location: SourceLocation

    package init(request: RequestID, maxAge: Duration? = nil, location: SourceLocation) {
        self.request = request
        self.maxAge = maxAge
        self.location = location
    }
}

/// A command to give the request to, as JSON, just before it is sent.
package struct ResolvedHydrate: Hashable, Sendable {
    package var words: [String]
    /// Where it runs: beside the file.
    package var directory: String
    /// Permission to run it; `nil` without a person's word.
    package var permit: Permission?
    package var location: SourceLocation

    package init(words: [String], directory: String, permit: Permission? = nil, location: SourceLocation) {
        self.words = words
        self.directory = directory
        self.permit = permit
        self.location = location
    }
}

extension RequestCollection {
    /// What is sent for a definition: defaults merged in, templates filled in.
    ///
    /// - Parameters:
    ///   - definition: also one that was edited and isn't saved.
    ///   - environment: `nil` for the collection's variables alone.
    ///   - variables: win over everything in the file, and are taken as they stand.
    ///   - secretVariables: those that nobody may see, also where the collection doesn't declare them, with the origins that a
    ///     person gave them for.
    ///   - sources: what templates may use. An error with code `unmet` names all that is missing in it.
    package func resolve(
        _ definition: RequestDefinition, environment: String?, variables: [String: JSONValue] = [:],
        secretVariables: [String: [OriginPattern]] = [:], with sources: TemplateEnvironment = TemplateEnvironment()
    ) throws(ResolutionError) -> ResolvedRequest {
        try resolving(
            definition, environment: environment, variables: variables, secretVariables: secretVariables, with: sources
        ) { (resolver) throws(ResolutionError) in try resolver.resolve() }
    }

    func resolving<Resolved>(
        _ definition: RequestDefinition, environment: String?, variables: [String: JSONValue],
        secretVariables: [String: [OriginPattern]], with sources: TemplateEnvironment,
        _ resolve: (inout RequestResolver) throws(ResolutionError) -> Resolved
    ) throws(ResolutionError) -> Resolved {
        let scope = try VariableScope(
            self, environment: environment, given: variables, givenSecrets: secretVariables, sources: sources,
            for: definition)
        var resolver = RequestResolver(definition, in: self, scope: scope)
        do throws(ResolutionError) {
            let resolved = try resolve(&resolver)
            if let refusal = resolver.scope.refusal { throw refusal }
            if let unmet = resolver.scope.unmetError { throw unmet }
            return resolved
        } catch {
            // With placeholders in it a URL may be none. What is surely wrong is said before anybody is asked for anything.
            guard !error.code.isCertain else { throw error }
            var error = error
            // A sentence about what was filled in has no secret in it.
            error.message = Redactor(resolver.scope.secretTexts).text(error.message)
            throw resolver.scope.refusal ?? resolver.scope.unmetError ?? error
        }
    }
}

extension ResolutionError.Code {
    /// Whether it is wrong whatever the answers are.
    fileprivate var isCertain: Bool {
        switch self {
        case .environment, .definition, .variable, .cycle, .unsupported, .unmet, .notAllowed: true
        case .template, .condition, .secret, .url, .header, .authentication, .body, .file: false
        }
    }
}

extension VariableScope {
    /// What nobody has allowed comes before anybody is asked for anything.
    fileprivate var refusal: ResolutionError? {
        guard !sources.showsPlaceholders else { return nil }
        let open = sources.trust.open(wants)
        return open.isEmpty ? nil : ResolutionError(refused: open, by: sources.trust, in: collection)
    }

    var unmetError: ResolutionError? {
        guard let first = unmet.first else { return nil }
        let needed = unmet.map(\.requirement.description).joined(separator: ", and ")
        return ResolutionError(.unmet, "the request needs \(needed)", at: first.location, requirements: unmet)
    }
}

/// Where one value of a request that is about to be sent comes from.
package struct ValueOrigin: Hashable, Sendable {
    package var subject: Subject
    package var source: Source
    /// `nil` for what doesn't stand in a file.
    package var location: SourceLocation?

    package init(_ subject: Subject, from source: Source, at location: SourceLocation?) {
        self.subject = subject
        self.source = source
        self.location = location
    }

    package enum Subject: Hashable, Sendable {
        case url
        case path(String)
        case query(String)
        case header(String)
        case cookie(String)
        case auth
        case body
        /// By key path: `timeouts.idle`.
        case setting(String)
        /// A variable that a template used.
        case variable(String)
    }

    package enum Source: Hashable, Sendable {
        case request
        /// The defaults of a folder, or of the collection when `nil`.
        case defaults(RequestID?)
        case environment(String)
        /// The `variables` of a folder, or of the collection when `nil`.
        case variables(RequestID?)
        /// An item of a `for-each`: without a run, the first one.
        case item
        /// Given on the command line with `--var`.
        case given
        /// From another request's response.
        case captured(RequestID)
        /// From another part of the request, such as the content type from the body.
        case derived
        /// What holds when no file says anything.
        case library
    }
}
