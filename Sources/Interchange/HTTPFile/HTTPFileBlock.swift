import NetworkLayer

/// One request of a `.http` file.
struct HTTPFileBlock {
    /// Behind the `###`.
    var title = ""
    /// `# @name login`, and others of the kind, in order.
    var tags: [Tag] = []
    var comments: [String] = []
    /// `@name = value`.
    var variables: [(name: String, value: String, line: Int)] = []
    /// The method, the URL and their continuation; empty without a request.
    var target = ""
    var headers: [Header] = []
    var body: [String] = []
    /// `> {% … %}`, without the signs.
    var testScripts: [(text: String, line: Int)] = []
    /// `?? status == 200`, without the signs.
    var assertions: [(text: String, line: Int)] = []
    /// `>> file`: where the answer goes.
    var output: String?
    /// What isn't carried over: scripts, other files, and lines that no dialect has there.
    var losses: [(text: String, line: Int)] = []
    /// Where the request begins, from 1.
    var line = 1

    struct Tag {
        var name: String
        var value: String
        var line: Int
    }

    struct Header {
        var text: String
        var isEnabled = true
        var line: Int
    }
}

/// Takes a `.http` file apart, line by line, as the programs do whose files these are.
///
///   all             `###` between requests, `@name = value`, `# @name`, `< file`
///   JetBrains       `< {% … %}` and `> {% … %}`, `>> file`, `<> file`, `import` and `run`, `HTTP/2 (Prior Knowledge)`
///   httpYac         `{{ … }}` on lines of their own, `/* … */`, `?? status == 200`, requests without `###` between them
///   Visual Studio   variables between requests
struct HTTPFileReader {
    private(set) var blocks: [HTTPFileBlock] = []
    private var block = HTTPFileBlock()
    private var state = State.before
    private let lines: [Substring]
    private var position = 0

    private enum State {
        case before, headers, body
    }

    init(_ text: String) {
        lines = text.lines
        while position < lines.count {
            let line = String(lines[position])
            position += 1
            read(line, position)
        }
        end()
    }

    private mutating func end() {
        while block.body.last?.trimmingSpace.isEmpty == true { block.body.removeLast() }
        // What is said about the next request stands in this one's body.
        var comments: [String] = []
        if block.body.allSatisfy({ $0.trimmingSpace.isEmpty || Self.comment($0.trimmingSpace) != nil }) {
            comments = block.body.compactMap { Self.comment($0.trimmingSpace) }.filter { !$0.isEmpty }
            block.body = []
        }
        blocks.append(block)
        block = HTTPFileBlock()
        block.comments = comments
        state = .before
    }

    private mutating func read(_ line: String, _ number: Int) {
        if line.hasPrefix("###") {
            end()
            block.title = String(line.drop { $0 == "#" }).trimmingSpace
            block.line = number
            return
        }
        let trimmed = line.trimmingSpace
        if isScript(trimmed, number) || isBlockOfHTTPYac(trimmed, number) { return }
        switch state {
        case .before: readBefore(trimmed, number)
        case .headers: readHeader(line, trimmed, number)
        case .body: readBody(line, trimmed, number)
        }
    }

    private mutating func lose(_ text: String, _ line: Int) { block.losses.append((text, line)) }

    // MARK: Scripts and comments of several lines

    private static let script =
        "JavaScript isn't run, but `capture`, `expect` and `hydrate` do what scripts mostly do"

