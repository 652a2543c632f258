/// A kind of body: one row of the format's table, with everything that is known of it but what it sends.
///
/// Reading, writing, the difference that is saved, every walk through its texts, the editor, the schema and the reference page look here.
/// So a new kind is a case of ``BodyDefinition``, a row in `FormatTable+Body.swift`, and what `RequestResolver+Body.swift` sends.
package struct RequestBodyKind: Sendable {
    /// The key in the file.
    package let name: String
    let shape: FormatShape
    let help: String
    /// What a request says of it that doesn't say it itself; `nil` where that depends on a file or on parts.
    package let contentType: String?
    /// With nothing filled in.
    package let empty: BodyDefinition
    package let editor: Editor

    let read: @Sendable (RequestReader, YAMLPair, inout [CollectionProblem]) -> BodyDefinition
    let write: @Sendable (RequestWriter, BodyDefinition) -> DesiredValue
    let mapTexts: @Sendable (BodyDefinition, (BodyPart, inout String) -> Void) -> BodyDefinition
    fileprivate let text: @Sendable (BodyDefinition) -> String?
    fileprivate let with: @Sendable (String) -> BodyDefinition?

    /// How it is edited.
    package enum Editor: Hashable, Sendable {
        case none
        /// A text that fills the pane.
        case text
        /// A text of one line.
        case line
        /// Rows of ``BodyDefinition/form(_:)``, parts of ``BodyDefinition/multipart(_:)``, fields of ``BodyDefinition/graphql(_:)``.
        case rows, parts, graphql
    }

    init(
        _ name: String, _ shape: FormatShape, contentType: String? = nil, _ empty: BodyDefinition, _ editor: Editor,
        read: @escaping @Sendable (RequestReader, YAMLPair, inout [CollectionProblem]) -> BodyDefinition,
        write: @escaping @Sendable (RequestWriter, BodyDefinition) -> DesiredValue,
        mapTexts: @escaping @Sendable (BodyDefinition, (BodyPart, inout String) -> Void) -> BodyDefinition,
        text: @escaping @Sendable (BodyDefinition) -> String? = { _ in nil },
        with: @escaping @Sendable (String) -> BodyDefinition? = { _ in nil }, _ help: String
    ) {
        self.name = name
        self.shape = shape
        self.contentType = contentType
        self.empty = empty
        self.editor = editor
        self.read = read
        self.write = write
        self.mapTexts = mapTexts
        self.text = text
        self.with = with
        self.help = help
    }

    /// A kind that is one text.
    ///
    /// - Parameters:
    ///   - empty: what an editor begins with.
    ///   - text: that of a body of this kind; `nil` of another one.
    init(
        _ name: String, _ part: BodyPart, shape: FormatShape = .text, contentType: String? = nil, empty: String = "",
        editor: Editor = .text, _ embed: @escaping @Sendable (String) -> BodyDefinition,
        _ text: @escaping @Sendable (BodyDefinition) -> String?,
        read: @escaping @Sendable (RequestReader, YAMLNode, inout [CollectionProblem]) -> String = { _, node, _ in node.text ?? ""
        },
        write: @escaping @Sendable (String) -> DesiredValue = { .scalar($0, .text) }, _ help: String
    ) {
        self.init(
            name, shape, contentType: contentType, embed(empty), editor,
            read: { reader, pair, problems in embed(read(reader, pair.value, &problems)) },
            write: { _, body in write(text(body) ?? "") },
            mapTexts: { body, change in
                guard var text = text(body) else { return body }
                change(part, &text)
                return embed(text)
            }, text: text, with: { embed($0) }, help)
    }

    package static subscript(_ name: String) -> RequestBodyKind? { all.first { $0.name == name } }
}

extension RequestBodyKind: Hashable {
    package static func == (left: RequestBodyKind, right: RequestBodyKind) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension BodyDefinition {
    package var contentType: String? { kind.contentType }

    /// The text of a kind that is one text.
    package var text: String? { kind.text(self) }

    /// The same kind with another text, when it is one text; a text where there is no body.
    package func with(text: String) -> BodyDefinition { self == .none ? .text(text) : kind.with(text) ?? self }

    /// Changes every text: each of them may have templates. Whatever reads or changes texts of a body goes this way.
    package func mapTexts(_ change: (BodyPart, inout String) -> Void) -> BodyDefinition { kind.mapTexts(self, change) }

    /// The texts of what is sent.
    var texts: [String] {
        var texts: [String] = []
        _ = withoutDisabled.mapTexts { texts.append($1) }
        return texts
    }

    private var withoutDisabled: BodyDefinition {
        switch self {
        case .form(let rows): .form(rows.filter(\.isEnabled))
        case .multipart(let parts): .multipart(parts.filter(\.isEnabled))
        default: self
        }
    }
}

extension RequestReader {
    func body(_ node: YAMLNode, problems: inout [CollectionProblem]) -> BodyDefinition? {
        if node.text == RequestBodyKind.none.name { return BodyDefinition.none }
        guard let pairs = node.pairs, let pair = pairs.first, let name = pair.key.text else {
            if node.pairs != nil { problems.append(problem(node, "`body` is empty; write `body: none` for no body")) }
            return nil
        }
        if pairs.count > 1, let second = pairs[1].key.text, second != name {
            problems.append(problem(pairs[1].key, "both `\(name)` and `\(second)` are there; a request has one body"))
        }
        guard let kind = RequestBodyKind[name], kind != .none else { return nil }
        return kind.read(self, pair, &problems)
    }
}

extension RequestWriter {
    func body(_ body: BodyDefinition) -> DesiredValue {
        body == .none ? .scalar(body.kind.name, .text) : .map([(body.kind.name, body.kind.write(self, body))])
    }
}
