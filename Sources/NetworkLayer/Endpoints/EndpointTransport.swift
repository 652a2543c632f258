/// What one level of ``EndpointConfiguration`` says of the transport.
///
///     environment.configuration.transport = .inheriting(pinned)       // pins, a proxy
///     endpoint.configuration.transport = .inheriting(uncompressed)    // and here both of them hold, too
public enum EndpointTransport: Sendable, Hashable {
    /// The fields that differ from those of `TransportOptions()` are said; all others are inherited, one by one.
    ///
    /// Trust is only ever tightened: servers, proxies and resolvers stay verified, the authorities and the ciphers stay those of the outermost level that
    /// names some, the higher of the least versions of TLS holds, and so do the pins that every level with pins allows. Levels that
    /// have none in common allow no server at all.
    case inheriting(TransportOptions)
    /// These options as they are, whatever the levels outside of this one say.
    case replacing(TransportOptions)

    /// This level over `outer`.
    func inheriting(from outer: EndpointTransport?) -> EndpointTransport {
        switch (self, outer) {
        case (.replacing, _), (_, nil): self
        case (.inheriting(let options), .inheriting(let outer)): .inheriting(options.inheriting(from: outer))
        case (.inheriting(let options), .replacing(let outer)): .replacing(options.inheriting(from: outer))
        }
    }

    func applied(to base: TransportOptions) -> TransportOptions {
        switch self {
        case .inheriting(let options): options.inheriting(from: base)
        case .replacing(let options): options
        }
    }
}

extension TransportOptions {
    /// Field by field: what differs from the default, else what `outer` has.
    func inheriting(from outer: Self) -> Self {
        var options = outer
        let standard = Self()
        func merge<Value: Equatable>(_ field: WritableKeyPath<Self, Value>) {
            if self[keyPath: field] != standard[keyPath: field] { options[keyPath: field] = self[keyPath: field] }
        }
        merge(\.httpVersion)
        merge(\.acceptsCompression)
        merge(\.proxy)
        merge(\.proxyCredential)
        merge(\.proxyAuthentication)
        merge(\.authentication)
        merge(\.resolve)
        merge(\.connectTo)
        merge(\.omittedHeaders)
        merge(\.unixSocket)
        merge(\.interface)
        merge(\.expectsContinue)
        merge(\.reusesConnections)
        merge(\.dataTimeout)
        merge(\.serviceType)
        merge(\.multipath)
        merge(\.allowsCellularAccess)
        options.wire = wire.inheriting(from: outer.wire)
        options.tls = tls.inheriting(from: outer.tls)
        return options
    }
}

extension WireOptions {
    /// Field by field.
    fileprivate func inheriting(from outer: Self) -> Self {
        var options = outer
        let standard = Self()
        func merge<Value: Equatable>(_ field: WritableKeyPath<Self, Value>) {
            if self[keyPath: field] != standard[keyPath: field] { options[keyPath: field] = self[keyPath: field] }
        }
        merge(\.addressFamily)
        merge(\.localPorts)
        merge(\.keepAlive)
        merge(\.receiveRate)
        merge(\.sendRate)
        merge(\.leastRate)
        merge(\.requestTarget)
        merge(\.isRaw)
        merge(\.tunnels)
        merge(\.proxyHeaders)
        merge(\.proxyExceptions)
        merge(\.preProxy)
        merge(\.isSocketAbstract)
        merge(\.continueTimeout)
        merge(\.spelling)
        merge(\.resolver)
        merge(\.fastOpen)
        merge(\.announcesAddress)
        merge(\.addressDelay)
        merge(\.negotiatesProtocol)
        merge(\.asksForTransferCoding)
        merge(\.requiresStatus)
        merge(\.trace)
        merge(\.requiresResolverStatus)
        merge(\.alternatives)
        merge(\.ignoresLength)
        merge(\.serviceName)
        merge(\.proxyServiceName)
        merge(\.delegation)
        merge(\.speaksHTTP10ToProxy)
        // Trust is only tightened: whoever looks names up stays verified, and so does a proxy.
        if let proxyTLS { options.proxyTLS = proxyTLS.inheriting(from: outer.proxyTLS ?? TLSOptions()) }
        return options
    }
}

extension TLSOptions {
    fileprivate func inheriting(from outer: Self) -> Self {
        var options = outer
        if options.authorities == nil { options.authorities = authorities }
        if options.revocations == nil { options.revocations = revocations }
        if options.curves.isEmpty { options.curves = curves }
        if certificate != nil {
            // The certificate of this level; the key that was named with it goes with it.
            options.certificate = certificate
            options.key = key
            options.passphrase = passphrase
        }
        if key != nil { options.key = key }
        if passphrase != nil { options.passphrase = passphrase }
        options.minimumVersion = [minimumVersion, outer.minimumVersion].compactMap { $0 }.max()
        options.maximumVersion = maximumVersion ?? outer.maximumVersion
        if srp != nil { options.srp = srp }
        if options.ciphers.isEmpty { options.ciphers = ciphers }
        if options.pins.isEmpty {
            options.pins = pins
        } else if !pins.isEmpty {
            options.pins = pins.filter(outer.pins.contains)
            if options.pins.isEmpty { options.pins = [Self.pinOfNobody] }
        }
        return options
    }

    /// The pin of no server: nobody knows a key with this hash, and no list of pins may become empty, which would be none.
    static let pinOfNobody = "sha256//" + String(repeating: "A", count: 43) + "="
}
