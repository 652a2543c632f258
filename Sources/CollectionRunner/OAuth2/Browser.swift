import Base
import RequestCollections

/// Opens addresses where a person can see them.
struct Browser: Sendable {
    let environment: [String: String]

    /// Over ssh and in containers there is none.
    var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    }

    /// The person is told the address anyway, so what goes wrong is no failure.
    func open(_ url: String) {
        // Some addresses come from a server, and xdg-open takes more than addresses.
        guard hasDisplay, url.hasPrefix("https://") || url.hasPrefix("http://") else { return }
        let command = Command(["xdg-open", url], environment: environment, timeout: .seconds(30), outputLimit: 1 << 20)
        Task { _ = try? await command.run(.own) }
    }
}
