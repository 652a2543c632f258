import Base
import CCurl
import HTTPTypes
import NetworkLayer

/// What is known when libcurl gives up, and the table that makes a ``NetworkError`` of it.
///
/// The names of `type` are those of Network Error Logging (W3C), section 6, and Chromium's where NEL has none.
struct CurlFailure {
    var code: CURLcode
    var text: String
    /// 0 when the system said nothing.
    var systemErrno: Int32
    var phase: NetworkError.Phase
    var target: Target
    /// The URL's host, which a proxy may stand before.
    var host: String
    /// OpenSSL's objection to the chain, 0 for none.
    var verifyError: Int32
    var verifyText: String?
    /// See ``CurlTransfer/ConnectionState``.
    var clientAuthorities: [String]?
    var alert: UInt8?
    var tls: TLSOptions
    var connectTimeout: Duration?
    var dataTimeout: Duration?
    var interface: String?
    var localPorts: ClosedRange<UInt16>?
    var received: Int64
    var expected: Int64?
    var hasAnswer: Bool
    var isChunked = false
    /// Fields of heads and trailers so far.
    var fields = 0
    /// Of the connection, once there is one: `HTTP/2`.
    var version: String?
    /// With which error the server ended the HTTP/2 connection (RFC 9113, section 7); 0 for none.
    var goAway = 0
    /// Whether the proxy wants to know who we are, or doesn't believe it.
    var isRefusedByProxy = false
    /// Whether it was the proxy's answer to CONNECT that libcurl waited for, or didn't like.
    var isTunnelRefused = false

