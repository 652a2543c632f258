public import HTTPTypes

extension HTTPResponse.Status {
    /// Whether the answer is all there will be: 2xx but for those that promise more or speak of a part.
    ///
    /// 202 Accepted, 203 Non-Authoritative Information, 207 Multi-Status, 208 Already Reported and 226 IM Used are none. What is
    /// definitively done needs no retry (REQ-9).
    public var isDefinitiveSuccess: Bool {
        switch code {
        case 202, 203, 207, 208, 226: false
        default: kind == .successful
        }
    }

    /// 1xx.
    public var isInformational: Bool { kind == .informational }
    /// 2xx.
    public var isSuccess: Bool { kind == .successful }
    /// 3xx, also 304, which redirects nothing.
    public var isRedirection: Bool { kind == .redirection }
    /// 4xx.
    public var isClientError: Bool { kind == .clientError }
    /// 5xx.
    public var isServerError: Bool { kind == .serverError }
}
