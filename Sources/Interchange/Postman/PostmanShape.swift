/// What is read of Postman's collections and environments.
enum PostmanShape {
    static let document = ForeignShape.map([
        "info": .map(["name": .scalar, "description": description]),
        "item": items, "auth": auth, "event": events, "variable": rows, "variables": rows, "values": rows, "name": .scalar,
    ])

    private static let description = ForeignShape.either([.scalar, .map(["content": .scalar])])
    private static let rows = ForeignShape.list(
        .map(["key": .scalar, "id": .scalar, "name": .scalar, "type": .scalar, "disabled": .scalar, "description": description]))
    private static let fields = ForeignShape.list(
        .map(["key": .scalar, "value": .scalar, "type": .scalar, "disabled": .scalar, "description": description]))
    private static let events = ForeignShape.list(
        .map(["listen": .scalar, "script": .either([.scalar, .map(["exec": .either([.scalar, .list(.scalar)])])])]))
    private static let auth = ForeignShape.map(["type": .scalar])

    private static let items: ForeignShape = .later {
        .list(
            .map([
                "name": .scalar, "description": description, "item": items, "request": .either([.scalar, request]), "auth": auth,
                "event": events, "variable": rows, "protocolProfileBehavior": .map([:]),
                "response": .list(.map(["code": .scalar, "body": .scalar, "header": .either([.list(.map([:])), .scalar])])),
            ]))
    }

    private static let request = ForeignShape.map([
        "method": .scalar, "url": .either([.scalar, url]), "header": .either([.scalar, fields]), "body": body, "auth": auth,
        "description": description,
    ])

    private static let url = ForeignShape.map([
        "raw": .scalar, "query": fields, "variable": fields, "protocol": .scalar, "port": .scalar,
        "host": .either([.scalar, .list(.scalar)]), "path": .either([.scalar, .list(.either([.scalar, .map([:])]))]),
    ])

    private static let body = ForeignShape.map([
        "mode": .scalar, "raw": .scalar, "urlencoded": .either([.scalar, fields]), "graphql": .map(["query": .scalar]),
        "file": .either([.map(["src": .scalar, "content": .scalar]), .scalar]), "disabled": .scalar,
        "formdata": .list(
            .map([
                "key": .scalar, "value": .scalar, "type": .scalar, "disabled": .scalar, "description": description,
                "contentType": .scalar, "fileName": .scalar, "src": .either([.scalar, .list(.scalar)]),
            ])),
    ])
}
