import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// Draws rows of the request pane.
struct RequestRowWriter {
    private let definition: RequestDefinition
    private let context: RequestContext
    private let pane: RequestPaneState
    private let isFocused: Bool
    private let columns: RequestColumns
    var valueColumn: Int { columns.value }

    init(
        _ definition: RequestDefinition, _ context: RequestContext, _ pane: RequestPaneState, isFocused: Bool,
        rows: [RequestPaneRow]
    ) {
        self.definition = definition
        self.context = context
        self.pane = pane
        self.isFocused = isFocused
        columns = RequestColumns(definition, pane, rows: rows)
    }

    func draw(_ row: RequestPaneRow, row line: Int, on canvas: inout Canvas) {
        switch row {
        case .heading(let text): canvas.text(text, .dim, column: 1, row: line)
        case .note(let text): canvas.text(text, .dim, column: 1, row: line, ellipsis: true)
        case .problem(let problem):
            let first = RequestPaneState.Tab.lines(of: problem, columns: canvas.bounds.columns).first ?? ""
            canvas.text("✗ \(first)", .error, column: 1, row: line, ellipsis: true)
        case .url: drawURL(line, &canvas)
        case .preview: drawPreview(line, &canvas)
        case .named(let rows, let index): drawNamed(rows, index, line, &canvas)
        case .inherited(_, let row): drawInherited(row, line, &canvas)
        case .empty(let rows): canvas.text("no \(noun(rows)) yet: a adds one", .placeholder, column: 1, row: line, ellipsis: true)
        case .field(let field): drawField(field, line, &canvas)
        case .inheritedAuth(let auth, let origin): drawInheritedAuth(auth, origin, line, &canvas)
        case .want(let mark, let text, let isOpen):
            let column = canvas.text(mark, isOpen ? .warning : .dim, column: 1, row: line) + 1
            canvas.text(SafeText.line(text), isOpen ? .text : .dim, column: column, row: line, ellipsis: true)
        case .more(let more, let text):
            canvas.text("\(pane.opened.contains(more) ? "▾" : "▸") \(text)", .dim, column: 1, row: line, ellipsis: true)
        case .explained, .origin, .overridden: break
        }
    }

    // MARK: URL

    private func drawURL(_ line: Int, _ canvas: inout Canvas) {
        let column = canvas.text(definition.method, MethodText.role(definition.method), column: 1, row: line) + 1
        if drawEditor(.url, line, &canvas) { return }
        canvas.line(styled(definition.shownURL, .url), column: column, row: line, ellipsis: true)
    }

    private func drawPreview(_ line: Int, _ canvas: inout Canvas) {
        var url = StyledLine("→ ", .dim)
        for part in context.resolvedURL(of: definition) { url.append(part.text, previewRole(part.kind)) }
        canvas.line(url, column: 1, row: line, ellipsis: true)
    }

    private func previewRole(_ kind: TemplatePreview.Part.Kind) -> ThemeRole {
        switch kind {
        case .plain, .value: .dim
        case .template: .template
        case .unresolved: .templateUnresolved
        case .secret: .secret
        }
    }

    // MARK: Named rows

    private func drawNamed(_ rows: RequestField.Rows, _ index: Int, _ line: Int, _ canvas: inout Canvas) {
        let row = definition[rows][index]
        canvas.text(
            sign(of: row, in: rows), !row.isEnabled ? .disabled : rows.isAboutResponse ? .accent : .success, column: 1, row: line)
        let role: ThemeRole = row.isEnabled ? .headerName : .disabled
        if !drawEditor(.name(rows, index), line, &canvas) {
            canvas.text(row.name, role, column: 3, row: line, limit: valueColumn - 4, ellipsis: true)
        }
        if drawEditor(.value(rows, index), line, &canvas) { return }
        if row.isEnabled {
            canvas.line(value(row.value, of: row.name, in: rows), column: valueColumn, row: line, ellipsis: true)
        } else {
            canvas.text(row.value, .disabled, column: valueColumn, row: line, ellipsis: true)
        }
    }

    private func sign(of row: RequestDefinition.Row, in rows: RequestField.Rows) -> String {
        switch rows {
        case .inURL: "?"
        case .expectations: "="
        case .captures: "←"
        case .needs: "→"
        case .path, .query, .headers, .cookies, .form, .parts, .uploads, .mockHeaders: row.isEnabled ? "✓" : "·"
        }
    }

