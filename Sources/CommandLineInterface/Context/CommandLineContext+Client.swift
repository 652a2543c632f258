import NetworkLayer
import RequestCollections

extension CommandLineContext {
    /// A client over this machine: its transport, its clock, its network's conditions.
    ///
    /// - Parameters:
    ///   - transport: in place of the context's, mocks say.
    ///   - cache: none by default: the user of a command wants the server's own answer.
    func client(
        over transport: (any Transport)? = nil, settings: NetworkClient.Settings = .init(), cookies: CookieJars? = nil,
        cache: ResponseCache? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport ?? self.transport, time: time, settings: settings,
            cookies: cookies ?? CookieJars(directory: UserDirectories(environment).cookies), cache: cache, conditions: conditions)
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

    /// Saves the jars before the program ends. If a jar can't be written, the requests haven't failed.
    func save(_ cookies: CookieJars) {
        do throws(NetworkError) {
            try cookies.save()
        } catch {
            try? standardError.print("turnstone: \(error.message)")
        }
    }
}
