import NetworkLayer

extension CommandLineContext {
    /// A client over this machine: its transport, its clock, its network's conditions.
    ///
    /// - Parameters:
    ///   - transport: in place of the context's, mocks say.
    ///   - cache: none by default: who asks for an answer wants the server's.
    func client(
        over transport: (any Transport)? = nil, settings: NetworkClient.Settings = .init(), cookies: CookieJars? = nil,
        cache: ResponseCache? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport ?? self.transport, time: time, settings: settings,
            cookies: cookies ?? CookieJars(directory: UserFiles(environment).cookies), cache: cache, conditions: conditions)
    }

    /// - Returns: whether nobody has interrupted it.
    func pause(_ duration: Duration) async -> Bool {
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let alarm = time.schedule(at: time.now + duration) { continuation.yield(true) }
        let interrupts = onInterrupt { continuation.yield(false) }
        defer {
            alarm.cancel()
            withExtendedLifetime(interrupts) {}
        }
        for await isOver in stream { return isOver }
        return false
    }

    /// Before the program ends. Jars that can't be written are no failure of the requests.
    func save(_ cookies: CookieJars) {
        do throws(NetworkError) {
            try cookies.save()
        } catch {
            try? standardError.print("turnstone: \(error.message)")
        }
    }
}

/// Where a user's cookies, stored answers and other state lie, as the XDG base directory specification wants it.
package struct UserFiles: Hashable, Sendable {
    /// `$XDG_STATE_HOME/turnstone`; `nil` without a home.
    package var state: String?
    /// `$XDG_STATE_HOME/turnstone/cookies`.
    package var cookies: String?
    /// `$XDG_CACHE_HOME/turnstone/answers`.
    package var answers: String?

    package init(_ environment: [String: String]) {
        func directory(_ variable: String, _ fallback: String) -> String? {
            if let path = environment[variable], path.hasPrefix("/") { return "\(path)/turnstone" }
            return environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/\(fallback)/turnstone" : nil }
        }
        state = directory("XDG_STATE_HOME", ".local/state")
        cookies = state.map { "\($0)/cookies" }
        answers = directory("XDG_CACHE_HOME", ".cache").map { "\($0)/answers" }
    }
}