    private func drawInherited(_ row: InheritedValues.Row, _ line: Int, _ canvas: inout Canvas) {
        canvas.text(row.isEnabled ? "↑" : "·", .dim, column: 1, row: line)
        canvas.text(row.name, .dim, column: 3, row: line, limit: valueColumn - 4, ellipsis: true)
        let end = drawOrigin(row.origin, line, &canvas)
        canvas.text(
            Redaction.standard.masked(row.value, of: row.name), .dim, column: valueColumn, row: line, limit: end - valueColumn,
            ellipsis: true)
    }

    /// At the right edge.
    ///
    /// - Returns: the column that is free before it.
    private func drawOrigin(_ origin: String, _ line: Int, _ canvas: inout Canvas) -> Int {
        let text = "from \(origin)"
        let end = canvas.bounds.columns - 1
        guard text.count < canvas.bounds.columns / 2 else { return end }
        canvas.text(text, .placeholder, endColumn: end, row: line)
        return end - text.count - 1
    }

    // MARK: Fields

    private func drawField(_ field: RequestField, _ line: Int, _ canvas: inout Canvas) {
        let column = columns.place(of: field, in: canvas.bounds).column
        canvas.text(label(field), .headerName, column: 1, row: line, limit: column - 2, ellipsis: true)
        if drawEditor(field, line, &canvas) { return }
        switch field {
        case .policy(let setting):
            if let text = setting.typed(in: definition.settings) {
                canvas.text(
                    setting.shown(text), setting.isDangerous(text) ? .warning : .headerValue, column: column, row: line,
                    ellipsis: true)
            } else {
                let (text, origin) = context.inherited.setting(setting)
                let end = drawOrigin(origin, line, &canvas)
                canvas.text(
                    setting.shown(text), setting.isDangerous(text) ? .warning : .dim, column: column, row: line,
                    limit: end - column, ellipsis: true)
            }
        case .bodyKind:
            let kind = (definition.body ?? BodyDefinition.none).kind
            let end = canvas.text(kind.name, .headerValue, column: column, row: line)
            if kind == .none {
                canvas.text("e or Space chooses one", .placeholder, column: end + 2, row: line, ellipsis: true)
            }
            if let text = definition.body?.text, kind != .file {
                let next = canvas.text(Figures.bytes(Int64(text.utf8.count)), .dim, column: end + 2, row: line)
                if kind == .json, let fault = JSONFault(in: text) {
                    let words = "line \(fault.line) is no JSON: \(SafeText.line(fault.reason))"
                    canvas.text(words, .warning, column: next + 2, row: line, ellipsis: true)
                } else {
                    canvas.text("Space changes the kind", .placeholder, column: next + 2, row: line, ellipsis: true)
                }
            }
        case .authKind: canvas.text((definition.auth ?? .inherit).kindName, .headerValue, column: column, row: line)
        case .auth(let field):
            let text = definition.auth?.text(of: field) ?? ""
            canvas.line(
                field.isSecret ? secret(text) : styled(text, .headerValue), column: column, row: line, ellipsis: true)
        case .mock(let field):
            let text = definition.mock.map(field.text) ?? ""
            if text.isEmpty {
                canvas.text("-", .dim, column: column, row: line)
            } else {
                canvas.line(styled(String(text.prefix { !$0.isNewline }), .headerValue), column: column, row: line, ellipsis: true)
            }
        case .graphql(let field): drawGraphQL(field, line, column, &canvas)
        case .typed(let key):
            let text = definition.withoutCredentials.typed(key)
            if text.isEmpty {
                canvas.text("-  \(key.example ?? "")", .placeholder, column: column, row: line, ellipsis: true)
            } else {
                canvas.line(styled(String(text.prefix { !$0.isNewline }), .headerValue), column: column, row: line, ellipsis: true)
            }
        case .body, .method, .url, .name, .value:
            canvas.line(styled(definition.text(of: field) ?? "", .headerValue), column: column, row: line, ellipsis: true)
        }
    }

