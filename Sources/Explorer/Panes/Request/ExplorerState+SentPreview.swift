import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// The shown request as it would go out, as far as that is known without running anything: functions and commands stay templates,
    /// secrets are masked.
    var sentPreview: [StyledLine] {
        guard let definition = shownDefinition, let context else { return [] }
        return SentPreview(
            definition: definition, context: context, added: addedFields(to: definition), cookiesAlong: cookiesAlong.map(\.name)
        ).lines
    }

    /// Fields of the transport, and that of the body's type.
    private func addedFields(to definition: RequestDefinition) -> [(name: String, value: String)] {
        let codings = effective(\.compression) ?? true ? transport.contentCodings.joined(separator: ", ") : ""
        return [
            ("user-agent", transport.userAgent ?? ""), ("accept", "*/*"), ("accept-encoding", codings),
            ("content-type", definition.body?.contentType ?? ""),
        ]
        .filter { !$0.1.isEmpty }
    }
}

private struct SentPreview {
    let definition: RequestDefinition
    let context: RequestContext
    let added: [(name: String, value: String)]
    let cookiesAlong: [String]

    var lines: [StyledLine] {
        var first = StyledLine([MethodText.span(definition.method)])
        first.append(" ")
        let (host, target) = parts(of: definition)
        first.spans += target.spans
        var lines = [first]
        if !host.spans.isEmpty { lines.append(header("host", host)) }
        let headers = rows(.headers)
        let names = Set(headers.map { $0.name.lowercased() })
        // What comes by itself is dim: it stands in no row.
        lines += added.filter { !names.contains($0.name) }.map { header($0.name, StyledLine($0.value, .dim)) }
        lines += headers.map { header($0.name, value($0.value, of: $0.name)) }
        // A field of the request or a folder wins.
        let isThere = names.contains("authorization")
        if !isThere, let authorization { lines.append(header("authorization", authorization)) }
        let cookies = (rows(.cookies).map(\.name) + cookiesAlong).map { "\($0)=••••••" }
        if !cookies.isEmpty { lines.append(header("cookie", StyledLine(cookies.joined(separator: "; "), .secret))) }
        return lines + body
    }

    private func header(_ name: String, _ value: StyledLine) -> StyledLine {
        var line = StyledLine(SafeText.line(name.lowercased()) + ": ", .headerName)
        line.spans += value.spans
        return line
    }

    private func rows(_ list: RequestField.Rows) -> [(name: String, value: String)] { context.rows(list, of: definition) }

    private func value(_ text: String, of name: String) -> StyledLine {
        let masked = Redaction.standard.masked(text, of: name)
        return masked == text ? resolved(text) : StyledLine(SafeText.line(masked), .secret)
    }

    private func resolved(_ text: String, _ role: ThemeRole = .text) -> StyledLine {
        var line = StyledLine()
        for part in context.templates.resolvedParts(of: text) {
            let partRole: ThemeRole =
                switch part.kind {
                case .plain, .value: role
                case .template: .template
                case .unresolved: .templateUnresolved
                case .secret: .secret
                }
            line.append(SafeText.line(part.text), partRole)
        }
        return line
    }

    /// The host, and what stands in the request's first line.
    private func parts(of definition: RequestDefinition) -> (host: StyledLine, target: StyledLine) {
        let whole = resolved(context.wholeURL(of: definition), .url)
        let text = whole.text
        guard let scheme = text.firstRange(of: "://") else { return (StyledLine(), whole) }
        let rest = text[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest.dropFirst(host.count)
        return (StyledLine(String(host), .urlHost), StyledLine(target.first == "/" ? String(target) : "/" + target, .url))
    }

    /// `nil`: none is added.
    private var authorization: StyledLine? {
        let own = definition.auth ?? .inherit
        guard let auth = own == .inherit ? context.inherited.auth?.definition : own else { return nil }
        switch auth {
        case .none, .inherit: return nil
        case .bearer: return StyledLine("Bearer ••••••", .secret)
        case .basic: return StyledLine("Basic ••••••", .secret)
        default: return StyledLine("by \(auth.kindName)", .dim)
        }
    }

    private var body: [StyledLine] {
        switch definition.body {
        case nil, .none?: return []
        case let body? where body.kind.editor == .text:
            return [StyledLine()] + (body.text ?? "").lines.prefix(200).map { resolved(String($0)) }
        case .form:
            let rows = rows(.form)
            return [StyledLine()]
                + rows.map { row in
                    var line = StyledLine(SafeText.line(row.name) + "=", .headerName)
                    line.spans +=
                        (RequestField.Rows.form.isCredential(row.name) ? StyledLine("••••••", .secret) : resolved(row.value)).spans
                    return line
                }
        case .multipart(let parts): return [StyledLine(), StyledLine("\(Figures.count(parts.count, "part"))", .dim)]
        case .file(let path): return [StyledLine(), StyledLine("the file \(SafeText.line(path))", .dim)]
        case let body?: return [StyledLine(), StyledLine(body.kind == .graphql ? "GraphQL" : body.kind.name, .dim)]
        }
    }
}
