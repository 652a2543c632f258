/// What is read of an OpenAPI document, but for what references lead to.
enum OpenAPIShape {
    static let document = ForeignShape.map([
        "info": .map(["title": .scalar, "description": .scalar]), "servers": servers,
        "tags": .list(.map(["name": .scalar, "description": .scalar])), "host": .scalar, "basePath": .scalar,
        "schemes": .list(.scalar), "consumes": .list(.scalar), "produces": .list(.scalar), "paths": .map([:]),
        "components": .map(["securitySchemes": .map([:])]), "security": .list(.map([:])),
    ])

    static let operation = ForeignShape.map([
        "summary": .scalar, "description": .scalar, "operationId": .scalar, "deprecated": .scalar, "tags": .list(.scalar),
        "parameters": .list(parameter), "requestBody": .map(["content": content]), "responses": .map([:]),
        "security": .list(.map([:])), "servers": servers, "consumes": .list(.scalar), "produces": .list(.scalar),
        "callbacks": .map([:]),
    ])

    private static let servers = ForeignShape.list(
        .map(["url": .scalar, "description": .scalar, "variables": .map([:])]))
    private static let parameter = ForeignShape.map([
        "name": .scalar, "in": .scalar, "required": .scalar, "description": .scalar, "style": .scalar, "explode": .scalar,
        "collectionFormat": .scalar, "schema": schema, "content": .map([:]), "examples": .map([:]),
    ])
    private static let content = ForeignShape.map([
        "application/json": media, "application/x-www-form-urlencoded": media, "multipart/form-data": media,
        "application/xml": media, "*/*": media,
    ])
    private static let media = ForeignShape.map(["schema": schema, "examples": .map([:]), "encoding": .map([:])])
    /// A boolean is a schema too (OpenAPI 3.1).
    private static let schema = ForeignShape.either([
        .map(["properties": .map([:]), "required": .either([.scalar, .list(.scalar)])]), .scalar,
    ])
}
