/// A parsed document: operations and fragments, and definitions of a schema.
///
/// All ranges are UTF-8 bytes of its text.
package struct GraphQLDocument: Hashable, Sendable {
    package var source: [UInt8]
    package var operations: [Operation] = []
    package var fragments: [Fragment] = []
    package var typeSystem: [TypeSystemDefinition] = []
    /// Whether a template stands in place of a definition or of a field: it may use any variable, and use or define any fragment.
    package var isOpen = false

    /// - Throws: a fault where the text isn't GraphQL, the first.
    package init(parsing text: String) throws(GraphQLFault) {
        var parser = GraphQLParser(text)
        self = try parser.document()
    }

    init(source: [UInt8]) { self.source = source }

    /// Text and where it stands. What has a template in it names nothing that is known.
    package struct Name: Hashable, Sendable {
        package var text: String
        package var range: Range<Int>

        package var isTemplate: Bool { text.hasTemplate }
    }

    package struct Operation: Hashable, Sendable {
        package var kind: OperationKind
        package var name: Name?
        package var description: String?
        package var variables: [Variable] = []
        package var directives: [Directive] = []
        package var selections: [Selection] = []
        package var range: Range<Int>
        /// `{ … }` without a word before it.
        package var isShorthand = false
    }

    package enum OperationKind: String, Hashable, Sendable, CaseIterable {
        case query, mutation, subscription
    }

    package struct Variable: Hashable, Sendable {
        /// Without `$`; the range has it.
        package var name: Name
        package var description: String?
        package var type: GraphQLType
        package var typeRange: Range<Int>
        package var defaultValue: Value?
        package var directives: [Directive] = []
        package var range: Range<Int>

        /// Whether an operation fails without it.
        package var isRequired: Bool { type.isNonNull && defaultValue == nil }
    }

    package struct Fragment: Hashable, Sendable {
        package var name: Name
        package var typeCondition: Name
        package var description: String?
        package var directives: [Directive] = []
        package var selections: [Selection] = []
        package var range: Range<Int>
    }

    package enum Selection: Hashable, Sendable {
        case field(Field)
        case spread(name: Name, directives: [Directive], range: Range<Int>)
        case inline(typeCondition: Name?, directives: [Directive], selections: [Selection], range: Range<Int>)
    }

    package struct Field: Hashable, Sendable {
        package var alias: Name?
        package var name: Name
        package var arguments: [Argument] = []
        package var directives: [Directive] = []
        package var selections: [Selection] = []
        package var range: Range<Int>

        /// Under which its value is in a response.
        package var responseName: String { alias?.text ?? name.text }
    }

    /// An argument of a field or a directive.
    package struct Argument: Hashable, Sendable {
        package var name: Name
        package var value: Value
    }

    package struct Directive: Hashable, Sendable {
        /// Without `@`.
        package var name: Name
        package var arguments: [Argument] = []
        package var range: Range<Int>
    }

    /// A value and where its parts stand.
    package struct Value: Hashable, Sendable {
        package var value: GraphQLValue
        package var range: Range<Int>
        /// The items of a list, or the values of an object's entries.
        package var parts: [Value] = []
        /// Where the names of an object's entries stand.
        package var nameRanges: [Range<Int>] = []
    }

    /// A definition or an extension of the type system, as it stands in the document.
    package enum TypeSystemDefinition: Hashable, Sendable {
        case schema(description: String?, roots: [OperationKind: Name], isExtension: Bool, range: Range<Int>)
        case type(GraphQLSchema.TypeDefinition, isExtension: Bool, range: Range<Int>)
        case directive(GraphQLSchema.DirectiveDefinition, range: Range<Int>)
    }
}

extension GraphQLDocument {
    /// The operation that is executed (GraphQL, 6.1): the one of this name, or without a name the only one; `nil`: it isn't clear which.
    package func operation(named name: String?) -> Operation? {
        guard let name else { return operations.count == 1 ? operations[0] : nil }
        return operations.first { $0.name?.text == name }
    }
}