    var error: NetworkError {
        if let refusal = certificateRefusal { return refusal }
        if isRefusedByProxy {
            return make(
                .authorizationFailed, .connection, ErrorType.authorizationFailed,
                "The proxy \(target.text) wants to know who we are (\(said)). Give it a name and a password that it knows.")
        }
        if isTunnelRefused {
            return make(
                .cannotConnect, .connection, "tcp.failed",
                "The proxy \(target.text) did not open a way to \(host): \(said). Check its address and credentials.")
        }
        if Self.isShortage(systemErrno) {
            let limit = SystemCall.descriptorLimit.map { ", this process may have \($0)" } ?? ""
            return make(
                .cannotConnect, .connection, "tcp.failed",
                "No connection to \(target.text) can be opened: \(SystemError.text(systemErrno))\(limit). "
                    + "Raise the limit with `ulimit -n`, or send fewer at once.")
        }
        return switch code {
        case CURLE_URL_MALFORMAT:
            make(.invalidURL, .preparation, "unknown", "The URL can't be sent: \(said).")
        case CURLE_COULDNT_RESOLVE_HOST:
            make(
                .nameNotResolved, .dns, "dns.name_not_resolved",
                "No address was found for “\(target.host)”. Check the name, and that DNS works here.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            make(
                .proxyNotResolved, .dns, "dns.name_not_resolved",
                "No address was found for the proxy “\(target.host)”. Check the proxy's name.")
        case CURLE_COULDNT_CONNECT: notConnected
        case CURLE_QUIC_CONNECT_ERROR: noQUIC
        case CURLE_OPERATION_TIMEDOUT: timedOut
        // libcurl ends the connection by itself when the server breaks the rules of HTTP/2, and says no more than this up to 8.0.
        case CURLE_GOT_NOTHING where version == "HTTP/2":
            make(
                .connectionLost, .response, ErrorType.httpProtocolError,
                "\(target.text) broke the rules of HTTP/2, so the connection was ended. Does it speak HTTP/2? Try HTTP/1.1.")
        case CURLE_GOT_NOTHING: lost("http.response.invalid.empty", "closed the connection without an answer")
        case CURLE_PARTIAL_FILE where goAway != 0, CURLE_SEND_ERROR where goAway != 0, CURLE_RECV_ERROR where goAway != 0:
            brokeOff("it ended the connection with error \(goAway)")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: broken
        case CURLE_PARTIAL_FILE: partial
        // Words that have been the same since 7.88, for lengths of which newer versions refuse more.
        case CURLE_WEIRD_SERVER_REPLY where text.contains("Content-Length"): .contentLengthInvalid(from: target.text)
        case CURLE_WEIRD_SERVER_REPLY where hasAnswer:
            make(.protocolViolation, .response, "http.response.invalid", "\(target.text) sent a head that can't be read (\(said)).")
        // What libcurl 7.88 says of a field line that it can't keep.
        case CURLE_BAD_FUNCTION_ARGUMENT where hasAnswer:
            make(
                .protocolViolation, .response, "http.response.invalid",
                "\(target.text) sent a head whose first line of a field begins with a blank, or names no field.")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            make(
                .protocolViolation, .response, "http.response.invalid",
                "\(target.text) sent something that isn't HTTP (\(said)). Is it an HTTP server, and is https:// right?")
        // As when the connection itself breaks: the next one may hold (RTY-8).
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3: brokeOff(said)
        // Content is decoded here: this is of a Transfer-Encoding. Our callback takes everything, so an error of writing is libcurl's own.
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            make(
                .contentDecodingFailed, .body, "http.response.invalid.content_decoding",
                "The Transfer-Encoding of the answer from \(target.text) can't be taken off: \(said).")
        case CURLE_SSL_CONNECT_ERROR: handshakeFailed
        case CURLE_PEER_FAILED_VERIFICATION: certificateRejected
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            make(
                .pinMismatch, .tls, "tls.cert.pinned_key_not_in_cert_chain",
                "\(host) showed a public key that none of the pins matches. If the server's key was renewed, renew the pin.")
        case CURLE_SSL_CERTPROBLEM:
            make(
                .clientCertificateFailed, .tls, "tls.bad_client_auth_cert",
                "The client certificate \(tls.certificate ?? "") can't be used: \(said). "
                    + (tls.passphrase == nil
                        ? "Does its key belong to it, and does it need a pass phrase?"
                        : "Does its key belong to it, and is the pass phrase right?"))
        case CURLE_SSL_CACERT_BADFILE:
            make(
                .tlsFailed, .tls, "tls.failed",
                "The authorities in \(tls.authorities ?? "the system's file") can't be read: \(said). Name a PEM file or a directory."
            )
        case CURLE_SSL_INVALIDCERTSTATUS:
            make(
                .certificateRejected, .tls, "tls.cert.revoked",
                "\(host) didn't prove by OCSP that its certificate isn't revoked: \(said).")
        case CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED:
            make(.tlsFailed, .tls, "tls.failed", "TLS with \(target.text) can't be set up: \(said).")
        case CURLE_PROXY:
            make(.cannotConnect, .connection, "tcp.failed", "The proxy \(target.text) did not connect: \(said).")
        case CURLE_SEND_FAIL_REWIND:
            make(
                .resendRefused, .request, "tcp.closed",
                "\(target.text) closed the connection, and the body can't be sent a second time. Send the request again.")
        case Self.tooLarge where fields >= HTTPFields.limit: .tooManyFields(from: target.text)
        case CURLE_OUT_OF_MEMORY where hasAnswer && phase != .body, Self.tooLarge:
            make(
                .limitExceeded, .response, "http.response.invalid",
                "A header line of the answer from \(target.text) is longer than the 100 KiB that libcurl takes.")
        case CURLE_INTERFACE_FAILED where localPorts != nil && interface == nil:
            make(
                .cannotConnect, .connection, "tcp.failed",
                "No connection can be made from \(localPortsText): \(said). Take another port, or wait until it is free."
            )
        case CURLE_INTERFACE_FAILED:
            make(
                .cannotConnect, .connection, "tcp.failed",
                "There is no interface or address “\(interface ?? "")” here to connect from. Run `ip address` to see which there are."
            )
        case CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
            make(.unsupported, .preparation, "unknown", "This libcurl can't do that: \(said).")
        default:
            make(.transportFailed, phase, "unknown", "The transfer with \(target.text) failed: \(said).")
        }
    }

    /// `CURLE_TOO_LARGE`, which headers before 8.6 don't have.
    static let tooLarge = CURLcode(rawValue: 100)