    /// `< {% … %}` before a request, `> {% … %}` behind it, and files with the same.
    private mutating func isScript(_ line: String, _ number: Int) -> Bool {
        if line.hasPrefix("> {%") {
            let start = position - 1
            if !line.contains("%}") { skip { $0.contains("%}") } }
            let text = lines[start..<position].joined(separator: "\n").drop { $0 != "{" }.dropFirst(2)
            block.testScripts.append((String(text.firstRange(of: "%}").map { text[..<$0.lowerBound] } ?? text), number))
            return true
        }
        if line.hasPrefix("< {%") {
            lose("the pre-request script: \(Self.script)", number)
            if !line.contains("%}") { skip { $0.contains("%}") } }
            return true
        }
        guard state != .before else {
            guard line.hasPrefix("< ") else { return false }
            lose("the pre-request script \(line.dropFirst(2)): JavaScript isn't run", number)
            return true
        }
        // The answer of a run, which the program wrote down there itself.
        if line.hasPrefix("<> ") { return true }
        if line.hasPrefix(">> ") || line.hasPrefix(">>! ") {
            block.output = line.drop { ">!".contains($0) }.trimmingSpace
            return true
        }
        if line.hasPrefix("> "), line.hasSuffix(".js") || line.hasSuffix(".ts") {
            lose("the response script \(line.dropFirst(2)): JavaScript isn't run", number)
            return true
        }
        return false
    }

