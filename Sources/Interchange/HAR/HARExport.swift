package import Base
import HTTPTypes
import NetworkLayer
package import RequestCollections

/// Saved requests as an HTTP Archive: each as it would be sent, with the answer of its mock, or with none.
///
/// An archive has no variables and no flow. Values are filled in, secrets and what responses give are named in braces, and all else that it
/// doesn't say is noted.
package struct HARExport {
    package private(set) var result = ExportedCollection(text: "")
    let plan: ExportPlan

    /// - Parameters:
    ///   - requests: with these, what they need is written.
    ///   - environment: whose variables are filled in; `nil`: the collection's alone.
    ///   - variables: over all others.
    ///   - date: when the requests are said to have begun, and what `now()` gives.
    /// - Throws: for an environment that isn't there.
    package init(
        _ collection: RequestCollection, requests: [RequestDefinition], environment: String? = nil,
        variables: [String: JSONValue] = [:], creator: HARDocument.Creator, date: Date
    ) throws(ResolutionError) {
        var notes = ExportNotes()
        plan = try ExportPlan(
            collection, requests: requests, environment: environment, variables: variables, order: .collection, notes: &notes)
        var sources = TemplateEnvironment(now: date, mode: .export(placeholder: Self.placeholder))
        for request in collection.requests {
            for capture in request.allCaptures where plan.variable(capture.name, for: nil) == nil {
                sources.captured[capture.name] = CapturedValue(.string("{{\(capture.name)}}"), from: request.id)
            }
        }
        var entries: [HARDocument.Entry] = []
        for request in plan.requests {
            notes.request = request.definition.id
            plan.noteFlow(of: request, saysMock: true, in: &notes)
            do throws(ResolutionError) {
                let resolved = try collection.resolve(
                    request.definition, environment: environment, variables: variables, with: sources)
                entries.append(Self.entry(resolved, request, at: date, &notes))
            } catch {
                notes.add("left out: \(error)")
            }
        }
        notes.request = nil
        let document = HARDocument(log: .init(version: "1.2", creator: creator, entries: entries))
        // Numbers in it are whole, and texts are Unicode: it can be encoded.
        result.text = (try? document.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        result.notes = notes.all
        result.requestCount = entries.count
    }

    /// The placeholder shows readers of the archive which secret belongs there.
    @Sendable private static func placeholder(_ placeholder: TemplatePlaceholder) -> String? {
        switch placeholder {
        case .environmentVariable(let name), .requirement(.secret(.environment(let name))): "{{\(name)}}"
        default: nil
        }
    }

    private static func entry(
        _ resolved: ResolvedRequest, _ merged: MergedRequest, at date: Date, _ notes: inout ExportNotes
    ) -> HARDocument.Entry {
        var resolved = resolved
        let definition = merged.definition
        for field in merged.settings.unfollowed(taking: ["http"], doing: .library) {
            notes.add("`\(field.key)`: an archive doesn't say it")
        }
        if resolved.oauth2 != nil {
            resolved.request.headers[.authorization] = "Bearer {{access_token}}"
            notes.add("`auth`: `{{access_token}}` is a token of OAuth 2")
        } else if resolved.configuration.transport.authentication != nil {
            notes.add("`auth`: \(merged.auth.kindName), which an archive doesn't say")
        }
        if !definition.expectations.isEmpty {
            let count = definition.expectations.count
            notes.add("`expect`: \(count == 1 ? "1 expectation" : "\(count) expectations")")
        }
        for capture in definition.allCaptures { notes.add("`capture`: \(capture.name) from \(capture.source)") }
        let version = version(resolved.configuration.transport.httpVersion)
        var request = HARDocument.Request(resolved.request, version: version)
        if let multipart = resolved.multipart {
            request.postData = HARDocument.PostData(
                mimeType: resolved.request.headers[.contentType] ?? multipart.contentType,
                params: multipart.parts.map { field(of: $0, &notes) }, text: "")
            // Files aren't looked at.
            if multipart.parts.contains(where: \.isFile) { request.bodySize = -1 }
        } else if case .file(let file) = resolved.request.body {
            notes.add("`body`: what is in the file \(file.path)")
        }
        return HARDocument.Entry(
            startedDateTime: date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)), time: 0,
            request: request, response: HARDocument.Response(resolved.mock, version: version),
            timings: .init(blocked: -1, dns: -1, connect: -1, send: 0, wait: 0, receive: 0, ssl: -1),
            comment: definition.description ?? definition.name)
    }

    private static func field(of part: MultipartBody.Part, _ notes: inout ExportNotes) -> HARDocument.Field {
        var field = HARDocument.Field(name: part.name, value: "", fileName: part.fileName, contentType: part.contentType)
        switch part.content {
        case .data(let data):
            if let text = String(validating: data, as: UTF8.self) {
                field.value = text
            } else {
                notes.add("`body`: the part `\(part.name)`, whose bytes aren't text")
            }
        case .file(let file, _):
            field.fileName = file.path
            notes.add("`body`: what is in the file \(file.path)")
        }
        return field
    }

    private static func version(_ preference: HTTPVersionPreference) -> String {
        switch preference {
        case .http1_0: "HTTP/1.0"
        case .automatic, .http1: "HTTP/1.1"
        case .http2, .http2PriorKnowledge: "HTTP/2"
        case .http3, .http3Only: "HTTP/3"
        }
    }
}

extension MultipartBody.Part {
    fileprivate var isFile: Bool { if case .file = content { true } else { false } }
}

extension HARDocument.Request {
    /// As it would be sent: nothing has gone over the wire.
    fileprivate init(_ request: Request, version: String) {
        method = request.method.rawValue
        url = String(request.url.absoluteString.prefix { $0 != "#" })
        httpVersion = version
        headers = request.headers.map { .init(name: $0.name.rawName, value: $0.value) }
        cookies = Self.cookies(in: headers)
        queryString = Self.query(request.url)
        headersSize = -1
        bodySize = request.body.length ?? -1
        postData = Self.postData(request, masking: .none)
    }
}

extension HARDocument.Response {
    /// What a mock answers. An archive has an answer in any case: one with the status 0 stands for none.
    fileprivate init(_ mock: ResolvedMock?, version: String) {
        status = mock?.status.code ?? 0
        statusText = mock?.status.reasonPhrase ?? ""
        httpVersion = version
        cookies = (mock?.headers[values: .setCookie] ?? []).map { HARDocument.Cookie(setCookie: $0) }
        headers = (mock?.headers ?? [:]).map { .init(name: $0.name.rawName, value: $0.value) }
        content = HARDocument.Content(size: 0, mimeType: mock?.headers[.contentType] ?? "x-unknown")
        redirectURL = mock?.headers[.location] ?? ""
        headersSize = -1
        bodySize = -1
        guard case .data(let body)? = mock?.body, !body.isEmpty else { return }
        content.size = Int64(body.count)
        if let text = String(validating: body, as: UTF8.self) {
            content.text = text
        } else {
            (content.text, content.encoding) = (body.base64EncodedString(), "base64")
        }
    }
}
