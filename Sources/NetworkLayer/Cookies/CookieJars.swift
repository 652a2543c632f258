import Base
import Synchronization

/// The jars of a program. One with a name is read at its first use and saved after every change; one in memory lasts as long as this
/// object.
///
/// Saving happens soon, by itself, and off the way of the requests; ``save()`` waits for it. What others have saved meanwhile stays:
/// only of one and the same cookie the last to be saved wins.
public final class CookieJars: Sendable {
    /// `nil`: nothing is saved.
    package let directory: String?
    let suffixes: PublicSuffixList?
    private let state = Mutex(State())
    /// Held by the thread that writes.
    private let writing = Mutex(())

    private struct State {
        var jars: [CookieConfiguration.Jar: Entry] = [:]
        var isSavingSoon = false
        var problem: NetworkError?
    }

    private struct Entry {
        var jar: CookieJar
        /// As it was when it was read or saved last.
        var saved = CookieJar()
        var isChanged = false
        /// Whether the file may be replaced: not one that is there and could not be read.
        var isSavable = true
    }

    /// - Parameter directory: holds a file `NAME.cookies.txt` for each jar, 0600; made when it is needed. Without one, jars last as
    ///   long as this object.
    public convenience init(directory: String? = nil) {
        self.init(directory: directory, suffixes: nil)
    }

    /// - Parameter suffixes: `nil`: the system's.
    package init(directory: String? = nil, suffixes: PublicSuffixList?) {
        self.directory = directory
        self.suffixes = suffixes
    }

    /// The names of all jars that are saved, or would be if there were a directory; sorted.
    public var names: [String] {
        var names = Set(state.withLock { state in state.jars.compactMap { $1.jar.cookies.isEmpty ? nil : $0.savedName } })
        if let directory, let files = try? FileManager.default.contentsOfDirectory(atPath: directory) {
            names.formUnion(files.filter { $0.hasSuffix(Self.ending) }.map { Self.name(ofFile: $0) })
        }
        return names.sorted()
    }

    /// The jar that is kept under a name, empty when there is none.
    public subscript(name: String) -> CookieJar { self[.named(name)] }

    package subscript(jar: CookieConfiguration.Jar) -> CookieJar {
        state.withLock { Self.entry(jar, in: directory, &$0).jar }
    }

    /// Changes the jar that is kept under a name; to list, set, remove and clear cookies.
    @discardableResult
    public func edit<Result>(_ name: String, _ change: (inout CookieJar) -> Result) -> Result { edit(.named(name), change) }

    /// Changes a jar.
    @discardableResult
    package func edit<Result>(_ jar: CookieConfiguration.Jar, _ change: (inout CookieJar) -> Result) -> Result {
        let (result, savesSoon) = state.withLock { state in
            var entry = Self.entry(jar, in: directory, &state)
            let before = entry.jar
            let result = change(&entry.jar)
            if entry.jar != before { entry.isChanged = true }
            state.jars[jar] = entry
            let savesSoon = directory != nil && jar.savedName != nil && entry.isChanged && entry.isSavable && !state.isSavingSoon
            if savesSoon { state.isSavingSoon = true }
            return (result, savesSoon)
        }
        if savesSoon { Task.detached(priority: .utility) { [self] in saveSoon() } }
        return result
    }

    /// Notes that cookies were sent. No reason to save: the file doesn't say it.
    func use(_ cookies: [Cookie], of jar: CookieConfiguration.Jar, at now: Date) {
        state.withLock { $0.jars[jar]?.jar.use(cookies.map(\.identity), at: now) }
    }

    /// Why the last reading or saving failed; `nil` when it didn't.
    package var problem: NetworkError? { state.withLock { $0.problem } }

    /// Writes every jar that was changed; for the end of a program.
    public func save() throws(NetworkError) {
        try writing.withLock { _ throws(NetworkError) in
            guard let directory else { return }
            let changed = state.withLock { state in
                state.isSavingSoon = false
                let changed = state.jars.filter { $0.key.savedName != nil && $0.value.isChanged && $0.value.isSavable }
                for jar in changed.keys { state.jars[jar]?.isChanged = false }
                return changed
            }
            guard !changed.isEmpty else { return }
            do throws(NetworkError) {
                try PrivateFile.makeDirectory(directory)
                for (jar, entry) in changed {
                    guard let name = jar.savedName else { continue }
                    try PrivateFile.change(Self.path(name, in: directory)) { data in
                        var jar = data.map(Self.jar) ?? CookieJar()
                        jar.follow(entry.jar, since: entry.saved)
                        return Data(CookieFile.text(jar).utf8)
                    }
                }
                state.withLock { state in
                    state.problem = nil
                    for (jar, entry) in changed { state.jars[jar]?.saved = entry.jar }
                }
            } catch {
                state.withLock { state in
                    state.problem = error
                    for jar in changed.keys { state.jars[jar]?.isChanged = true }
                }
                throw error
            }
        }
    }

