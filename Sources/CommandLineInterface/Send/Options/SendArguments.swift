import NetworkLayer

/// What a command line of `turnstone send` says, before a file is read or anything is sent.
struct SendArguments: Hashable, Sendable {
    // MARK: The request

    /// For one transfer: ``SendTransfers`` takes it, ``output``, ``usesRemoteName`` and ``upload`` out of ``targets``.
    var url: String?
    var targets: [Target] = []
    /// For a URL without a scheme.
    var defaultScheme: String?
    var method: String?
    /// `Name: value`, `Name:` to leave a default out, `Name;` for an empty value, `@file` for lines of these.
    var headers: [String] = []
    /// In the order of the command line, whatever their options.
    var data: [DataArgument] = []
    var form: [FormArgument] = []
    /// What of the body stands behind the URL.
    var items: [RequestItem] = []
    var query: [DataArgument] = []
    var upload: String?
    var putsDataInURL = false
    /// A path with its dots.
    var keepsPath = false
    /// Braces and brackets of the URL are meant as they are.
    var isLiteralURL = false
    var head = false
    var user: String?
    var bearer: String?
    /// `-u` is for the scheme of this; basic when `nil`.
    var scheme: AuthenticationScheme?
    /// The server says which scheme it takes, and is asked first.
    var choosesScheme = false
    /// Unless `-u` says who we are.
    var usesNetrc = false
    /// What the URL says goes before the file.
    var netrcIsOptional = false
    /// `nil`: the one at home.
    var netrcFile: String?
    var userAgent: String?
    var referer: String?
    /// `name=value`, or the path of a `cookies.txt`.
    var cookies: [String] = []
    /// A query, or `@` and its file.
    var graphQL: String?
    var cookieJar: String?
    /// The name of one that this user's runs share.
    var jar: String?
    /// Leaves out those that were to be forgotten at the end of a session.
    var dropsSessionCookies = false
    var etagSave: String?
    var etagCompare: String?
    var range: String?
    var continueAt: String?
    var timeCondition: String?

    // MARK: How it is sent

    var followsRedirects = false
    var trustsRedirects = false
    var redirectLimit: Int?
    /// 301, 302, 303.
    var postingStatuses: Set<Int> = []
    /// `http`, `https`.
    var schemes: Set<String>?
    var redirectSchemes: Set<String>?
    /// A list of hosts that speak HTTPS alone; without a name in memory.
    var hsts: String?
    var refusesUserInURL = false
    var compressed = false
    /// Where there are several, the last one counts.
    var httpVersion: HTTPVersionPreference?
    var proxy: String?
    var proxyUser: String?
    var noProxy: String?
    var resolve: [String] = []
    var connectTo: [String] = []
    var unixSocket: String?
    var connectTimeout: Double?
    var idleTimeout: Double?
    var attemptTimeout: Double?
    var maximumTime: Double?
    /// Bytes in a second, and for how many seconds there may be fewer.
    var leastRate: Int?
    var leastRateTime: Double?
    var maximumSize: Int?
    /// Bytes that a file gets before somebody at a terminal is asked; 0: any.
    var unaskedSize = 1 << 30
    var interface: String?
    var multipath = false
    var wire = WireOptions()
    var proxyHeaders: [String] = []
    var proxyScheme = ProxyAuthentication.basic
    var retries: Int?
    var retryDelay: Double?
    var retryMaximumTime: Double?
    var retriesAllErrors = false
    var retriesRefusedConnections = false

    // MARK: TLS

    var isInsecure = false
    var authorities: String?
    var authorityDirectory: String?
    var certificate: String?
    var key: String?
    var passphrase: String?
    var pins: [String] = []
    var minimumTLS: TLSVersion?
    var maximumTLS: TLSVersion?
    var ciphers: [String] = []
    var curves: [String] = []
    var revocations: String?
    /// The user for TLS-SRP.
    var tlsUser: String?
    var tlsPassword: String?

    // MARK: What is printed and written

    var output: String?
    /// More of `-o` and `-O` than there are URLs; curl takes the first, too.
    var hasSurplusOutput = false
    var usesRemoteName = false
    /// `-O` for each URL that has no `-o`.
    var usesRemoteNames = false
    /// The number of the URL on the command line, from 0; all that a pattern stands for shares one.
    var number = 0
    var keepsRemoteTime = false
    var removesOnError = false
    /// The file that is written in place of standard error.
    var errorFile: String?
    var usesHeaderName = false
    var outputDirectory: String?
    var createsDirectories = false
    var skipsExisting = false
    var neverOverwrites = false
    var includesHead = false
    var dumpHeader: String?
    var isVerbose = false
    var trace: WireTrace?
    var tracesTime = false
    /// Whether secrets are shown in messages rather than masked.
    var reveals = false
    var isSilent = false
    var showsErrors = false
    var showsProgress = false
    var hidesProgress = false
    var fails = false
    var failsWithBody = false
    var writeOut: String?
    var timing = false
    var har: String?
    var events: EventFormat?

    // MARK: tnlcli's own

