import Base
import CCurl
import CLibssl
import HTTPTypes
import NetworkLayer

/// One of libcurl's easy handles, with typed options. It serves one transfer and then goes, as in the curl tool, so that nothing of
/// a transfer can reach the next one. ``CurlBehaviour`` lists what libcurl has let through; connections, addresses and authorities
/// are kept by the multi handle and not here. A new handle costs about 13,000 instructions, a fresh set of options included.
final class CurlEasyHandle {
    let raw: UnsafeMutableRawPointer
    /// Whom the callbacks speak to.
    var transfer: CurlTransfer?
    var head = HeadBuffer()
    private let connections: ConnectionTable
    private let userAgent: String?
    private var streamWeight = Priority.normal.streamWeight
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var connectTo: UnsafeMutablePointer<curl_slist>?
    var proxyHeaders: UnsafeMutablePointer<curl_slist>?
    /// libcurl writes its own sentence about a failure here.
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private(set) var trace: TraceFile?
    /// ``raw`` is gone.
    private var isClosed = false

    init(connections: ConnectionTable, userAgent: String?) throws(NetworkError) {
        guard let raw = curl_easy_init() else { throw .libraryFailed("there is no memory for a handle") }
        self.raw = raw
        self.connections = connections
        self.userAgent = userAgent
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        close()
        curl_slist_free_all(headers)
        curl_slist_free_all(connectTo)
        curl_slist_free_all(proxyHeaders)
        errorBuffer.deallocate()
    }

    /// The object behind one of libcurl's handles.
    static func of(_ raw: UnsafeMutableRawPointer) -> CurlEasyHandle? {
        var pointer: UnsafeMutableRawPointer?
        turnstone_curl_get_pointer(raw, CURLINFO_PRIVATE, &pointer)
        return pointer.map { Unmanaged<CurlEasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Forgets the transfer, which has the handle, and gives the handle back to libcurl, which then writes what it keeps in files
    /// (`Alt-Svc`). It isn't left to whoever still knows this object: once the end of the transfer is told, the process may exit.
    func release() {
        setShowsSentBytes(false)
        transfer = nil
        close()
    }

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        curl_easy_cleanup(raw)
    }

    // MARK: Options

    /// Sets everything but the request itself.
    ///
    /// - Parameters:
    ///   - inactivity: how long a connection may have been idle to be used again.
    ///   - exceptions: hosts that take no proxy, where the request names none.
    func configure(
        for request: TransferRequest, httpVersion: HTTPVersionPreference, inactivity: Duration, exceptions: ProxyExceptions
    ) throws(NetworkError) {
        setBasics()
        set(CURLOPT_BUFFERSIZE, Self.receiveBufferSize(for: request, CurlBehaviour.present))
        setCallbacks()
        set(httpVersion)
        let ownExceptions = request.options.wire.proxyExceptions.map(ProxyExceptions.init)
        if ownExceptions != nil || !exceptions.isEmpty { set(CURLOPT_NOPROXY, (ownExceptions ?? exceptions).list) }
        try set(request.options)
        if let trace = request.options.wire.trace {
            self.trace = try TraceFile(trace)
            setShowsSentBytes(false)
        }
        // libcurl knows whole seconds, and 0 stands for no limit.
        set(CURLOPT_MAXAGE_CONN, max(1, Int(clamping: inactivity.components.seconds)))
        // The names are compared where the handler sees what comes of it; and by this libcurl knows the connections apart.
        if request.trust != nil { set(CURLOPT_SSL_VERIFYHOST, 0) }
        // libcurl's own limit would be 300 s.
        let longest = Int64(Int32.max)
        let timeout = request.connectTimeout.map { min(max(1, $0.wholeNanoseconds / 1_000_000), longest) }
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(timeout ?? longest))
    }

    /// Also while a transfer is under way: libcurl tells the server when it next has to do with the stream. Without HTTP/2 there are
    /// no streams, and it means nothing.
    func set(_ priority: Priority) {
        guard priority.streamWeight != streamWeight else { return }
        streamWeight = priority.streamWeight
        set(CURLOPT_STREAM_WEIGHT, streamWeight)
    }

