/// A form in which a resolved request can be given away.
enum RequestRendering: String, Hashable, Sendable, CaseIterable {
    case curl
    case url

    /// The word for menus and messages.
    var title: String {
        switch self {
        case .curl: "curl command"
        case .url: "URL"
        }
    }

    /// How its secrets are in it.
    var detail: String {
        switch self {
        case .curl: "a shell fills its secrets in"
        case .url: "its secrets masked"
        }
    }
}
