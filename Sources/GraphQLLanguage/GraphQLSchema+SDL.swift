extension GraphQLSchema {
    /// Extensions become part of what they extend, or a type of their own where that is missing, as in a subgraph of a federation.
    ///
    /// - Throws: a fault where the text isn't SDL, or where something has two definitions.
    package init(sdl text: String) throws(GraphQLFault) {
        let document = try GraphQLDocument(parsing: text)
        func fault(_ message: String, _ range: Range<Int>) -> GraphQLFault { GraphQLFault(message, range, in: document.source) }
        if let range = document.operations.first?.range ?? document.fragments.first?.range {
            throw fault("A schema has no operations and no fragments: this belongs in a query.", range)
        }
        var description: String?
        var (roots, extraRoots): ([GraphQLDocument.OperationKind: String]?, [GraphQLDocument.OperationKind: String]) = (nil, [:])
        var (types, directives): ([TypeDefinition], [DirectiveDefinition]) = ([], [])
        var (places, extensions): ([String: Int], [TypeDefinition]) = ([:], [])
        var names: Set<String> = []
        for definition in document.typeSystem {
            switch definition {
            case .schema(let text, let given, let isExtension, let range):
                let given = given.mapValues(\.text)
                if isExtension {
                    extraRoots.merge(given) { $1 }
                } else {
                    guard names.insert("schema").inserted else { throw fault("The schema has a second definition here.", range) }
                    description = text
                    roots = given.isEmpty ? nil : given
                }
            case .directive(let directive, let range):
                guard names.insert("@" + directive.name).inserted else {
                    throw fault("@\(directive.name) has a second definition here.", range)
                }
                directives.append(directive)
            case .type(let type, isExtension: true, _): extensions.append(type)
            case .type(let type, isExtension: false, let range):
                guard places.updateValue(types.count, forKey: type.name) == nil else {
                    throw fault("\(type.name) has a second definition here.", range)
                }
                types.append(type)
            }
        }
        for part in extensions {
            if let place = places[part.name] {
                types[place].add(part)
            } else {
                places[part.name] = types.count
                types.append(part)
            }
        }
        self.init(description: description, roots: roots, types: types, directives: directives)
        self.roots.merge(extraRoots) { $1 }
    }

    // MARK: Printing

    /// The schema as SDL, in the order in which it was given.
    package func sdl() -> String {
        var blocks: [String] = []
        let usual = GraphQLSchema(description: nil, roots: nil, types: types, directives: [])
        if description != nil || roots != usual.roots {
            let fields = GraphQLDocument.OperationKind.allCases.compactMap { kind in roots[kind].map { "    \(kind): \($0)" } }
            blocks.append(Self.printed(description) + "schema" + Self.braces(fields))
        }
        for directive in directives {
            let head =
                "directive @\(directive.name)\(Self.printed(directive.arguments))\(directive.isRepeatable ? " repeatable" : "")"
            blocks.append(Self.printed(directive.description) + head + " on " + directive.locations.joined(separator: " | "))
        }
        return (blocks + types.map(Self.printed)).map { $0 + "\n" }.joined(separator: "\n")
    }

    private static func printed(_ type: TypeDefinition) -> String {
        let implemented = type.interfaces.isEmpty ? "" : " implements " + type.interfaces.joined(separator: " & ")
        let fields = type.fields.map {
            printed($0.description, indentation: "    ") + "    \($0.name)\(printed($0.arguments, indentation: "    ")): \($0.type)"
                + printed(deprecation: $0.deprecation)
        }
        let definition =
            switch type.kind {
            case .scalar:
                "scalar \(type.name)" + (type.specifiedByURL.map { " @specifiedBy(url: \(GraphQLValue.quoted($0)))" } ?? "")
            case .object: "type \(type.name)\(implemented)" + braces(fields)
            case .interface: "interface \(type.name)\(implemented)" + braces(fields)
            case .union: "union \(type.name)" + (type.members.isEmpty ? "" : " = " + type.members.joined(separator: " | "))
            case .enum:
                "enum \(type.name)"
                    + braces(
                        type.enumValues.map {
                            printed($0.description, indentation: "    ") + "    \($0.name)" + printed(deprecation: $0.deprecation)
                        })
            case .inputObject:
                "input \(type.name)\(type.isOneOf ? " @oneOf" : "")"
                    + braces(type.inputFields.map { printed($0.description, indentation: "    ") + "    " + printed($0) })
            }
        return printed(type.description) + definition
    }

    private static func braces(_ lines: [String]) -> String {
        lines.isEmpty ? "" : " {\n" + lines.joined(separator: "\n") + "\n}"
    }

    /// `name: Type = default`
    private static func printed(_ input: InputValue) -> String {
        "\(input.name): \(input.type)" + (input.defaultValue.map { " = \($0)" } ?? "") + printed(deprecation: input.deprecation)
    }

    /// In parentheses: on one line unless one of them has a description.
    static func printed(_ arguments: [InputValue], indentation: String = "") -> String {
        if arguments.isEmpty { return "" }
        guard arguments.contains(where: { $0.description != nil }) else {
            return "(\(arguments.map(printed).joined(separator: ", ")))"
        }
        let inner = indentation + "    "
        let lines = arguments.map { printed($0.description, indentation: inner) + inner + printed($0) }
        return "(\n" + lines.joined(separator: "\n") + "\n\(indentation))"
    }

    private static func printed(deprecation: String?) -> String {
        guard let deprecation else { return "" }
        return deprecation == defaultDeprecation ? " @deprecated" : " @deprecated(reason: \(GraphQLValue.quoted(deprecation)))"
    }

    /// A description and the line's end behind it: as a block string, where one says the same when it is read again.
    private static func printed(_ description: String?, indentation: String = "") -> String {
        guard let description else { return "" }
        let lines = description.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let isPlain = description.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\u{7F}" || $0 == "\n" || $0 == "\t" }
        // Spaces at a line's start, and blank lines around, would be taken for indentation.
        let isIndented = lines.contains { $0.first == 0x20 || $0.first == 0x09 }
        guard isPlain, !isIndented, lines.first?.isEmpty == false, lines.last?.isEmpty == false else {
            return indentation + GraphQLValue.quoted(description) + "\n"
        }
        var texts = lines.map { escapingBlockQuotes(String(decoding: $0, as: UTF8.self)) }
        let last = description.utf8.last
        if texts.count == 1, last != UInt8(ascii: "\""), last != UInt8(ascii: "\\") {
            return "\(indentation)\"\"\"\(texts[0])\"\"\"\n"
        }
        texts = texts.map { $0.isEmpty ? "" : indentation + $0 }
        return "\(indentation)\"\"\"\n\(texts.joined(separator: "\n"))\n\(indentation)\"\"\"\n"
    }

    private static func escapingBlockQuotes(_ line: String) -> String {
        var (result, quotes) = ("", 0)
        for scalar in line.unicodeScalars {
            quotes = scalar == "\"" ? quotes + 1 : 0
            result.unicodeScalars.append(scalar)
            guard quotes == 3 else { continue }
            result.unicodeScalars.removeLast(3)
            result += "\\\"\"\""
            quotes = 0
        }
        return result
    }
}

extension GraphQLSchema.TypeDefinition {
    /// What an extension says.
    fileprivate mutating func add(_ part: Self) {
        fields += part.fields
        interfaces += part.interfaces
        members += part.members
        enumValues += part.enumValues
        inputFields += part.inputFields
        specifiedByURL = part.specifiedByURL ?? specifiedByURL
        isOneOf = isOneOf || part.isOneOf
    }
}