    private func setBasics() {
        turnstone_curl_set_pointer(raw, CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
        turnstone_curl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // A cancelled transfer doesn't wait for the system's name look-up to return.
        set(CURLOPT_QUICK_EXIT, 1)
        // Every handshake shows the whole chain and checks it.
        set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        set(CURLOPT_USERAGENT, userAgent)
    }

    private func set(_ version: HTTPVersionPreference) {
        let number =
            switch version {
            case .automatic: CURL_HTTP_VERSION_2TLS
            case .http1_0: CURL_HTTP_VERSION_1_0
            case .http1: CURL_HTTP_VERSION_1_1
            case .http2: CURL_HTTP_VERSION_2_0
            case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            case .http3: CURL_HTTP_VERSION_3
            case .http3Only: CURL_HTTP_VERSION_3ONLY
            }
        set(CURLOPT_HTTP_VERSION, Int(number))
    }

    private func set(_ options: TransportOptions) throws(NetworkError) {
        if let proxy = options.proxy {
            try require(CURLOPT_PROXY, proxy, "the proxy \(proxy.split(separator: "@").last ?? "")")
        }
        if let interface = options.interface {
            try require(CURLOPT_INTERFACE, interface, "the interface \(interface)")
        }
        if let timeout = options.dataTimeout, timeout > .zero, !options.wire.upgrades {
            set(CURLOPT_LOW_SPEED_LIMIT, options.wire.leastRate ?? 1)
            set(CURLOPT_LOW_SPEED_TIME, Int((timeout.wholeNanoseconds - 1) / 1_000_000_000 + 1))
        }
        try setAuthentication(options)
        if let path = options.unixSocket {
            let option = options.wire.isSocketAbstract ? CURLOPT_ABSTRACT_UNIX_SOCKET : CURLOPT_UNIX_SOCKET_PATH
            try require(option, path, "the socket \(path)")
        }
        if options.wire != WireOptions() { try set(options.wire) }
        if !options.reusesConnections || CurlBehaviour.present.losesConnection(options) {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
        if !options.resolve.isEmpty || !options.connectTo.isEmpty {
            let entries = try options.connectTo.map(ConnectToEntry.init).map(\.text)
            for entry in try entries + options.resolve.map(ResolveEntry.init).map(\.connectTo) {
                connectTo = curl_slist_append(connectTo, entry)
            }
            turnstone_curl_set_list(raw, CURLOPT_CONNECT_TO, connectTo)
        }
        try set(options.tls, TLSNames.server)
    }

    // MARK: One request

    func set(url: String) {
        set(CURLOPT_URL, url)
    }

    /// - Parameter lines: as libcurl takes them: `Name: value`, `Name;` for an empty value, `Name:` to leave a default out.
    func set(headerLines lines: [String]) {
        guard !lines.isEmpty else { return }
        let old = headers
        headers = nil
        for line in lines { headers = curl_slist_append(headers, line) }
        turnstone_curl_set_list(raw, CURLOPT_HTTPHEADER, headers)
        curl_slist_free_all(old)
    }

    func set(method: String) {
        switch method {
        case "GET": break
        case "HEAD": set(CURLOPT_NOBODY, 1)
        default: set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    /// A request with a short body, which leaves together with its head. libcurl copies it.
    func set(method: String, body: Data) {
        turnstone_curl_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        body.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1) { empty in
                empty[0] = 0
                _ = turnstone_curl_set_pointer(
                    raw, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(empty.baseAddress))
            }
        }
        if method != "POST" { set(CURLOPT_CUSTOMREQUEST, method) }
    }

    /// A request whose body the transfer's read callback hands out.
    func set(method: String, bodyLength: Int64?) {
        set(CURLOPT_UPLOAD, 1)
        turnstone_curl_set_offset(raw, CURLOPT_INFILESIZE_LARGE, curl_off_t(bodyLength ?? -1))
        if method != "PUT" { set(CURLOPT_CUSTOMREQUEST, method) }
    }

    /// Uses a new connection rather than a kept one; the new one is kept afterwards.
    func useFreshConnection() {
        set(CURLOPT_FRESH_CONNECT, 1)
    }

    /// Speaks HTTP/1.1, whatever version was asked for.
    func useHTTP1() {
        set(.http1)
    }

    /// While it is on, libcurl shows every byte that it sends, and of the body that it gets. A trace has them to the end.
    func setShowsSentBytes(_ shows: Bool) {
        set(CURLOPT_VERBOSE, shows || trace != nil ? 1 : 0)
    }

    func setPaused(receiving: Bool, sending: Bool) {
        let mask = (receiving ? CURLPAUSE_RECV : CURLPAUSE_RECV_CONT) | (sending ? CURLPAUSE_SEND : CURLPAUSE_SEND_CONT)
        curl_easy_pause(raw, mask)
    }

    // MARK: Results

    var errorText: String { String(cString: errorBuffer) }

    /// The system's number of the latest failure to connect, to send or to receive, 0 for none.
    var systemErrno: Int32 { Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO)) }