    /// Whether a number of the system's says that there are no more descriptors.
    static func isShortage(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

    private var localPortsText: String {
        guard let localPorts else { return "any port" }
        return localPorts.count == 1
            ? "port \(localPorts.lowerBound)" : "the ports \(localPorts.lowerBound) to \(localPorts.upperBound)"
    }

    // MARK: Connecting

    private var notConnected: NetworkError {
        let reason = systemErrno == 0 ? said : SystemError.text(systemErrno)
        let place = target.isProxy ? "the proxy \(target.text)" : target.text
        switch systemErrno {
        case ECONNREFUSED where target.isUnixSocket:
            return make(
                .cannotConnect, .connection, "tcp.refused", "Nobody listens on \(place) (\(reason)). Is the server running?")
        case ECONNREFUSED:
            return make(
                .cannotConnect, .connection, "tcp.refused", "Nothing listens on \(place) (\(reason)). Is the server running?")
        case ENOENT where target.isUnixSocket:
            return make(.cannotConnect, .connection, "tcp.address_invalid", "There is no socket \(place). Is the server running?")
        case EACCES, EPERM:
            return make(.cannotConnect, .connection, "tcp.failed", "The connection to \(place) isn't allowed (\(reason)).")
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL:
            // The first two: the machine has no way out (TMO-7).
            return make(
                [ENETUNREACH, ENETDOWN].contains(systemErrno) ? .notConnected : .cannotConnect, .connection,
                "tcp.address_unreachable",
                "There is no way to \(place) (\(reason)). Check the network, and the address.")
        case ETIMEDOUT:
            return make(
                .connectTimedOut, .connection, "tcp.timed_out", "\(place) did not answer (\(reason)). Is a firewall between?")
        case ECONNRESET:
            return make(.cannotConnect, .connection, "tcp.reset", "\(place) reset the connection before it was ready.")
        default:
            return make(.cannotConnect, .connection, "tcp.failed", "\(place) could not be connected to: \(reason).")
        }
    }

    private var noQUIC: NetworkError {
        make(
            .cannotConnect, .connection, "quic.protocol",
            "\(target.text) could not be connected to by QUIC: \(said). Does it speak HTTP/3? Ask for an older version.")
    }

    private var timedOut: NetworkError {
        if let dataTimeout, text.contains("too slow") {
            // libcurl counts whole seconds.
            let limit = "\((dataTimeout.wholeNanoseconds - 1) / 1_000_000_000 + 1) s"
            return make(
                .attemptTimedOut, phase, "attempt.timed_out",
                "\(target.text) sent nothing for \(limit), after \(progress); raise the data timeout if it pauses that long.")
        }
        let limit = connectTimeout.map { " within \(Self.text($0))" } ?? " in time"
        return switch phase {
        case .dns, .queue:
            make(.connectTimedOut, .dns, "dns.failed", "No address for “\(target.host)” was found\(limit). Does DNS work here?")
        case .tls:
            make(.connectTimedOut, .tls, "tls.failed", "\(target.text) did not finish the TLS handshake\(limit).")
        case .connection, .preparation:
            make(
                .connectTimedOut, .connection, "tcp.timed_out",
                "\(target.text) did not take the connection\(limit). Is it the right address, and is a firewall between?")
        default:
            make(.transportFailed, phase, "tcp.timed_out", "\(target.text) fell silent: \(said).")
        }
    }

    // MARK: Afterwards

    private var broken: NetworkError {
        // As nghttp2 calls what it can't read.
        if version == "HTTP/2", text.contains("nghttp2") { return brokeOff(said) }
        // The end of the connection has a number of the system's, the words of TLS, or another code.
        if isChunked, phase == .body, systemErrno == 0, !text.contains("SSL") {
            return make(
                .protocolViolation, .body, "http.response.invalid.invalid_chunked_encoding",
                "\(target.text) sent a chunked body that can't be read: after \(progress), \(said).")
        }
        if text.contains("Too large response headers") {
            return make(
                .limitExceeded, .response, "http.response.invalid", "The head of the answer is longer than libcurl takes: \(said).")
        }
        if phase == .tls || text.contains("alert") { return handshakeFailed }
        return switch systemErrno {
        case ECONNRESET: lost("tcp.reset", "reset the connection")
        case EPIPE: lost("tcp.closed", "closed the connection")
        case ETIMEDOUT: lost("tcp.timed_out", "fell silent")
        case 0: lost("tcp.closed", "broke the connection (\(said))")
        default: lost("tcp.failed", "broke the connection (\(SystemError.text(systemErrno)))")
        }
    }

    private func brokeOff(_ reason: String) -> NetworkError {
        make(
            .connectionLost, hasAnswer ? .body : .response, ErrorType.httpProtocolError,
            "\(target.text) broke off \(version ?? "HTTP/2"): \(reason).")
    }

    private func lost(_ type: String, _ did: String) -> NetworkError {
        let place =
            switch phase {
            case .body: " in the middle of the body, after \(progress)"
            case .response where hasAnswer: " in the middle of the answer's head"
            case .request: " while the request was sent"
            default: ""
            }
        return make(.connectionLost, phase, type, "\(target.text) \(did)\(place).")
    }

    private var partial: NetworkError {
        make(
            .connectionLost, .body,
            expected == nil ? "http.response.invalid.incomplete_chunked_encoding" : "http.response.invalid.content_length_mismatch",
            "\(target.text) closed the connection in the middle of the body, after \(progress).")
    }

    private var progress: String {
        expected.map { "\(received) of \($0) bytes" } ?? "\(received) bytes"
    }

    // MARK: TLS

    private var handshakeFailed: NetworkError {
        if verifyError != 0 { return certificateRejected }
        if text.contains("wrong version number") || text.contains("unknown protocol") || text.contains("http request") {
            return make(
                .tlsFailed, .tls, "tls.protocol.error", "\(target.text) does not speak TLS (\(said)). Is it an http:// server?")
        }
        if text.contains("protocol version") || text.contains("unsupported protocol") || text.contains("no shared cipher")
            || text.contains("handshake failure") || text.contains("version too low") || text.contains("no protocols available")
        {
            return make(
                .tlsFailed, .tls, "tls.version_or_cipher_mismatch",
                "\(target.text) and we have no TLS version and cipher in common (\(said)). Check the minimum version.")
        }
        if text.contains("certificate required") || text.contains("bad certificate") || text.contains("unknown ca")
            || text.contains("certificate unknown")
        {
            return make(
                .clientCertificateFailed, .tls, "tls.bad_client_auth_cert",
                tls.certificate == nil
                    ? "\(target.text) asks for a client certificate (\(said)). Name one."
                    : "\(target.text) did not accept the client certificate (\(said)).")
        }
        if systemErrno == ECONNRESET {
            return make(.tlsFailed, .tls, "tcp.reset", "\(target.text) reset the connection during the TLS handshake.")
        }
        return make(.tlsFailed, .tls, "tls.protocol.error", "The TLS handshake with \(target.text) failed: \(said).")
    }

    /// The numbers are OpenSSL's (`X509_V_ERR_…`), which never change.
    private var certificateRejected: NetworkError {
        let words = verifyText ?? "the certificate was not accepted"
        let (type, help) =
            switch verifyError {
            case 0:
                ("tls.cert.name_invalid", "It is for another name: compare its names with the URL.")
            case 62, 63, 64:
                ("tls.cert.name_invalid", "It is for another name: compare its names with the URL.")
            case 9:
                ("tls.cert.date_invalid", "Its time has not come: check the clock here.")
            case 10:
                ("tls.cert.date_invalid", "It must be renewed by whoever runs the server.")
            case 11, 12, 13, 14, 15, 16:
                ("tls.cert.date_invalid", "Its dates can't be used.")
            case 18, 19:
                ("tls.cert.authority_invalid", "If you trust it, name its file as an authority.")
            case 2, 20, 21, 27:
                (
                    "tls.cert.authority_invalid",
                    "Its issuer isn't known here: name the issuer's file as an authority if you trust it."
                )
            case 23:
                ("tls.cert.revoked", "Its issuer has taken it back.")
            default:
                ("tls.cert.invalid", "The chain shows which certificate it is.")
            }
        let reason = verifyError == 0 ? "hostname mismatch" : words
        return make(.certificateRejected, .tls, type, "The certificate of \(host) is not accepted: \(reason). \(help)")
    }

    // MARK: Words

    /// libcurl's sentence, or its general one for the code.
    private var said: String {
        // libcurl repeats the URL of a proxy with all that is in it.
        let sentence = text.isEmpty ? String(cString: curl_easy_strerror(code)) : Redaction.standard.url(text).map(\.text).joined()
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration.wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }

    private func make(
        _ errorCode: NetworkError.Code, _ phase: NetworkError.Phase, _ type: String, _ message: String
    ) -> NetworkError {
        NetworkError(
            errorCode, phase: phase, type: type, message: message, systemErrno: systemErrno == 0 ? nil : systemErrno,
            curlCode: Int32(code.rawValue))
    }
}
