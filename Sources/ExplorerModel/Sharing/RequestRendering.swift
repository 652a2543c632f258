import FoundationEssentials
package import NetworkLayer

/// A form in which a resolved request can be given away.
package enum RequestRendering: String, Hashable, Sendable, CaseIterable {
    case curl
    case url

    /// The word for menus and messages.
    package var title: String {
        switch self {
        case .curl: "curl command"
        case .url: "URL"
        }
    }

    package func text(for request: Request) -> String {
        switch self {
        case .curl: CurlCommand.text(for: request)
        case .url: request.url.absoluteString
        }
    }
}