    /// Whether a proxy said 407 to CONNECT, or its like in SOCKS.
    var isRefusedByProxy: Bool {
        if long(CURLINFO_HTTP_CONNECTCODE) == 407 { return true }
        let refusals = [CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER].map { Int($0.rawValue) }
        return refusals.contains(long(CURLINFO_PROXY_ERROR))
    }

    /// Bytes that TLS has decrypted on the connection of the moment, and that nobody has read.
    var unreadBytes: Int {
        guard OpenSSL.isPresent, let connection = turnstone_curl_tls_connection(raw) else { return 0 }
        return Int(SSL_pending(OpaquePointer(connection)))
    }

    /// Whether libcurl has done with the transfer, and has put its connection back for others: it tells the socket only then. Its message
    /// of the end may not have been read yet.
    var hasGivenConnectionBack: Bool {
        var socket = CURL_SOCKET_BAD
        turnstone_curl_get_socket(raw, CURLINFO_ACTIVESOCKET, &socket)
        return socket != CURL_SOCKET_BAD
    }

    func number(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        turnstone_curl_get_offset(raw, info, &value)
        return Int64(value)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        turnstone_curl_get_long(raw, info, &value)
        return value
    }

    // MARK: Setting

    func set(_ option: CURLoption, _ value: Int) {
        turnstone_curl_set_long(raw, option, value)
    }

    func set(_ option: CURLoption, _ value: String?) {
        turnstone_curl_set_string(raw, option, value)
    }

    func require(_ option: CURLoption, _ value: String?, _ what: String) throws(NetworkError) {
        let status = turnstone_curl_set_string(raw, option, value)
        guard status == CURLE_OK else {
            throw .unsupported("libcurl does not take \(what): \(String(cString: curl_easy_strerror(status))).")
        }
    }

    private func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        turnstone_curl_set_write(raw, CURLOPT_WRITEFUNCTION, EasyCallbacks.write)
        turnstone_curl_set_pointer(raw, CURLOPT_WRITEDATA, me)
        turnstone_curl_set_write(raw, CURLOPT_HEADERFUNCTION, EasyCallbacks.header)
        turnstone_curl_set_pointer(raw, CURLOPT_HEADERDATA, me)
        turnstone_curl_set_read(raw, EasyCallbacks.read)
        turnstone_curl_set_pointer(raw, CURLOPT_READDATA, me)
        turnstone_curl_set_seek(raw, EasyCallbacks.seek)
        turnstone_curl_set_pointer(raw, CURLOPT_SEEKDATA, me)
        turnstone_curl_set_debug(raw, EasyCallbacks.debug)
        turnstone_curl_set_pointer(raw, CURLOPT_DEBUGDATA, me)
        turnstone_curl_set_resolver_start(raw, EasyCallbacks.resolverStart)
        turnstone_curl_set_pointer(raw, CURLOPT_RESOLVER_START_DATA, me)
        turnstone_curl_set_opensocket(raw, EasyCallbacks.openSocket)
        turnstone_curl_set_pointer(raw, CURLOPT_OPENSOCKETDATA, me)
        turnstone_curl_set_prereq(raw, EasyCallbacks.prereq)
        turnstone_curl_set_pointer(raw, CURLOPT_PREREQDATA, me)
        if OpenSSL.isPresent {
            turnstone_curl_set_ssl_ctx(raw, EasyCallbacks.tlsContext)
            turnstone_curl_set_pointer(raw, CURLOPT_SSL_CTX_DATA, me)
        }
        // A connection outlives its handle, so its end is told to the table.
        turnstone_curl_set_closesocket(raw, EasyCallbacks.closeSocket)
        turnstone_curl_set_pointer(raw, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(connections).toOpaque())
    }
}

extension Priority {
    /// The weight of an HTTP/2 stream, from 1 to 256. `normal` has 16, as every stream that names none (RFC 7540, section 5.3.5), and
    /// each step is worth about three times the one below.
    var streamWeight: Int {
        switch rawValue {
        case ..<(-2): 1
        case -2: 2
        case -1: 5
        case 0: 16
        case 1: 49
        case 2: 147
        default: 256
        }
    }
}
