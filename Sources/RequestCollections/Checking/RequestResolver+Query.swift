import Base
package import GraphQLLanguage
import NetworkLayer
import Synchronization

extension RequestResolver {
    /// What is wrong with the query and its variables: by the language alone, and by the schema where a file has it.
    mutating func queryFaults() throws(ResolutionError) -> [ResolutionError] {
        guard let query = definition.graphQL else { return [] }
        let place = definition.places["body"] ?? definition.location
        let text: String
        switch query.query {
        case .text(let template): text = template
        case .file(let template):
            guard !Template.isIn(template),
                let bytes = try bytes(of: try filePath(template, at: place), for: "body", at: place)
            else { return [] }
            text = String(decoding: bytes, as: UTF8.self)
        }
        func errors(_ faults: [GraphQLFault]) -> [ResolutionError] {
            faults.map { ResolutionError(.definition, "in the query, \($0)", at: place) }
        }
        let document: GraphQLDocument
        do throws(GraphQLFault) { document = try GraphQLDocument(parsing: text) } catch { return errors([error]) }
        if let complaint = Self.complaint(aboutOperation: query.operation, of: document) {
            return [ResolutionError(.definition, complaint, at: place)]
        }
        if hasQueryInURL, document.operation(named: query.operation)?.kind == .mutation {
            return [
                ResolutionError(.definition, "a mutation by `get` is no query that may be repeated; send it by `post`", at: place)
            ]
        }
        guard let schema = try schema() else { return errors(document.faults()) }
        let faults = schema.faults(in: document)
        guard faults.isEmpty, let operation = document.operation(named: query.operation),
            let variables = Self.variables(of: query)
        else { return errors(faults) }
        return schema.faults(inVariables: variables, of: operation).map {
            ResolutionError(.definition, "in the query's variables, \($0)", at: place)
        }
    }

    /// Which operation is executed must be clear (GraphQL, section 6.1).
    private static func complaint(aboutOperation name: String?, of document: GraphQLDocument) -> String? {
        let names = document.operations.compactMap(\.name?.text)
        guard let name else {
            return document.operations.count > 1
                ? "the query has \(document.operations.count) operations, and `operation` doesn't say which one is meant" : nil
        }
        if Template.isIn(name) || names.contains(where: Template.isIn) || names.contains(name) { return nil }
        return "the query has no operation `\(name)`\(suggestion(for: name, in: names))"
    }

    /// `nil` where templates hide what they are. A file takes the place of a variable of any type.
    private static func variables(of query: BodyDefinition.GraphQL) -> GraphQLValue? {
        guard var variables = JSONParser.parse(query.variables ?? "{}") else { return nil }
        for row in query.files where row.isEnabled {
            variables = variables.setting("{{file}}", at: row.name.pieces(at: ".")[...]) ?? variables
        }
        return GraphQLValue(judged: variables)
    }

    /// - Returns: `nil` where no file has it, or nobody has allowed to read it.
    mutating func schema() throws(ResolutionError) -> GraphQLSchema? {
        guard let field = SettingField["graphql-schema"], let level = level(saying: field), let name = level.settings.graphQLSchema
        else { return nil }
        let place = level.places[field.key] ?? definition.location
        let path = joined(level.directory, try scope.text(name, at: place).text)
        guard let bytes = try bytes(of: path, for: field.key, at: place) else { return nil }
        if let known = Self.knownSchemas.withLock({ $0[path] }), known.bytes == bytes { return known.schema }
        do throws(GraphQLFault) {
            let schema = try GraphQLSchema(file: bytes)
            Self.knownSchemas.withLock { known in
                if known.count >= Self.mostKnownSchemas { known = [:] }
                known[path] = (bytes, schema)
            }
            return schema
        } catch {
            throw ResolutionError(.definition, "the schema \(name): \(error)", at: place)
        }
    }

    /// The schemas that were read, by their paths: many requests name the same one.
    private static let knownSchemas = Mutex<[String: (bytes: [UInt8], schema: GraphQLSchema)]>([:])
    private static let mostKnownSchemas = 8
}

extension GraphQLSchema {
    /// - Parameter bytes: the schema's own language, or the answer to introspection in JSON, with or without `data` around it.
    package init(file bytes: [UInt8]) throws(GraphQLFault) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{"),
            let answer = JSONParser.parse(text)
        else {
            try self.init(sdl: text)
            return
        }
        try self.init(introspection: GraphQLValue(answer["data"] ?? answer))
    }
}

extension GraphQLValue {
    /// Variables as they are judged: what is a credential by its name is of any type, so that no complaint shows it.
    package init(judged variables: JSONValue) { self.init(variables.hidingCredentials(as: "{{secret}}")) }

    /// A value in JSON.
    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .number(let digits):
            self = digits.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) } ? .int(digits) : .float(digits)
        case .string(let text): self = .string(text)
        case .array(let items): self = .list(items.map { GraphQLValue($0) })
        case .object(let members): self = .object(members.map { .init($0.name, GraphQLValue($0.value)) })
        }
    }
}
