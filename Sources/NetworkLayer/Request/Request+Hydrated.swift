import Base

extension Request {
    /// A request that says nothing yet, for an operation whose ``RequestHydrator`` makes the whole of it. Without one, or when it makes
    /// nothing, the operation fails with `requestNotProvided`.
    ///
    ///     queue.enqueue(.madeByHydrator, delegate: RequestDelegate(hydrator: signedUpload))
    public static let madeByHydrator = Request(url: blank)

    private static let blank = URL(string: "about:blank")!

    var isMadeByHydrator: Bool { url == Self.blank }
}
