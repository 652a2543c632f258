import FoundationEssentials
import HTTPTypes
import NetworkLayer

/// From options to values: the request, and how it is sent.
extension SendOptions {
    func request(reading input: any ByteInput) throws -> Request {
        let body = try body(reading: input)
        var headers = try parsedHeaders()
        if headers[.userAgent] == nil { headers[.userAgent] = userAgent ?? "turnstone/\(Version.text)" }
        if headers[.accept] == nil { headers[.accept] = json == nil ? "*/*" : "application/json" }
        if headers[.contentType] == nil {
            if json != nil {
                headers[.contentType] = "application/json"
            } else if !data.isEmpty {
                headers[.contentType] = "application/x-www-form-urlencoded"
            }
        }
        if let user {
            headers[.authorization] = "Basic " + Data(user.utf8).base64EncodedString()
        }
        return Request(url: try parsedURL(), method: try parsedMethod(), headers: headers, body: body)
    }

    var configuration: RequestConfiguration {
        get throws {
            var configuration = RequestConfiguration()
            configuration.redirects = RedirectConfiguration(
                policy: followsRedirects || trustsRedirects ? .always : .never, limit: redirectLimit,
                keepCredentials: trustsRedirects ? .always : .sameOrigin)
            configuration.timeouts = Timeouts(
                connect: connectTimeout.map(Duration.init(seconds:)) ?? .seconds(30),
                idle: idleTimeout.map(Duration.init(seconds:)) ?? .seconds(30),
                // What curl's users expect: no limit to the whole unless they give one.
                attempt: nil, operation: maximumTime.map(Duration.init(seconds:)))
            configuration.consumption = .stream
            configuration.transport.acceptsCompression = compressed
            configuration.transport.tls.verifies = !isInsecure
            configuration.transport.tls.authorities = authorities
            configuration.transport.tls.certificate = certificate
            configuration.transport.tls.key = key
            configuration.transport.tls.pins = pins
            configuration.transport.proxy = proxy
            configuration.transport.resolve = resolve
            configuration.transport.unixSocket = unixSocket
            configuration.transport.httpVersion = try httpVersion
            return configuration
        }
    }

    private var httpVersion: HTTPVersionPreference {
        get throws {
            switch (http1, http2, http2PriorKnowledge) {
            case (false, false, false): return .automatic
            case (true, false, false): return .http1
            case (false, true, false): return .http2
            case (false, false, true): return .http2PriorKnowledge
            default:
                throw CommandFailure(status: .usage, message: "--http1.1, --http2 and --http2-prior-knowledge exclude one another.")
            }
        }
    }

    private func parsedURL() throws -> URL {
        let text = url.contains("://") ? url : "http://" + url
        guard let url = URL(string: text), let host = url.host(), !host.isEmpty else {
            throw CommandFailure(
                status: .usage, message: "\(self.url) is not a URL. It takes http://HOST or https://HOST, with a path.")
        }
        return url
    }

    private func parsedMethod() throws -> HTTPRequest.Method {
        let name = method ?? (head ? "HEAD" : upload != nil ? "PUT" : data.isEmpty && json == nil ? "GET" : "POST")
        guard let method = HTTPRequest.Method(name) else {
            throw CommandFailure(status: .usage, message: "\(name) is not a method: it has characters that no method can have.")
        }
        return method
    }

    private func parsedHeaders() throws -> HTTPFields {
        var fields = HTTPFields()
        for line in headers {
            let isEmpty = !line.contains(":") && line.hasSuffix(";")
            let parts = (isEmpty ? line.dropLast() + ":" : line[...]).split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw CommandFailure(
                    status: .usage, message: "-H '\(line)' has no colon. It takes 'Name: value', or 'Name;' for an empty one.")
            }
            guard let name = HTTPField.Name(String(parts[0])) else {
                throw CommandFailure(status: .usage, message: "-H '\(line)': '\(parts[0])' is not the name of a header field.")
            }
            let value = String(parts[1].drop(while: { $0 == " " || $0 == "\t" }))
            guard HTTPField.isValidValue(value) else {
                throw CommandFailure(
                    status: .usage, message: "-H '\(name)': the value has a line break or another control character.")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    private func body(reading input: any ByteInput) throws -> RequestBody {
        let kinds = [data.isEmpty ? nil : "--data", json.map { _ in "--json" }, upload.map { _ in "--upload-file" }].compactMap(
            \.self)
        guard kinds.count <= 1 else {
            throw CommandFailure(
                status: .usage, message: "\(kinds.joined(separator: " and ")) exclude one another: a request has one body.")
        }
        if let upload {
            guard upload != "-" else { return .data(try input.readToEnd()) }
            guard FilePaths.exists(upload) else { throw Self.missing(upload) }
            return .file(path: upload)
        }
        if let json { return .data(try Self.content(of: json, reading: input)) }
        if data.isEmpty { return .none }
        let parts = try data.map { part in
            // As curl: a file's line ends are left out with -d.
            let content = try Self.content(of: part, reading: input)
            return part.hasPrefix("@") ? Data(content.filter { $0 != 10 && $0 != 13 }) : content
        }
        return .data(Data(parts.joined(separator: Data("&".utf8))))
    }

    private static func content(of argument: String, reading input: any ByteInput) throws -> Data {
        guard argument.hasPrefix("@") else { return Data(argument.utf8) }
        let path = String(argument.dropFirst())
        guard path != "-" else { return try input.readToEnd() }
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw missing(path)
        }
    }

    private static func missing(_ path: String) -> CommandFailure {
        CommandFailure(status: .file, message: "Can't read \(path). Does it exist, and may you read it?")
    }
}

extension Duration {
    init(seconds: Double) {
        self = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