    private func saveSoon() {
        // What fails is told by `problem`, and tried again with the next change.
        try? save()
    }

    // MARK: Files

    private static let ending = ".cookies.txt"

    private static func entry(_ jar: CookieConfiguration.Jar, in directory: String?, _ state: inout State) -> Entry {
        if let entry = state.jars[jar] { return entry }
        var entry = Entry(jar: CookieJar())
        if let directory, let name = jar.savedName {
            do throws(NetworkError) {
                if let data = try PrivateFile.read(path(name, in: directory)) {
                    entry.jar = Self.jar(data)
                    entry.saved = entry.jar
                }
            } catch {
                entry.isSavable = false
                state.problem = error
            }
        }
        state.jars[jar] = entry
        return entry
    }

    private static func jar(_ data: Data) -> CookieJar { CookieFile.parse(String(decoding: data, as: UTF8.self), at: Date()) }

    static func path(_ name: String, in directory: String) -> String {
        directory + "/" + fileName(name) + ending
    }

    /// Letters, digits, `-` and `_`; every other byte as `%2F`.
    private static func fileName(_ name: String) -> String {
        URLCoding.percentEncoded(name.utf8) { byte in
            URLCoding.isUnreserved(byte) && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "~")
        }
    }

    private static func name(ofFile file: String) -> String { URLCoding.percentDecoded(file.dropLast(ending.count)) }
}

extension CookieConfiguration.Jar {
    /// What its file is called after; `nil`: nothing of it is written.
    fileprivate var savedName: String? {
        switch self {
        case .named(let name): name
        case .inMemory: nil
        }
    }
}

/// Whether a request sends the cookies of a jar, and whether its answers may fill it. Off by default, both.
public struct CookieConfiguration: Sendable, Hashable, Codable {
    /// Which cookies the answers may set (TNL's `cookieAcceptPolicy`).
    public var acceptance: Acceptance
    /// Whether the jar's cookies go out (TNL's `shouldSetCookies`). Behind those that the request has in its own `Cookie` field, and
    /// none of their names.
    public var sends: Bool
    /// One of ``NetworkClient/cookies`` (TNL's `cookieStorage`).
    public var jar: Jar

    /// - Parameter jar: one that isn't there yet is made when it is needed.
    public init(acceptance: Acceptance = .never, sends: Bool = false, jar: Jar = "default") {
        self.acceptance = acceptance
        self.sends = sends
        self.jar = jar
    }

    /// Sends the jar's cookies and keeps those of the answers.
    public static let on = CookieConfiguration(acceptance: .always, sends: true)

    /// Which jar, and what becomes of it. A string literal is the name of one that is kept.
    public enum Jar: Sendable, Hashable, ExpressibleByStringLiteral {
        /// Saved under its name, where ``CookieJars/directory`` says where to.
        case named(String)
        /// Lasts as long as the ``CookieJars``: nothing of it is ever written. No name of a jar that is kept is the name of one of these.
        case inMemory(String)

        public init(stringLiteral name: String) { self = .named(name) }
    }

    /// With the numbers of `NSHTTPCookieAcceptPolicy`, which TNL uses.
    public enum Acceptance: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Every cookie that RFC 6265bis lets a server set.
        case always = 0
        case never = 1
        /// Only from the site of the operation's first request: the redirects to other sites set none.
        case sameSite = 2
    }
}

/// One that is kept is its name; one in memory is `{"inMemory": "name"}`.
extension CookieConfiguration.Jar: Codable {
    private enum Key: String, CodingKey {
        case inMemory
    }

    public init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .named(name)
        } else {
            self = .inMemory(try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .inMemory))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let name):
            var container = encoder.singleValueContainer()
            try container.encode(name)
        case .inMemory(let name):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(name, forKey: .inMemory)
        }
    }
}
