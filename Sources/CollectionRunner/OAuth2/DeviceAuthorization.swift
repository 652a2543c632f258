import NetworkLayer

/// What a device-code server wants of the person, and when to ask it again (RFC 8628).
struct DeviceAuthorization: Hashable, Sendable {
    var deviceCode: String
    var userCode: String
    var url: String
    /// Has the user code in it.
    var completeURL: String?
    var deadline: MonotonicTime
    /// Between two questions.
    var interval: Duration

    enum Step: Hashable, Sendable {
        case wait(Duration)
        case fail(OAuth2Error)
    }

    /// After an answer that wasn't a token (section 3.5).
    ///
    /// | answer                  | next                                          |
    /// |-------------------------|-----------------------------------------------|
    /// | `authorization_pending` | asks again after the interval                 |
    /// | `slow_down`             | makes the interval 5 s longer, from now on    |
    /// | none: no connection     | doubles the interval, at most to a minute     |
    /// | anything else           | fails                                         |
    mutating func step(after error: OAuth2Error, hasAnswer: Bool, at time: MonotonicTime) -> Step {
        switch error.code {
        case "authorization_pending": break
        case "slow_down": interval += .seconds(5)
        case nil where !hasAnswer: interval = max(interval, min(interval * 2, .seconds(60)))
        default: return .fail(error)
        }
        guard time + interval < deadline else {
            return .fail(OAuth2Error("nobody entered the code \(userCode) in time; send the request again for a new one"))
        }
        return .wait(interval)
    }
}
