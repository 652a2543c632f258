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

    static let present = CurlBehaviour(version: turnstone_curl_version())

    /// The second request on a connection with prior knowledge of HTTP/2 is broken off (cbe9d82c22, 8.0.0).
    var losesPriorKnowledge: Bool { (0x07_58_00..<0x08_00_00).contains(version) }
}
