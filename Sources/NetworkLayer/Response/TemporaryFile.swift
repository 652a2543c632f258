/// A file that goes away with its last owner, unless it was moved (TMP-1).
public final class TemporaryFile: Sendable {
    /// Bytes.
    public let count: Int

    init(count: Int) { self.count = count }
}
