import Base
import CCurl
import Foundation
import NetworkLayer
import Testing

@testable import CurlTransport

/// The table of failures: libcurl's code and what else is known, and what becomes of it.
struct `Failures in words` {
    struct Row: Sendable, CustomTestStringConvertible {
        var curl: CURLcode
        var text = ""
        var errno: Int32 = 0
        var reached = NetworkError.Phase.connection
        var verify: Int32 = 0
        var hasAnswer = false
        /// The authorities that the server named when it asked for a certificate of ours.
        var authorities: [String]?
        var alert: UInt8?
        var certificate: String?
        var version: String?
        var goAway = 0
        var isRefusedByProxy = false
        var isTunnelRefused = false

        var code: NetworkError.Code
        var phase: NetworkError.Phase
        var type: String
        var message: String

        var testDescription: String { "\(curl.rawValue) \(text) \(errno)" }
    }

    @Test(arguments: [
        Row(
            curl: CURLE_COULDNT_RESOLVE_PROXY, code: .proxyNotResolved, phase: .dns, type: "dns.name_not_resolved",
            message: "No address was found for the proxy “h.example”. Check the proxy's name."),
        Row(
            curl: CURLE_COULDNT_CONNECT, errno: EHOSTUNREACH, code: .cannotConnect, phase: .connection,
            type: "tcp.address_unreachable",
            message: "There is no way to h.example:443 (no route to host). Check the network, and the address."),
        Row(
            curl: CURLE_COULDNT_CONNECT, errno: ENETUNREACH, code: .notConnected, phase: .connection,
            type: "tcp.address_unreachable",
            message: "There is no way to h.example:443 (network is unreachable). Check the network, and the address."),
        Row(
            curl: CURLE_COULDNT_CONNECT, errno: ETIMEDOUT, code: .connectTimedOut, phase: .connection, type: "tcp.timed_out",
            message: "h.example:443 did not answer (connection timed out). Is a firewall between?"),
        Row(
            curl: CURLE_OPERATION_TIMEDOUT, reached: .connection, code: .connectTimedOut, phase: .connection, type: "tcp.timed_out",
            message: "h.example:443 did not take the connection within 5 s. Is it the right address, and is a firewall between?"),
        Row(
            curl: CURLE_OPERATION_TIMEDOUT, reached: .dns, code: .connectTimedOut, phase: .dns, type: "dns.failed",
            message: "No address for “h.example” was found within 5 s. Does DNS work here?"),
        Row(
            curl: CURLE_COULDNT_CONNECT, text: "Unsupported proxy scheme for 'htp://u:hunter2@p:1'", code: .cannotConnect,
            phase: .connection, type: "tcp.failed",
            message: "h.example:443 could not be connected to: Unsupported proxy scheme for 'htp://u:••••••@p:1'."),
        Row(
            curl: CURLE_RECV_ERROR, text: "Recv failure: Connection reset by peer", errno: ECONNRESET, reached: .response,
            code: .connectionLost, phase: .response, type: "tcp.reset", message: "h.example:443 reset the connection."),
        Row(
            curl: CURLE_SEND_ERROR, text: "Send failure: Broken pipe", errno: EPIPE, reached: .request, code: .connectionLost,
            phase: .request, type: "tcp.closed", message: "h.example:443 closed the connection while the request was sent."),
        Row(
            curl: CURLE_HTTP2_STREAM, text: "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)", reached: .response,
            code: .connectionLost, phase: .response, type: "http.protocol.error",
            message: "h.example:443 broke off HTTP/2: HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)."),
        Row(
            curl: CURLE_GOT_NOTHING, text: "Empty reply from server", reached: .response, version: "HTTP/2",
            code: .connectionLost, phase: .response, type: "http.protocol.error",
            message: "h.example:443 broke the rules of HTTP/2, so the connection was ended. Does it speak HTTP/2? Try HTTP/1.1."),
        Row(
            curl: CURLE_PARTIAL_FILE, reached: .body, hasAnswer: true, version: "HTTP/2", goAway: 1,
            code: .connectionLost, phase: .body, type: "http.protocol.error",
            message: "h.example:443 broke off HTTP/2: it ended the connection with error 1."),
        Row(
            curl: CURLE_HTTP3, text: "HTTP/3 stream 0 reset by server", reached: .response, version: "HTTP/3",
            code: .connectionLost,
            phase: .response, type: "http.protocol.error",
            message: "h.example:443 broke off HTTP/3: HTTP/3 stream 0 reset by server."),
        Row(
            curl: CURLE_QUIC_CONNECT_ERROR, text: "QUIC connection error", code: .cannotConnect, phase: .connection,
            type: "quic.protocol",
            message: "h.example:443 could not be connected to by QUIC: QUIC connection error. Does it speak HTTP/3? "
                + "Ask for an older version."),
        Row(
            curl: CURLE_RECV_ERROR, text: "nghttp2 recv error -902: The user callback function failed", reached: .response,
            version: "HTTP/2", code: .connectionLost, phase: .response, type: "http.protocol.error",
            message: "h.example:443 broke off HTTP/2: nghttp2 recv error -902: The user callback function failed."),
        Row(
            curl: CURLE_RECV_ERROR, text: "CONNECT tunnel failed, response 407", isRefusedByProxy: true,
            code: .authorizationFailed, phase: .connection, type: "authorization.failed",
            message: "The proxy h.example:443 wants to know who we are (CONNECT tunnel failed, response 407). "
                + "Give it a name and a password that it knows."),
        // The code of libcurl 8.21 and later; it was that of a failure to receive.
        Row(
            curl: CURLE_COULDNT_CONNECT, text: "CONNECT tunnel failed, response 500", isTunnelRefused: true,
            code: .cannotConnect, phase: .connection, type: "tcp.failed",
            message: "The proxy h.example:443 did not open a way to h.example: CONNECT tunnel failed, response 500. "
                + "Check its address and credentials."),
        // From 8.21 on.
        Row(
            curl: CURLE_WEIRD_SERVER_REPLY, text: "Multiple Location headers", reached: .response, hasAnswer: true,
            code: .protocolViolation, phase: .response, type: "http.response.invalid",
            message: "h.example:443 sent a head that can't be read (Multiple Location headers)."),
        Row(
            curl: CURLE_COULDNT_CONNECT, errno: EMFILE, code: .cannotConnect, phase: .connection, type: "tcp.failed",
            message: "No connection to h.example:443 can be opened: too many open files, this process may have "
                + "\(SystemCall.descriptorLimit ?? 0). Raise the limit with `ulimit -n`, or send fewer at once."),
        Row(
            curl: CURLE_SSL_CONNECT_ERROR, text: "error:0A00042E:SSL routines::tlsv1 alert protocol version", reached: .tls,
            code: .tlsFailed, phase: .tls, type: "tls.version_or_cipher_mismatch",
            message: "h.example:443 and we have no TLS version and cipher in common "
                + "(error:0A00042E:SSL routines::tlsv1 alert protocol version). Check the minimum version."),
        Row(
            curl: CURLE_RECV_ERROR, text: "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required",
            reached: .response, code: .clientCertificateFailed, phase: .tls, type: "tls.bad_client_auth_cert",
            message: "h.example:443 asks for a client certificate "
                + "(OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required). Name one."),
        Row(
            curl: CURLE_PEER_FAILED_VERIFICATION, reached: .tls, verify: 20, code: .certificateRejected, phase: .tls,
            type: "tls.cert.authority_invalid",
            message: "The certificate of h.example is not accepted: OpenSSL's words. "
                + "Its issuer isn't known here: name the issuer's file as an authority if you trust it."),
        Row(
            curl: CURLE_PEER_FAILED_VERIFICATION, reached: .tls, verify: 9, code: .certificateRejected, phase: .tls,
            type: "tls.cert.date_invalid",
            message: "The certificate of h.example is not accepted: OpenSSL's words. Its time has not come: check the clock here."),
        Row(
            curl: CURLE_PEER_FAILED_VERIFICATION, reached: .tls, verify: 23, code: .certificateRejected, phase: .tls,
            type: "tls.cert.revoked",
            message: "The certificate of h.example is not accepted: OpenSSL's words. Its issuer has taken it back."),
        Row(
            curl: CURLE_OUT_OF_MEMORY, reached: .response, hasAnswer: true, code: .limitExceeded, phase: .response,
            type: "http.response.invalid",
            message: "A header line of the answer from h.example:443 is longer than the 100 KiB that libcurl takes."),
        Row(
            curl: CURLE_FAILED_INIT, reached: .queue, code: .transportFailed, phase: .queue, type: "unknown",
            message: "The transfer with h.example:443 failed: Failed initialization."),
        Row(
            curl: CURLE_SEND_ERROR, text: "Send failure: Broken pipe", errno: EPIPE, reached: .request,
            authorities: ["CN=One", "CN=Two"], code: .clientCertificateFailed, phase: .tls, type: "tls.bad_client_auth_cert",
            message: "h.example:443 asks for a client certificate (it closed the connection). Name one. "
                + "It takes those of “CN=One”, “CN=Two”."),
        Row(
            curl: CURLE_RECV_ERROR, text: "SSL_read: alert", reached: .response, authorities: (1...7).map { "CN=\($0)" },
            alert: 116,
            code: .clientCertificateFailed, phase: .tls, type: "tls.bad_client_auth_cert",
            message: "h.example:443 asks for a client certificate (certificate required). Name one. "
                + "It takes those of “CN=1”, “CN=2”, “CN=3”, “CN=4”, “CN=5” and 2 more."),
        Row(
            curl: CURLE_RECV_ERROR, text: "SSL_read: alert", reached: .response, authorities: [], alert: 45,
            certificate: "/me.pem", code: .clientCertificateFailed, phase: .tls, type: "tls.bad_client_auth_cert",
            message: "h.example:443 did not accept the client certificate /me.pem (certificate expired)."),
        Row(
            curl: CURLE_SEND_ERROR, text: "Send failure: Broken pipe", errno: EPIPE, reached: .request, authorities: [],
            certificate: "/me.pem", code: .connectionLost, phase: .request, type: "tcp.closed",
            message: "h.example:443 closed the connection while the request was sent."),
        Row(
            curl: CURLE_RECV_ERROR, text: "SSL_read: alert", reached: .response, authorities: [], alert: 80, code: .tlsFailed,
            phase: .tls, type: "tls.protocol.error", message: "The TLS handshake with h.example:443 failed: SSL_read: alert."),
    ])
    func `RTY-8 TMO-7 each has a code, a phase, a type and a sentence`(row: Row) throws {
        let url = try #require(URL(string: "https://h.example/path"))
        var tls = TLSOptions()
        tls.certificate = row.certificate
        let failure = CurlFailure(
            code: row.curl, text: row.text, systemErrno: row.errno, phase: row.reached,
            target: Target(url: url, unixSocket: nil, proxy: nil), host: "h.example", verifyError: row.verify,
            verifyText: row.verify == 0 ? nil : "OpenSSL's words", clientAuthorities: row.authorities, alert: row.alert, tls: tls,
            connectTimeout: .seconds(5), received: 0,
            expected: nil, hasAnswer: row.hasAnswer, version: row.version, goAway: row.goAway,
            isRefusedByProxy: row.isRefusedByProxy, isTunnelRefused: row.isTunnelRefused)
        var error = failure.error
        #expect(
            error.details[.clientAuthorities]
                == row.authorities.flatMap { $0.isEmpty || row.certificate != nil ? nil : $0.joined(separator: "\n") })
        error.details = [:]
        #expect(
            error
                == NetworkError(
                    row.code, phase: row.phase, type: row.type, message: row.message, systemErrno: row.errno == 0 ? nil : row.errno,
                    curlCode: Int32(row.curl.rawValue)))
    }

    @Test(
        arguments: [
            (
                4101...4101, nil,
                "No connection can be made from port 4101: bind failed. Take another port, or wait until it is free."
            ),
            (
                4101...4110, nil,
                "No connection can be made from the ports 4101 to 4110: bind failed. Take another port, or wait until it is free."
            ),
            (nil, "eth7", "There is no interface or address “eth7” here to connect from. Run `ip address` to see which there are."),
            (
                4101...4101, "eth7",
                "There is no interface or address “eth7” here to connect from. Run `ip address` to see which there are."
            ),
        ] as [(ClosedRange<UInt16>?, String?, String)])
    func `what can't be bound is named`(ports: ClosedRange<UInt16>?, interface: String?, message: String) throws {
        let failure = CurlFailure(
            code: CURLE_INTERFACE_FAILED, text: "bind failed", systemErrno: 0, phase: .connection,
            target: Target(url: try #require(URL(string: "http://h.example/")), unixSocket: nil, proxy: nil), host: "h.example",
            verifyError: 0, tls: TLSOptions(), interface: interface, localPorts: ports, received: 0, hasAnswer: false)
        #expect(failure.error.message == message)
    }
}
