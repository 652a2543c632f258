package import RequestCollections

/// The place of a run among those that somebody began one after the other.
///
/// Runs are prepared at the same time, and enter the queue in the order of their places. What waits for others (a person, a command, a
/// token, a request that it needs) holds nobody up: those behind it go first.
package protocol RunTurn: Sendable {
    /// From now on it waits for something that may take as long as it likes.
    ///
    /// - Parameter share: what several may wait for at a time, and get together.
    func waits(for wait: RunWait, sharing share: RunShare?)
    /// It has got what it waited for, and so has everybody who waited for the same share.
    func goesOn()
    /// Returns when it may enter the queue.
    func acquire() async
}

/// What is got once for all who wait for it.
package struct RunShare: Hashable, Sendable {
    let what: What

    enum What: Hashable, Sendable {
        case secret(SecretQuestion)
        case token(TokenKey)
        case answer(CollectionRunner.RunKey)
    }

    init(_ what: What) { self.what = what }
}
