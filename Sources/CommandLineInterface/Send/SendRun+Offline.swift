import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

extension SendRun {
    /// `--offline`: the request as it would be sent, but for what the transport adds, such as a length.
    func printRequest() throws {
        let request = plan.request
        let (reveals, redactor) = (arguments.reveals, arguments.reveals ? Redactor() : self.redactor)
        func shown(_ text: String) -> String { SafeText.line(redactor.text(text)) }
        var lines = ["\(request.method.rawValue) \(URLText.line(redactor.text(request.url.absoluteString), reveals: reveals).text)"]
        lines += (request.headers + jarFields).map { field in
            let value = reveals ? field.value : Redaction.standard.masked(field.value, of: field.name.rawName)
            return "\(shown(field.name.rawName)): \(shown(value))"
        }
        if let body = body(of: request, hiding: redactor) { lines += ["", body] }
        try context.standardOutput.print(lines.joined(separator: "\n"))
    }

    /// The cookies that the jar has for it.
    private var jarFields: HTTPFields {
        let jar = plan.configuration.cookies
        guard jar.sends else { return [:] }
        let cookies = cookies(of: jar.jar).cookies(for: plan.request.url, method: plan.request.method, at: context.time.date)
        guard !cookies.isEmpty else { return [:] }
        return [.cookie: cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")]
    }

    private func body(of request: Request, hiding redactor: Redactor) -> String? {
        switch request.body {
        case .none: return nil
        case .data(let data):
            let redaction = arguments.reveals ? Redaction.none : .standard
            let shown = redactor.bytes(data, contentType: request.headers[.contentType], hiding: redaction)
            guard let text = String(validating: shown, as: UTF8.self) else { return "(\(data.count) bytes that aren't text)" }
            return text.lines.map { SafeText.line(String($0)) }.joined(separator: "\n")
        case .file(let file): return "(the file \(SafeText.line(redactor.text(file.path))))"
        case .stream(let stream): return stream.length.map { "(a stream of \($0) bytes)" } ?? "(a stream)"
        }
    }
}
