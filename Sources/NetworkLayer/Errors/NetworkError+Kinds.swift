extension NetworkError {
    /// Whether time ran out: that of the operation, an attempt, idleness or connecting.
    public var isTimeout: Bool { code.isTimeout }

    /// Whether somebody cancelled the operation: ``cancelSource`` says who.
    public var isCancelled: Bool { code == .cancelled }

    /// Whether no retry may follow.
    public var isTerminal: Bool { code.isTerminal }

    /// Whether somebody or something may be listening in, here or in any of the causes: a certificate or key that isn't the right
    /// one, a challenge that was cancelled, a step from https to http. TNL's `isNetworkSecurityError`.
    public var isNetworkSecurityError: Bool {
        switch code {
        case .challengeCancelled, .certificateRejected, .pinMismatch, .clientCertificateFailed: true
        default: type == ErrorType.downgrade || underlying?.error.isNetworkSecurityError ?? false
        }
    }

    /// This error, its cause, the cause of that, and so on.
    public var chain: [NetworkError] {
        [self] + (underlying?.error.chain ?? [])
    }

    /// Any error as one of ours, with code `other`; one of ours stays what it is.
    public init(wrapping error: any Error, phase: Phase) {
        if let error = error as? NetworkError {
            self = error
        } else {
            self.init(.other, phase: phase, type: ErrorType.unknown, message: "\(error)")
        }
    }
}
