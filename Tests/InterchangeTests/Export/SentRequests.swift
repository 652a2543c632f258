import Foundation
import HTTPTypes
import NetworkLayer

@testable import Interchange
@testable import RequestCollections

/// What requests come to when they are sent, for comparing them with those that were exported and imported again.
struct SentRequest: Hashable, CustomStringConvertible {
    var method = ""
    var url = ""
    var headers: [String] = []
    var body = ""
    var auth = ""

    var description: String { ([method, url] + headers + [auth, body]).joined(separator: "\n  ") }

    init(
        _ definition: RequestDefinition, in collection: RequestCollection, environment: String? = nil,
        variables: [String: JSONValue]
    ) throws {
        let sources = TemplateEnvironment(
            processEnvironment: ["HOME": "/home/ada", "SHOP_TOKEN": "t0ken"], now: Date(timeIntervalSince1970: 1_700_000_000),
            seed: 1,
            mode: .show)
        let resolved = try collection.resolve(definition, environment: environment, variables: variables, with: sources)
        method = resolved.request.method.rawValue
        url = Self.plain(url: resolved.request.url.absoluteString)
        var isJSON = false
        for field in resolved.request.headers {
            let name = field.name.canonicalName
            var value = field.value
            if name == "content-type" {
                isJSON = value.contains("json")
                // Each boundary is another.
                if value.hasPrefix("multipart/") { value = "multipart/form-data" }
            }
            headers.append("\(name): \(value)")
        }
        headers.sort()
        auth = resolved.configuration.transport.authentication.map { "\($0)" } ?? resolved.oauth2.map { "\($0)" } ?? ""
        if let multipart = resolved.multipart {
            body = multipart.parts.map { part in
                let content =
                    switch part.content {
                    case .data(let data): String(decoding: data, as: UTF8.self)
                    case .file(let file, _): "file \(Self.plain(file.path))"
                    }
                return "\(part.name)=\(content) \(part.contentType ?? "") \(part.fileName ?? "")"
            }
            .joined(separator: "\n")
            return
        }
        switch resolved.request.body {
        case .data(let data):
            let text = String(decoding: data, as: UTF8.self)
            body = isJSON ? JSONParser.parse(text)?.text(pretty: false) ?? text : text
        case .file(let file): body = "file \(Self.plain(file.path))"
        default: body = ""
        }
    }

    /// An import takes a query apart, and then more of it is encoded than has to be.
    private static func plain(url: String) -> String {
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return url }
        let pairs = halves[1].split(separator: "&", omittingEmptySubsequences: false).map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0).removingPercentEncoding ?? String($0) }.joined(separator: " = ")
        }
        return "\(halves[0]) ? \(pairs.joined(separator: " & "))"
    }

    /// Credentials that are made of a secret are shown to nobody.
    func masked(as other: SentRequest) -> SentRequest {
        var copy = self
        let hidden = other.headers.filter { $0.contains("••") }.map { String($0.prefix { $0 != ":" }) }
        copy.headers = headers.map { header in
            let name = String(header.prefix { $0 != ":" })
            return hidden.contains(name) ? other.headers.first { $0.hasPrefix("\(name):") } ?? header : header
        }
        return copy
    }

    /// Collections lie in other places.
    private static func plain(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension RequestDefinition {
    /// What it expects, in one of the forms that mean the same, sorted.
    var plainExpectations: [String] {
        expectations.flatMap { expectation -> [String] in
            var subject = expectation.subject
            if case .header(let name) = subject { subject = .header(name.lowercased()) }
            let parts: [Matcher] =
                if case .all(let parts) = expectation.matcher.plain { parts } else { [expectation.matcher.plain] }
            let steps = expectation.steps.map { " → \($0)" }.joined()
            return parts.map { part in
                // Where a number can be one of several only as a text.
                if subject == .status, expectation.steps == [.word(.text)], case .matches(let pattern, false) = part {
                    let words = pattern.dropFirst(2).dropLast(2).split(separator: "|").map { $0.replacing("..", with: "xx") }
                    return "\(subject) \(words.joined(separator: " or "))"
                }
                return "\(subject)\(steps) \(part)"
            }
        }
        .sorted()
    }

    var plainCaptures: [String] { captures.map { "\($0.name) \($0.source) \($0.steps)" }.sorted() }
}
