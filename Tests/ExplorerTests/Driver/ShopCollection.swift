import NetworkLayer
import OrderedCollections
import RequestCollections

@testable import Explorer

/// A small collection in memory: folders, inherited values, environments, each kind of body.
enum ShopCollection {
    static let path = "/shop"

    static let collection: RequestCollection = {
        var collection = RequestCollection(path: path, name: "Shop")
        collection.variables = [
            VariableDefinition(name: "host", value: .text("http://127.0.0.1:8080"), location: place(3)),
            VariableDefinition(name: "user", value: .text("ada"), location: place(4)),
        ]
        collection.environments = [
            "local": EnvironmentDefinition(name: "local", location: place(6)),
            "staging": EnvironmentDefinition(
                name: "staging",
                variables: [
                    VariableDefinition(name: "host", value: .text("https://staging.example.com"), location: place(8)),
                    VariableDefinition(name: "token", value: .secret(.environment("STAGING_TOKEN")), location: place(9)),
                ], location: place(7)),
        ]
        collection.defaults.headers = [.init(name: "accept", value: "application/json", location: place(12))]
        collection.defaults.settings.timeouts.idle = .after(.seconds(10))

        var login = request("login", "POST", "{{host}}/login")
        login.body = .json("{\n  \"user\": \"{{user}}\",\n  \"password\": \"{{password}}\"\n}")

        var create = request("orders/create", "POST", "{{host}}/orders")
        create.query = [.init(name: "notify", value: "mail"), .init(name: "dry", value: "1", isEnabled: false)]
        create.headers = [.init(name: "idempotency-key", value: "{{user}}-1"), .init(name: "Authorization", value: "Bearer abc")]
        create.body = .json("{\n  \"sku\": \"A7\",\n  \"qty\": 2\n}")

        var one = request("orders/one", "GET", "{{host}}/orders/:id")
        one.path = [.init(name: "id", value: "42")]

        let list = request("orders/list", "GET", "{{host}}/orders")
        var orders = RequestCollection.Folder(
            id: RequestID(rawValue: "orders"), nodes: [.request(create), .request(list), .request(one)], location: place(20))
        orders.defaults.auth = .bearer("{{token}}")
        orders.defaults.headers = [.init(name: "x-tenant", value: "7", location: place(21))]

        var purge = request("admin/purge", "DELETE", "{{host}}/cache")
        purge.settings.verifiesTLS = false
        let admin = RequestCollection.Folder(id: RequestID(rawValue: "admin"), nodes: [.request(purge)], location: place(40))

        collection.nodes = [.request(login), .folder(orders), .folder(admin)]
        return collection
    }()

    /// The shop as its files say after one request of it was edited there.
    static func changed(_ id: String, _ change: (inout RequestDefinition) -> Void) -> RequestCollection {
        func changed(_ nodes: [RequestCollection.Node]) -> [RequestCollection.Node] {
            nodes.map { node in
                switch node {
                case .request(let shared):
                    var request = shared.wrappedValue
                    if request.id.rawValue == id { change(&request) }
                    return .request(request)
                case .folder(var folder):
                    folder.nodes = changed(folder.nodes)
                    return .folder(folder)
                }
            }
        }
        var collection = collection
        collection.nodes = changed(collection.nodes)
        return collection
    }

    /// A request of the shop, edited.
    static func edit(_ edited: RequestDefinition) -> RequestEdit {
        RequestEdit(from: collection.request(edited.id) ?? edited, to: edited)
    }

    static func request(_ id: String, _ method: String, _ url: String) -> RequestDefinition {
        RequestDefinition(id: RequestID(rawValue: id), method: method, url: url, location: place(1, "\(id).yaml"))
    }

    static func place(_ line: Int, _ file: String = "_collection.yaml") -> SourceLocation {
        SourceLocation(path: "\(path)/\(file)", line: line, column: 1)
    }

    static func reference(_ id: String) -> RequestReference {
        RequestReference(collection: path, id: RequestID(rawValue: id))
    }
}

extension RequestID: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
