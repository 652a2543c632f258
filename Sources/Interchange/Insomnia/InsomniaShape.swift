/// What is read of Insomnia's exports.
enum InsomniaShape {
    static let document = ForeignShape.map([
        "name": .scalar, "resources": .list(node), "collection": .list(node), "environments": environment,
        "meta": .map(["description": .scalar]),
    ])

    private static let rows = ForeignShape.list(
        .map([
            "name": .scalar, "value": .scalar, "disabled": .scalar, "description": .scalar, "type": .scalar, "fileName": .scalar,
        ]))

    private static let environment: ForeignShape = .later {
        .map(["name": .scalar, "data": .map([:]), "subEnvironments": .list(environment)])
    }

    private static let node: ForeignShape = .later {
        .map([
            "name": .scalar, "method": .scalar, "url": .scalar, "description": .scalar, "headers": rows, "parameters": rows,
            "pathParameters": rows, "authentication": .map(["type": .scalar]), "environment": .map([:]), "children": .list(node),
            "body": .map(["mimeType": .scalar, "text": .scalar, "fileName": .scalar, "params": rows]), "data": .anything,
        ])
    }
}