    private func drawGraphQL(_ field: GraphQLField, _ line: Int, _ column: Int, _ canvas: inout Canvas) {
        var text = definition.withoutCredentials.text(ofGraphQL: field)
        var remark: (text: String, isFault: Bool) = ("", false)
        switch field {
        case .query:
            canvas.text(Figures.bytes(Int64(text.utf8.count)), .dim, column: column, row: line, ellipsis: true)
            return
        case .schema:
            canvas.text(SafeText.line(context.schema.text), context.schema.role, column: column, row: line, ellipsis: true)
            return
        case .variable(let name, _): remark = context.query?.remark(of: name) ?? remark
        case .operation: remark = context.query?.operationFault.map { ($0, true) } ?? remark
        case .file, .persisted, .connection, .variables: break
        }
        if text.isEmpty { text = "-" }
        let words = (remark.isFault ? "✗ " : "") + SafeText.line(remark.text)
        // A fault that says much has the rest of the row; a type stays whole.
        let room = canvas.bounds.columns - column - 1
        let width = min(DisplayWidth.of(words), remark.isFault ? max(room / 2, room - DisplayWidth.of(text) - 2) : room / 2)
        let value = String(text.prefix { !$0.isNewline })
        canvas.line(
            styled(value, text == "-" ? .dim : .headerValue), column: column, row: line, limit: max(1, room - width - 2),
            ellipsis: true)
        canvas.text(
            words, remark.isFault ? .warning : .placeholder, column: canvas.bounds.columns - 1 - width, row: line, limit: width,
            ellipsis: true)
    }

    private func drawInheritedAuth(_ auth: AuthDefinition, _ origin: String, _ line: Int, _ canvas: inout Canvas) {
        let end = drawOrigin(origin, line, &canvas)
        var text = StyledLine("↑ \(auth.kindName) ", .dim)
        if let name = auth.shownName { text.append(name + " ", .dim) }
        if let hidden = auth.secret { text.spans += secret(hidden).spans }
        canvas.line(text, column: 1, row: line, limit: end - 1, ellipsis: true)
    }

    private func label(_ field: RequestField) -> String {
        switch field {
        case .policy(let setting): setting.label
        case .mock(let field): field.key
        case .graphql(let field): field.label
        case .typed(let key): key.name
        case .bodyKind: "kind"
        case .body: "file"
        case .authKind: "kind"
        case .auth(let field): field.key
        case .method: "method"
        case .url: "URL"
        case .name, .value: ""
        }
    }

    private func noun(_ rows: RequestField.Rows) -> String {
        switch rows {
        case .path: "path parameters"
        case .query, .inURL: "parameters"
        case .headers: "headers"
        case .cookies: "cookies"
        case .form: "fields"
        case .parts: "parts"
        case .uploads: "files"
        case .needs: "needs"
        case .expectations: "expectations"
        case .captures: "captures"
        case .mockHeaders: "headers of the mock"
        }
    }

    // MARK: Values

    /// - Returns: whether the field is being edited.
    private func drawEditor(_ field: RequestField, _ line: Int, _ canvas: inout Canvas) -> Bool {
        guard case .line(field, let editor) = pane.editing else { return false }
        editor.draw(on: &canvas, in: columns.place(of: field, in: canvas.bounds.line(line)), isFocused: isFocused)
        return true
    }

    /// A text with its templates, those that nothing resolves included.
    private func styled(_ text: String, _ role: ThemeRole) -> StyledLine {
        var line = StyledLine()
        for part in context.templates.parts(of: text) {
            switch part.kind {
            case .template: line.append(part.text, .template)
            case .unresolved: line.append(part.text, .templateUnresolved)
            case .plain, .value, .secret: line.append(part.text, role)
            }
        }
        return line
    }

    private func value(_ text: String, of name: String, in rows: RequestField.Rows) -> StyledLine {
        guard rows.isCredential(name), !text.contains("{{"), !text.isEmpty else { return styled(text, .headerValue) }
        let isHeader = rows == .headers || rows == .mockHeaders
        return StyledLine(isHeader ? Redaction.standard.masked(text, of: name) : Redactor.mask, .secret)
    }

    /// A template says where the secret comes from; anything else is the secret.
    private func secret(_ text: String) -> StyledLine {
        text.hasPrefix("{{") && text.hasSuffix("}}") || text.isEmpty
            ? styled(text, .headerValue) : StyledLine(Redactor.mask, .secret)
    }
}

