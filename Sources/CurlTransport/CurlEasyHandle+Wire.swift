import Base
import CCurl
import HTTPTypes
import NetworkLayer

extension CurlEasyHandle {
    func set(_ wire: WireOptions) throws(NetworkError) {
        switch wire.addressFamily {
        case .any: break
        case .ipv4: set(CURLOPT_IPRESOLVE, turnstone_curl_resolve_v4)
        case .ipv6: set(CURLOPT_IPRESOLVE, turnstone_curl_resolve_v6)
        }
        if let ports = wire.localPorts {
            set(CURLOPT_LOCALPORT, Int(ports.lowerBound))
            set(CURLOPT_LOCALPORTRANGE, ports.count)
        }
        if let silence = wire.keepAlive {
            let seconds = max(1, Int(clamping: (silence.wholeNanoseconds - 1) / 1_000_000_000 + 1))
            set(CURLOPT_TCP_KEEPALIVE, 1)
            set(CURLOPT_TCP_KEEPIDLE, seconds)
            set(CURLOPT_TCP_KEEPINTVL, seconds)
        }
        if let rate = wire.receiveRate { turnstone_curl_set_offset(raw, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(rate)) }
        if let rate = wire.sendRate { turnstone_curl_set_offset(raw, CURLOPT_MAX_SEND_SPEED_LARGE, curl_off_t(rate)) }
        if let target = wire.requestTarget {
            // libcurl sends it as it is: a line break would begin another field, and a space end the target.
            guard !target.isEmpty, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .invalid("A request target is printable ASCII without spaces, which “\(target)” isn't. Encode the rest.")
            }
            try require(CURLOPT_REQUEST_TARGET, target, "the request target \(target)")
        }
        if wire.isRaw { set(CURLOPT_HTTP_TRANSFER_DECODING, 0) }
        // A proxy hands on no request for another protocol (RFC 9110, section 7.6.1).
        if wire.tunnels || wire.upgrades { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
        if !wire.proxyHeaders.isEmpty {
            for field in wire.proxyHeaders {
                proxyHeaders = curl_slist_append(
                    proxyHeaders, field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
            }
            turnstone_curl_set_list(raw, CURLOPT_PROXYHEADER, proxyHeaders)
            set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        }
        if let proxy = wire.preProxy {
            try require(CURLOPT_PRE_PROXY, proxy, "the proxy \(proxy.split(separator: "@").last ?? "")")
        }
        if let timeout = wire.continueTimeout {
            set(CURLOPT_EXPECT_100_TIMEOUT_MS, max(1, Int(clamping: timeout.wholeNanoseconds / 1_000_000)))
        }
        if let resolver = wire.resolver {
            try require(CURLOPT_DOH_URL, resolver, "the resolver \(resolver)")
            if !wire.verifiesResolver {
                set(CURLOPT_DOH_SSL_VERIFYPEER, 0)
                set(CURLOPT_DOH_SSL_VERIFYHOST, 0)
            }
            if wire.requiresResolverStatus { set(CURLOPT_DOH_SSL_VERIFYSTATUS, 1) }
        }
        if let path = wire.alternatives {
            set(CURLOPT_ALTSVC_CTRL, Int(CURLALTSVC_H1 | CURLALTSVC_H2))
            try require(CURLOPT_ALTSVC, path, "other places of a server")
        }
        if wire.ignoresLength { set(CURLOPT_IGNORE_CONTENT_LENGTH, 1) }
        if let name = wire.serviceName { try require(CURLOPT_SERVICE_NAME, name, "the service \(name)") }
        if let name = wire.proxyServiceName { try require(CURLOPT_PROXY_SERVICE_NAME, name, "the service \(name) of a proxy") }
        switch wire.delegation {
        case .none: break
        case .policy: set(CURLOPT_GSSAPI_DELEGATION, Int(CURLGSSAPI_DELEGATION_POLICY_FLAG))
        case .always: set(CURLOPT_GSSAPI_DELEGATION, Int(CURLGSSAPI_DELEGATION_FLAG))
        }
        if wire.speaksHTTP10ToProxy { set(CURLOPT_PROXYTYPE, turnstone_curl_proxy_http_1_0) }
        if wire.fastOpen { set(CURLOPT_TCP_FASTOPEN, 1) }
        if wire.announcesAddress { set(CURLOPT_HAPROXYPROTOCOL, 1) }
        if let delay = wire.addressDelay {
            set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, max(1, Int(clamping: delay.wholeNanoseconds / 1_000_000)))
        }
        if !wire.negotiatesProtocol { set(CURLOPT_SSL_ENABLE_ALPN, 0) }
        if wire.asksForTransferCoding { set(CURLOPT_TRANSFER_ENCODING, 1) }
        if wire.requiresStatus { set(CURLOPT_SSL_VERIFYSTATUS, 1) }
        if let tls = wire.proxyTLS { try set(tls, TLSNames.proxy) }
    }
}
