import Base
import CurlTransport
import NetworkLayer
import Presentation

/// The user and password that a netrc file has for a host, where libcurl doesn't read the file itself: digest, NTLM, signatures.
///
///     machine api.example.org login ada password "love \"lace\""
///     default login guest password guest
///
/// As curl reads it: blanks and line ends part words, a quoted one may hold them, `macdef` reaches to the next empty line, and the first
/// entry that fits counts.
struct NetrcFile: Hashable {
    private var entries: [Entry] = []

    private struct Entry: Hashable {
        /// `nil`: any host.
        var machine: String?
        var login: String?
        var password: String?
    }

    init(_ text: String) {
        var key: String?
        var isMacro = false
        for line in text.lines {
            if isMacro {
                isMacro = !line.isEmpty
                continue
            }
            for word in Self.words(of: line) {
                switch (key, word) {
                case ("machine", _): entries.append(Entry(machine: word.lowercased()))
                case ("login", _) where !entries.isEmpty: entries[entries.count - 1].login = word
                case ("password", _) where !entries.isEmpty: entries[entries.count - 1].password = word
                case (nil, "default"):
                    entries.append(Entry())
                    continue
                case (nil, "macdef"):
                    isMacro = true
                case (nil, _):
                    key = word
                    continue
                default: break
                }
                key = nil
                if isMacro { break }
            }
        }
    }

    /// - Returns: `login:password`, as `-u` takes it.
    func user(for host: String) -> String? {
        entries.first { ($0.machine == nil || $0.machine == host.lowercased()) && $0.login != nil }
            .map { "\($0.login ?? ""):\($0.password ?? "")" }
    }

    private static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.unicodeScalars
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard let first = rest.first, first != "#" else { return words }
            guard first == "\"" else {
                let word = rest.prefix { $0 != " " && $0 != "\t" }
                words.append(String(word))
                rest = rest[word.endIndex...]
                continue
            }
            var word = String.UnicodeScalarView()
            rest.removeFirst()
            while let scalar = rest.popFirst(), scalar != "\"" {
                guard scalar == "\\", let escaped = rest.popFirst() else {
                    word.append(scalar)
                    continue
                }
                word.append(["n": "\n", "r": "\r", "t": "\t"][escaped] ?? escaped)
            }
            words.append(String(word))
        }
    }
}

extension SendArguments {
    /// Takes the name and password of a netrc file, or of the URL, for a scheme that isn't a field of the request; libcurl reads both
    /// for basic authentication.
    mutating func loadStoredCredentials(home: String?) throws {
        let parts = url.flatMap(UserInfo.init)
        if netrcIsOptional { usesNetrc = parts == nil }
        guard let url, !sendsBasic else { return }
        let rest = parts.map { String($0.url) } ?? url
        self.url = rest
        if user == nil, usesNetrc {
            let path = netrcFile ?? home.map { "\($0)/.netrc" }
            guard netrcFile.map(FilePaths.isReadable) ?? true else { throw InputFiles.missing(netrcFile ?? "") }
            let text = try path.flatMap { FilePaths.isReadable($0) ? try FileInput(path: $0).readToEnd() : nil } ?? Data()
            let host = URL(international: URLPieces(rest).text)?.host() ?? ""
            user = NetrcFile(String(decoding: text, as: UTF8.self)).user(for: host)
        }
        user = user ?? parts?.user
        // Nobody named: the request goes without, as curl sends it.
        if user == nil, usesNetrc, scheme != .negotiate { scheme = nil }
        usesNetrc = false
    }
}

/// A URL with a name in front of its host.
private struct UserInfo {
    /// The URL without its user and password.
    var url: String
    /// `name:password`, decoded.
    var user: String

    init?(_ text: String) {
        var parts = URLPieces(text)
        guard let at = parts.start.unicodeScalars.lastIndex(of: "@"), let slashes = parts.start.unicodeScalars.firstIndex(of: "/")
        else { return nil }
        let start = parts.start.index(slashes, offsetBy: 2)
        let given = parts.start[start..<at]
        let halves = given.halves(at: ":")
        user = "\(URLCoding.percentDecoded(halves?.before ?? given)):\(URLCoding.percentDecoded(halves?.behind ?? ""))"
        parts.start.removeSubrange(start...at)
        url = parts.text
    }
}

extension SendArguments {
    /// Asks for the password of a `-u NAME` and a `-U NAME`, as curl does: so it stands in no history of a shell and no list of processes.
    ///
    /// - Parameter ask: gives `nil` when nobody can be asked.
    mutating func completePasswords(_ ask: (String) throws -> String?) throws {
        if let name = user, !name.contains(":"), takesPassword {
            let host =
                url.flatMap { URL(international: URLPieces($0, defaultScheme: defaultScheme ?? "http").text)?.host() }
                ?? "the server"
            user = try Self.completed(name, "-u", "Password of \(name) for \(host): ", ask)
        }
        if let name = proxyUser, !name.contains(":") {
            proxyUser = try Self.completed(name, "-U", "Password of \(name) for the proxy: ", ask)
        }
        if passphrase == nil, let file = certificate.map({ key ?? $0 }), CredentialFile(file).isEncrypted {
            // Without an answer the transport says what is missing.
            passphrase = try ask(SafeText.line("Pass phrase of \(file): "))
        }
    }

    /// Kerberos' ticket and a netrc file have it.
    private var takesPassword: Bool {
        switch scheme {
        case nil, .basic, .digest, .ntlm, .awsSigV4: true
        case .negotiate: false
        }
    }

    private static func completed(
        _ name: String, _ option: String, _ question: String, _ ask: (String) throws -> String?
    ) throws -> String {
        guard let password = try ask(SafeText.line(question)) else {
            throw CommandFailure(
                .usage,
                "\(option) \(SafeText.line(name)) has no password, and nobody gave one at the terminal. "
                    + "It takes USER:PASSWORD, or USER: for an empty one.")
        }
        return "\(name):\(password)"
    }
}