extension RequestRowWriter {
    /// Rows of the tab that says where everything comes from.
    ///
    /// - Returns: whether it was one.
    func explain(_ row: RequestPaneRow, of state: ExplorerState, row line: Int, on canvas: inout Canvas) -> Bool {
        let isWide = canvas.bounds.columns >= ExplainedRequest.wide
        let edge = canvas.bounds.columns - 1
        let valueColumn = min(valueColumn, canvas.bounds.columns / 2)
        switch row {
        case .explained(let row):
            var end = edge
            if isWide {
                let origin = text(of: row.origin, state)
                // Half of the row is the value's.
                let width = min(DisplayWidth.of(origin), edge / 2 - 2)
                canvas.text(origin, .dim, column: edge - width, row: line, limit: width, ellipsis: true)
                end -= width + 2
            }
            let mark = row.isRemoved ? "· " : ""
            canvas.text(
                mark + SafeText.line(row.name), row.isRemoved ? .dim : .headerName, column: 1, row: line, limit: end - 1,
                ellipsis: true)
            let column =
                row.name.isEmpty ? 1 : row.group == .url ? 2 + DisplayWidth.of(SafeText.line(row.name)) : valueColumn
            guard column < end else { return true }
            let role: ThemeRole = row.problem != nil ? .templateUnresolved : row.isRemoved ? .dim : .text
            let value = row.isRemoved && row.value.isEmpty ? "taken away" : row.value
            canvas.text(SafeText.line(value), role, column: column, row: line, limit: end - column, ellipsis: true)
        case .origin(let origin):
            canvas.text("  " + text(of: origin, state), .dim, column: 1, row: line, limit: edge - 1, ellipsis: true)
        case .overridden(let row):
            let column = isWide ? valueColumn : 3
            canvas.text(
                "over \(SafeText.line(row.value)), \(text(of: row.origin, state))", .stale, column: column, row: line,
                limit: edge - column, ellipsis: true)
        default: return false
        }
        return true
    }

    /// The place first: where there is no room, it says most.
    private func text(of origin: Explanation.Origin, _ state: ExplorerState) -> String {
        guard let location = origin.location, !location.path.isEmpty else { return "\(origin.source)" }
        return "\(state.shortPlace(location))  \(origin.source)"
    }
}

/// Colours for a line of a body that is being written. It need not be right JSON yet, so each line stands for itself.
enum BodySyntax {
    static func text(_ line: String) -> StyledLine {
        line.utf8.contains(UInt8(ascii: "{")) ? templates(in: line[...], .text) : StyledLine(line)
    }

    static func json(_ line: String) -> StyledLine {
        var result = StyledLine()
        var rest = line[...]
        while let first = rest.first {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
                result.append(String(rest[..<end.upperBound]), .template)
                rest = rest[end.upperBound...]
            } else if first == "\"" {
                let string = rest[..<endOfString(rest)]
                rest = rest[string.endIndex...]
                let isKey = rest.first { $0 != " " } == ":"
                result.spans += templates(in: string, isKey ? .syntaxKey : .syntaxString).spans
            } else if first.isLetter || first.isNumber || first == "-" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
                result.append(String(word), first.isLetter ? .syntaxKeyword : .syntaxNumber)
                rest = rest[word.endIndex...]
            } else {
                let other = rest.prefix { $0 != "\"" && !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "{" }
                let piece = other.isEmpty ? rest.prefix(1) : other
                result.append(String(piece), .syntaxPunctuation)
                rest = rest[piece.endIndex...]
            }
        }
        return result
    }

    /// Behind the closing quote, or the end of the line.
    static func endOfString(_ text: Substring) -> Substring.Index {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "\"" {
                return text.index(after: index)
            }
        }
        return text.endIndex
    }

    private static func templates(in text: Substring, _ role: ThemeRole) -> StyledLine {
        var line = StyledLine()
        var rest = text
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            if start.lowerBound > rest.startIndex { line.append(String(rest[..<start.lowerBound]), role) }
            line.append(String(rest[start.lowerBound..<end.upperBound]), .template)
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { line.append(String(rest), role) }
        return line
    }
}
