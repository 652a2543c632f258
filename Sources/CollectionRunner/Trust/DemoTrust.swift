import Base
import NetworkLayer
package import RequestCollections

/// What the program allows the demo that it starts itself, wherever that lies: these wants, and no others. A demo that somebody has
/// changed asks like any collection.
package enum DemoTrust {
    /// - Parameter servers: the addresses of the demo's own server.
    package static func trust(servers: [String]) -> Trust {
        var wants: Set<Want> = [.run(CommandWant(["printf", "turnstone-demo-token"], for: .secret))]
        for origin in servers.compactMap({ Origin($0) }) {
            for (secret, source) in secrets { wants.insert(.send(secret: secret, of: source, origin: "\(origin)")) }
            for jar in jars { wants.insert(.ambient(credential: "cookie jar \(jar)", origin: "\(origin)")) }
            wants.insert(.route(way: "proxy", value: "\(origin)"))
        }
        // The server that it is redirected to is the demo's other one.
        for (secret, source) in secrets { wants.insert(.send(secret: secret, of: source, origin: Want.anyOrigin)) }
        wants.insert(.route(way: "tls.verify", value: "false"))
        // The demo has a request for Docker's version.
        wants.insert(.route(way: "unix-socket", value: "/var/run/docker.sock"))
        return Trust(wants)
    }

    /// With what each is read from.
    private static let secrets = [
        ("token", "\(SecretReference.command(["printf", "turnstone-demo-token"]))"),
        ("fresh-token", "the response of `sign-in/get-token`"),
    ]
    private static let jars = ["demo"]
}