    var configurationFile: String?
    var configurations: [String] = []
    var globalConfigurations: [String] = []
    var headersFile: String?
    var bodyFile: String?
    var bodyModes: [OutputMode]?
    var bodyTarget: String?
    var headersModes: [OutputMode]?
    var headersTarget: String?
    var certificateDirectory: String?

    // MARK: Several transfers

    /// `--next`: what follows is another request.
    var endsGroup = false
    var endsAtFailure = false
    var isParallel = false
    var parallelLimit: Int?
    /// The least time between the starts of two requests.
    var rate: Duration?
    /// What `--variable` gives, until it is read.
    var variables: [String] = []
    /// Files with more of the command line, to be read now.
    var optionFiles: [String] = []

    // MARK: Instead of sending

    /// The request is printed.
    var isOffline = false
    var asksForHelp = false
    var asksForVersion = false

    enum EventFormat: String, Hashable, Sendable, CaseIterable {
        case jsonl
    }

    /// What of `-b` is fields, and what are files; an empty name is a jar without one.
    var cookieFields: [String] { cookies.filter { $0.contains("=") } }
    var cookieFiles: [String] { cookies.filter { !$0.contains("=") } }

    /// Whether cookies are kept from one hop to the next.
    var keepsCookies: Bool { cookieJar != nil || !cookieFiles.isEmpty }

    /// Whether `-u` is a field of the request.
    var sendsBasic: Bool {
        switch scheme {
        case nil, .basic: !choosesScheme
        case .digest, .ntlm, .negotiate, .awsSigV4: false
        }
    }

    /// tnlcli's `file,print`.
    enum OutputMode: String, Hashable, Sendable, CaseIterable {
        case file, print
    }
}

extension SendArguments {
    /// A URL with what is for it alone: the first `-o`, `-O` or `-T` is for the first URL, and so on.
    struct Target: Hashable, Sendable {
        var url: String?
        var output: Output?
        var upload: String?
    }

    enum Output: Hashable, Sendable {
        case file(String)
        case remoteName
    }

    mutating func add(url: String) { add(url, at: \.url) }
    mutating func add(output: Output) { add(output, at: \.output) }
    mutating func add(upload: String) { add(upload, at: \.upload) }

    mutating func add(_ item: RequestItem) {
        switch item.kind {
        case .header: headers.append(item.value.isEmpty ? "\(item.name):" : "\(item.name): \(item.value)")
        case .emptyHeader: headers.append("\(item.name);")
        case .parameter:
            let pair = [item.name, item.value].map { URLCoding.percentEncoded($0.utf8) }.joined(separator: "=")
            query.append(DataArgument(kind: .urlEncoded, text: "+\(pair)"))
        case .text, .json, .file: items.append(item)
        }
    }

    private mutating func add<Value>(_ value: Value, at place: WritableKeyPath<Target, Value?>) {
        let index = targets.lastIndex { $0[keyPath: place] != nil }.map { $0 + 1 } ?? 0
        if index == targets.count { targets.append(Target()) }
        targets[index][keyPath: place] = value
    }

    /// What goes on behind `--next`: it is about the program, and not about a request.
    var shared: SendArguments {
        var shared = SendArguments()
        shared.isVerbose = isVerbose
        shared.isSilent = isSilent
        shared.showsErrors = showsErrors
        shared.showsProgress = showsProgress
        shared.hidesProgress = hidesProgress
        shared.errorFile = errorFile
        shared.endsAtFailure = endsAtFailure
        shared.reveals = reveals
        shared.isParallel = isParallel
        shared.parallelLimit = parallelLimit
        shared.rate = rate
        shared.trace = trace
        shared.tracesTime = tracesTime
        return shared
    }
}

/// curl's switches for what to do with `-u`.
enum AuthenticationScheme: Hashable, Sendable {
    case basic, digest, ntlm, negotiate
    /// `PROVIDER1[:PROVIDER2[:REGION[:SERVICE]]]`.
    case awsSigV4(String)

    /// The scheme that the switch of this name chooses.
    static func named(_ name: String) -> Self? {
        let schemes: [String: Self] = ["basic": .basic, "digest": .digest, "ntlm": .ntlm, "negotiate": .negotiate]
        return schemes[name]
    }

    var option: String {
        switch self {
        case .basic: "--basic"
        case .digest: "--digest"
        case .ntlm: "--ntlm"
        case .negotiate: "--negotiate"
        case .awsSigV4: "--aws-sigv4"
        }
    }
}

/// One of curl's options for data, with what it was given.
struct DataArgument: Hashable, Sendable {
    var kind: Kind
    var text: String

    enum Kind: String, Hashable, Sendable {
        /// `-d`: `@file` without its line ends.
        case data
        /// `@` means nothing.
        case raw = "data-raw"
        /// `@file` as it is.
        case binary = "data-binary"
        /// `content`, `=content`, `name=content`, `@file`, `name@file`.
        case urlEncoded = "data-urlencode"
        case json
    }
}

/// `-F` or `--form-string`, with what it was given.
struct FormArgument: Hashable, Sendable {
    var text: String
    /// `@`, `<` and `;` mean nothing.
    var isLiteral = false
}
