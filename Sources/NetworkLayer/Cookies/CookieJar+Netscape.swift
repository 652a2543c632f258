public import Base

extension CookieJar {
    /// From the text of a `cookies.txt`, as curl, wget and browsers' extensions write it. A line that can't be read is passed over.
    ///
    /// - Parameter now: becomes the time at which the cookies were made, which the form doesn't know; their order stays.
    public init(netscape text: String, at now: Date) {
        self = CookieFile.parse(text, at: now)
    }

    /// The text of a `cookies.txt`. It opens sessions: whoever writes it down keeps it to its owner.
    public var netscape: String { CookieFile.text(self) }
}
