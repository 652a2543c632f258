import CCurl

/// What depends on the version of the libcurl that runs, each with the version that mended it and the commit or issue of curl's that
/// says so. The code asks here and nowhere else.
///
/// What an easy handle carries from one transfer into the next isn't in this list, because no handle of ours serves two. libcurl has let
/// through the pointer to the latest header (a crash; issue 11101, 8.1.0), the system's error number (798a37b25e, 8.8.0), the count of
/// retries, five for the handle's whole life (5e46318414, 8.17.0), and an ignored method (1eb9096897, 8.20.0).
struct CurlBehaviour {
    /// As in `curl_version_info(3)`: 0x075801 for 7.88.1.
    var version: UInt32

    /// `7.88.1`
    var versionText: String { "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)" }

    static let present = CurlBehaviour(version: turnstone_curl_version())

    /// The second request on a connection with prior knowledge of HTTP/2 is broken off (cbe9d82c22, 8.0.0).
    var losesPriorKnowledge: Bool { (0x07_58_00..<0x08_00_00).contains(version) }

    // A kept connection that has something to read is used again before 8.0.0 (7c5637b8b4); we look ourselves, at the last moment, with
    // every version. Streams that a GOAWAY refuses fail in 8.1 to 8.3 (ba1e559bd8, 8.4.0); ``Loop`` sends them again.

    /// A stream that nobody reads holds up all others of its connection (docs/limits.md): what comes for all of them is read into one buffer,
    /// which goes no further once the stream's own is full. What is left in it when that stream ends is read by the next transfer that gets something,
    /// or lost when the connection is used again, and with it the frames' order (2023's rewrite of the HTTP/2 filter, 8.1.0).
    var sharesInput: Bool { version < 0x08_01_00 }

    /// Over HTTP/2 a head that doesn't fit into the receive buffer can stay there although all of it has come (the same rewrite, 8.1.0).
    var needsRoomForHead: Bool { version < 0x08_01_00 }

    // When a server breaks the rules of HTTP/2 behind the head of an answer, what has come of it is taken for the whole (the same rewrite,
    // 8.1.0), as by curl itself: nothing tells it from an answer behind which the server closes the connection.

    /// While the body of a request pauses, the end of the connection isn't reported. Measured: 7.88.1 keeps it to itself, 8.14.1 and 8.23.0 report
    /// it; what lies between hasn't been looked at.
    var hidesEndBehindPause: Bool { version < 0x08_00_00 }

    /// Over HTTP/2 an answer that is whole before the request's body has gone is in danger. Measured: up to 8.3 its end gets lost when
    /// the server ends the stream (48cd032623, 8.0.0, and 6b9a591bf7, 8.4.0, mend parts of it), 8.1 and 8.2 report a whole one as partial,
    /// and up to 8.4.0 a body that waits for the server's window waits for ever, because nobody reads any more. 8.5.0 is right.
    var endangersEarlyAnswers: Bool { version < 0x08_05_00 }
}
