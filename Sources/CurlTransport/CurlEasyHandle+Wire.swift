import CCurl
import HTTPTypes
import NetworkLayer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
        if let target = wire.requestTarget { try require(CURLOPT_REQUEST_TARGET, target, "the request target \(target)") }
        if wire.isRaw {
            set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
            leaveBodyCoded()
        }
        if wire.tunnels { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
        if !wire.proxyHeaders.isEmpty {
            for field in wire.proxyHeaders {
                proxyHeaders = curl_slist_append(
                    proxyHeaders, field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
            }
            turnstone_curl_set_list(raw, CURLOPT_PROXYHEADER, proxyHeaders)
            set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        }
        if let hosts = wire.proxyExceptions { set(CURLOPT_NOPROXY, hosts) }
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
        }
        if wire.fastOpen { set(CURLOPT_TCP_FASTOPEN, 1) }
        if wire.announcesAddress { set(CURLOPT_HAPROXYPROTOCOL, 1) }
        if let delay = wire.addressDelay {
            set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, max(1, Int(clamping: delay.wholeNanoseconds / 1_000_000)))
        }
        if !wire.negotiatesProtocol { set(CURLOPT_SSL_ENABLE_ALPN, 0) }
        if wire.asksForTransferCoding { set(CURLOPT_TRANSFER_ENCODING, 1) }
        if wire.requiresStatus { set(CURLOPT_SSL_VERIFYSTATUS, 1) }
        if let tls = wire.proxyTLS { try set(proxy: tls) }
    }

    /// Of a proxy over TLS.
    private func set(proxy tls: TLSOptions) throws(NetworkError) {
        if !tls.verifies {
            set(CURLOPT_PROXY_SSL_VERIFYPEER, 0)
            set(CURLOPT_PROXY_SSL_VERIFYHOST, 0)
        }
        if let path = tls.authorities {
            let isDirectory = Self.isDirectory(path)
            try require(CURLOPT_PROXY_CAINFO, isDirectory ? nil : path, "the proxy's authorities in \(path)")
            try require(CURLOPT_PROXY_CAPATH, isDirectory ? path : nil, "the proxy's authorities in \(path)")
        }
        if let path = tls.revocations { try require(CURLOPT_PROXY_CRLFILE, path, "the revoked certificates in \(path)") }
        if let path = tls.certificate {
            let key = tls.key ?? path
            if tls.passphrase == nil, CredentialFile(key).isEncrypted { throw .passphraseMissing(for: key) }
            let form = CredentialFile(path).form
            try require(CURLOPT_PROXY_SSLCERT, path, "the client certificate \(path)")
            try require(CURLOPT_PROXY_SSLCERTTYPE, form.rawValue, "certificates in \(form.rawValue)")
            if form != .pkcs12 || tls.key != nil {
                let keyForm = CredentialFile(key).form
                try require(CURLOPT_PROXY_SSLKEY, key, "the client key \(key)")
                try require(CURLOPT_PROXY_SSLKEYTYPE, keyForm.rawValue, "keys in \(keyForm.rawValue)")
            }
            try require(CURLOPT_PROXY_KEYPASSWD, tls.passphrase?.text ?? "", "the pass phrase of \(key)")
        }
        if let version = tls.minimumVersion { set(CURLOPT_PROXY_SSLVERSION, version.curlNumber) }
        let new = tls.ciphers.filter { $0.hasPrefix("TLS_") }
        let old = tls.ciphers.filter { !$0.hasPrefix("TLS_") }
        if !new.isEmpty { try require(CURLOPT_PROXY_TLS13_CIPHERS, new.joined(separator: ":"), "a choice of the proxy's ciphers") }
        if !old.isEmpty {
            try require(CURLOPT_PROXY_SSL_CIPHER_LIST, old.joined(separator: ":"), "a choice of the proxy's ciphers")
        }
        if !tls.pins.isEmpty {
            try require(CURLOPT_PROXY_PINNEDPUBLICKEY, tls.pins.joined(separator: ";"), "the proxy's pinned keys")
        }
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
