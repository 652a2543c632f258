import ServerTesting

/// A small collection on disk, for commands that read one.
enum ShopFile {
    static let text = """
        turnstone: 1
        name: Shop
        variables:
          host: http://127.0.0.1:8080
          token: { secret: { env: SHOP_TOKEN } }
        environments:
          local: {}
          staging: { host: "https://staging.example.com" }
        defaults:
          headers: { accept: application/json }
          timeouts: { idle: 10s }
        requests:
          login:
            post: "{{host}}/login"
            tags: [auth, smoke]
            body: { json: { user: ada } }
          orders:
            defaults: { auth: { bearer: "{{token}}" } }
            requests:
              create:
                post: "{{host}}/orders"
                query: { page: "1" }
                headers: { x-key: "{{token}}" }
                tags: [smoke]
              list:
                get: "{{host}}/orders"
        """

    /// - Returns: the directory, which goes away with its owner, and the file in it.
    static func make(_ text: String = text) throws -> (TemporaryDirectory, path: String) {
        let directory = try TemporaryDirectory()
        return (directory, try directory.write("shop.yaml", text + "\n"))
    }
}
