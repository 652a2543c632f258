import NetworkLayer
import RequestCollections

extension ImportedRequest {
    /// Takes what a test script says into `expect` and `capture`. One with anything else in it stays at the request, where nobody runs it.
    ///
    /// - Returns: what to say about the script; `nil` when all of it is understood.
    mutating func adopt(testScript text: String) -> String? {
        let script = TestScript(text)
        guard definition.adopt(script) else {
            keep(text, below: "x-test-script")
            return "the test script: a collection can't hold what it says; it stands below `x-test-script`, and isn't run"
        }
        guard !script.rest.isEmpty else { return nil }
        keep(text, below: "x-test-script")
        let count = script.rest.count == 1 ? "1 statement" : "\(script.rest.count) statements"
        return "the test script: \(count) that no `expect` or `capture` can say; it stands below `x-test-script`, and isn't run"
    }

    /// - Returns: what to say about the script.
    mutating func keep(preRequestScript text: String) -> String {
        keep(text, below: "x-pre-request-script")
        return
            "the pre-request script: JavaScript isn't run; it stands below `x-pre-request-script`, and `hydrate` can do what it does"
    }

    /// - Returns: what to say about the script.
    mutating func keep(otherScript text: String, for event: String) -> String {
        keep(text, below: "x-\(TreeKey.make(event, fallback: "other"))-script")
        return
            "the script for `\(event)`: JavaScript isn't run; it stands below `x-\(TreeKey.make(event, fallback: "other"))-script`"
    }

    private mutating func keep(_ text: String, below key: String) { comments.keep(script: text, below: key) }
}

extension [String: String] {
    /// Keeps a script after those that are already there.
    mutating func keep(script text: String, below key: String) {
        let text = text.lines.map { line in
            var line = line
            while let last = line.last, last.isWhitespace { line.removeLast() }
            return String(line)
        }
        .joined(separator: "\n").trimmingSpace
        self[key] = [self[key], text].compactMap(\.self).joined(separator: "\n")
    }

    /// One of a folder or collection, which is about each request in it.
    ///
    /// - Returns: what to say about the script.
    mutating func keep(sharedScript text: String, isTest: Bool) -> String {
        let (what, key) = isTest ? ("test", "x-test-script") : ("pre-request", "x-pre-request-script")
        keep(script: text, below: key)
        return "the \(what) script, which is about each request in it: JavaScript isn't run; it stands below `\(key)`"
    }
}

extension RequestDefinition {
    fileprivate mutating func adopt(_ script: TestScript) -> Bool {
        guard Self.canHold(script.captures, script.expectations) else { return false }
        captures = script.captures
        expectations = script.expectations
        return true
    }

    /// Whether these can be written so: what is read of them again is the same.
    static func canHold(_ captures: [CaptureDefinition], _ expectations: [ExpectationDefinition]) -> Bool {
        var probe = RequestDefinition(id: RequestID(rawValue: "a"), method: "GET", url: "http://localhost/", location: .none)
        probe.captures = captures
        probe.expectations = expectations
        var collection = RequestCollection(path: "a.yaml", name: "a")
        collection.nodes = [.request(probe)]
        return (try? collection.text()) != nil
    }
}