    /// `{{`, or `{{@request` and the like, until `}}`, and `/*` until `*/`, each on a line of its own: what begins so and never ends is
    /// what it would be without them.
    private mutating func isBlockOfHTTPYac(_ line: String, _ number: Int) -> Bool {
        if line.hasPrefix("/*"), state != .body || block.body.allSatisfy({ $0.trimmingSpace.isEmpty }) {
            let rest = lines[(position - 1)...]
            guard let end = rest.firstIndex(where: { $0.contains("*/") }) else { return false }
            let text = lines[(position - 1)...end].map { $0.trimmingSpace.trimming { "/* ".contains($0) } }
            block.comments += text.filter { !$0.isEmpty }
            position = end + 1
            return true
        }
        if line.wholeMatch(of: /\{\{(@js\s*)?[+@]?(request|streaming|response|after|responseLogging)?/) != nil,
            lines[position...].contains(where: { $0.trimmingSpace == "}}" })
        {
            lose("the script: \(Self.script)", number)
            skip { $0.trimmingSpace == "}}" }
            return true
        }
        if state != .before, line.hasPrefix("?? ") {
            block.assertions.append((line.dropFirst(3).trimmingSpace, number))
            return true
        }
        return false
    }

    /// Past the first line that ends something, or to the end.
    private mutating func skip(to isEnd: (Substring) -> Bool) {
        position = (lines[position...].firstIndex(where: isEnd) ?? lines.count - 1) + 1
    }

    // MARK: Lines

    /// `GET https://…`, `get {{host}}/`, `/path`, `example.com/path`; the method may be missing.
    static func isTarget(_ line: String) -> Bool {
        if beginsRequest(line) || isCurl(line) || line.hasPrefix("{{") { return true }
        return line.prefixMatch(of: /([A-Z][A-Z-]*|(?i:get|put|post|patch|delete|head|options))\s+\S/) != nil
            || line.prefixMatch(of: /(?i:https?|wss?):\/\/|\/\S*(\s+HTTP\/|$)/) != nil
            || line.prefixMatch(of: /([\w-]+\.)+[A-Za-z]{2,}([:\/?]|\s*$)|localhost\b|[\d.]+[:\/]/) != nil
    }

    /// A line that is a method and a URL, whatever is around it.
    private static func beginsRequest(_ line: String) -> Bool {
        line.firstMatch(
            of:
                /^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|TRACE|CONNECT|QUERY|GRAPHQL|WEBSOCKET|GRPC|SSE)\s+(https?:\/\/|wss?:\/\/|(?=\{\{)|\/|[\w.-]+[:\/])(\{\{[^{}]*\}\}|\S)*(\s+HTTP\/[\d.]+)?\s*$/
        ) != nil
    }

    private static func isCurl(_ line: String) -> Bool { line.hasPrefix("curl ") }

    private mutating func readBefore(_ line: String, _ number: Int) {
        if line.isEmpty { return }
        if let comment = Self.comment(line) { return readComment(comment, number) }
        if let variable = Self.variable(line) {
            block.variables.append((variable.name, variable.value, number))
        } else if line.hasPrefix("import ") || line.hasPrefix("run ") {
            lose("the line `\(line)`: import the other file beside this one", number)
        } else if Self.isTarget(line) {
            block.target = line
            block.line = number
            state = .headers
        } else {
            lose("the line `\(line)`, which is no request", number)
        }
    }

    /// httpYac's `:=` is worked out when it is used, as everything is here, and its `@global.` is for all files.
    private static func variable(_ line: String) -> (name: String, value: String)? {
        line.wholeMatch(of: /@(?:global\.)?([^\s=:]+)\s*:?=\s*(.*)/).map { (String($0.1), String($0.2)) }
    }

    static func comment(_ line: String) -> String? {
        if line.hasPrefix("#") { return String(line.drop { $0 == "#" }).trimmingSpace }
        return line.hasPrefix("//") ? String(line.drop { $0 == "/" }).trimmingSpace : nil
    }

    private mutating func readComment(_ comment: String, _ number: Int) {
        if let match = comment.wholeMatch(of: /@([A-Za-z-]+)[\s=]*(.*)/) {
            block.tags.append(.init(name: String(match.1), value: String(match.2), line: number))
        } else if !comment.isEmpty, !comment.allSatisfy({ "-=*#/".contains($0) }) {
            block.comments.append(comment)
        }
    }

    /// Another line of the URL: one that begins a query or goes on with it, and an indented one, unless the version has ended the URL or
    /// the line is a header that is indented, too.
    private func continuesTarget(_ line: String, _ trimmed: String) -> Bool {
        if trimmed.hasPrefix("?") || trimmed.hasPrefix("&") { return true }
        guard line.first?.isWhitespace == true else { return false }
        if Self.isCurl(block.target) { return true }
        return block.target.firstMatch(of: /\sHTTP\/[\d.]+(\s*\(Prior Knowledge\))?$/) == nil
            && trimmed.prefixMatch(of: /[A-Za-z0-9-]+:(\s|$)/) == nil
    }

    private mutating func readHeader(_ line: String, _ trimmed: String, _ number: Int) {
        if trimmed.isEmpty {
            state = .body
        } else if block.headers.isEmpty, continuesTarget(line, trimmed) {
            block.target += Self.isCurl(block.target) ? "\n" + line : trimmed
        } else if Self.beginsRequest(trimmed) {
            beginNext(trimmed, number)
        } else if let comment = Self.comment(trimmed) {
            // A header that is off, or something about the request.
            if comment.wholeMatch(of: /[A-Za-z0-9-]+\s*:\s.*/) != nil {
                block.headers.append(.init(text: comment, isEnabled: false, line: number))
            } else {
                readComment(comment, number)
            }
        } else {
            block.headers.append(.init(text: trimmed, line: number))
        }
    }

    private mutating func readBody(_ line: String, _ trimmed: String, _ number: Int) {
        let isAfterBlank = block.body.last?.trimmingSpace.isEmpty ?? true
        // What stands for requests inside of a request: batches.
        let isBatch = block.headers.contains {
            $0.text.lowercased().hasPrefix("content-type: multipart/") || $0.text.contains("/http")
        }
        if isAfterBlank, !isBatch, Self.beginsRequest(trimmed) { return beginNext(trimmed, number) }
        if block.body.allSatisfy({ $0.trimmingSpace.isEmpty || Self.comment($0.trimmingSpace) != nil }),
            Self.variable(trimmed) != nil
        {
            end()
            return readBefore(trimmed, number)
        }
        block.body.append(line)
    }

    /// A request that no `###` parts from the one before it.
    private mutating func beginNext(_ line: String, _ number: Int) {
        end()
        readBefore(line, number)
    }
}

extension String {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var text = drop(while: isTrimmed)
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}
