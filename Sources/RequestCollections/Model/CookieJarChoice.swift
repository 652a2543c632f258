import NetworkLayer

/// What a request, a folder or a collection says of a cookie jar.
package enum CookieJarChoice: Hashable, Sendable {
    /// Nothing: whoever sends it decides.
    case unsaid
    /// `cookie-jar: ""`: none.
    case refused
    /// The one that is kept under this name.
    case named(String)
}

extension CookieConfiguration {
    /// What is said of none is without cookies, as the network layer has it.
    init(_ choice: CookieJarChoice) {
        switch choice {
        case .unsaid, .refused: self.init()
        case .named(let name): self.init(acceptance: .always, sends: true, jar: .named(name))
        }
    }
}
