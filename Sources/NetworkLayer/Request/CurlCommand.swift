import Base
import HTTPTypes

/// A request as a command for a shell that sends the same bytes with curl.
package enum CurlCommand {
    /// One line an option, quoted for POSIX shells. A body that isn't text is written with `printf` escapes and piped in;
    /// a body that is a stream can't be written down and is left to standard input.
    package static func text(for request: Request) -> String {
        var options: [String] = []
        var prefix = ""
        let method = request.method.rawValue
        if method == "HEAD" {
            options.append("--head")
        } else if method != implied(by: request.body), !(method == "POST" && request.body == .none) {
            options.append("--request \(quoted(method))")
        }
        // A server may want to be told that there is none, as we do (RFC 9110, section 8.6).
        let tellsLength = request.body == .none && ["POST", "PUT", "PATCH"].contains(method)
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name.rawName);" : "\($0.name.rawName): \($0.value)" }
        if request.body != .none || tellsLength, request.headers[.contentType] == nil {
            // Otherwise curl would say that it is a form.
            lines.append("Content-Type:")
        }
        options += lines.map { "--header \(quoted($0))" }
        switch request.body {
        case .none: if tellsLength { options.append("--data-raw ''") }
        case .data(let data):
            if let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) {
                if data.count <= longestWord {
                    options.append("--data-raw \(quoted(text))")
                } else {
                    prefix = "printf %s \(quoted(text)) | "
                    options.append("--data-binary @-")
                }
            } else {
                prefix = "printf \(printfQuoted(data)) | "
                options.append("--data-binary @-")
            }
        case .file(let file): options.append("--data-binary \(quoted("@" + file.path))")
        case .stream: options.append("--data-binary @-")
        }
        let url = request.url.absoluteString
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { options.insert("--globoff", at: 0) }
        // By itself, curl would remove dot segments (RFC 3986, section 5.2.4).
        if hasDotSegments(url) { options.insert("--path-as-is", at: 0) }
        return prefix + (["curl " + quoted(url)] + options).joined(separator: " \\\n  ")
    }

    /// Bytes. Linux takes no word of a program's that is longer than 128 KiB; `printf` is a part of the shell.
    private static let longestWord = 100_000

    private static func hasDotSegments(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.pieces(at: "/").dropFirst(3).contains { $0 == "." || $0 == ".." }
    }

    private static func implied(by body: RequestBody) -> String {
        body == .none ? "GET" : "POST"
    }

    /// The text in single quotes, unless none of its characters is special to a shell.
    package static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'" + text.replacing(scalars: "'", with: #"'\''"#) + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,".utf8)

    /// A format for `printf(1)`: every byte that isn't a plain one in octal.
    private static func printfQuoted(_ data: Data) -> String {
        var text = ""
        for byte in data {
            if plain.contains(byte), byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let octal = String(byte, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
            }
        }
        return "'" + text + "'"
    }
}

extension Request {
    /// As a command for a shell: see ``CurlCommand/text(for:)``.
    public var curlCommand: String { CurlCommand.text(for: self) }
}
