import Foundation

/// What must hold for every request, whatever was done to it.
struct TortureRules {
    let page: TortureServer.Page

    /// How an operation ended, whoever has sent it.
    struct End {
        var id: Int
        var method: String
        /// How it was sent, for people.
        var way = ""
        var isCancelled = false
        /// The name of the error.
        var failure: String?
        var isTimeout = false
        var status: Int?
        /// `nil`: it was not kept.
        var body: Data?
        /// The field `X-Id` of the answer.
        var field: String?

        /// Whether the server may leave it without an end.
        var mayWait: Bool { id % 10 == 0 }
    }

    func problems(_ ends: [End]) -> [String] {
        let answers = page.byID
        return page.brokenRules
            + ends.flatMap { end in problems(end, answers[end.id] ?? []).map { describe(end, $0, answers[end.id] ?? []) } }
    }

    private func problems(_ end: End, _ answers: [TortureServer.Answer]) -> [String] {
        var problems: [String] = []
        if let failure = end.failure, failure.isEmpty { problems.append("failed, and nothing says why") }
        if end.isTimeout, !end.mayWait {
            problems.append("was out of time, where every answer ends by itself: \(end.failure ?? "")")
        }
        let isWhole = !answers.isEmpty && answers.allSatisfy(\.whole)
        // A stream that was read can't be sent again behind a 307.
        let isExcused = end.isCancelled || end.mayWait && end.isTimeout || end.failure?.contains("not_replayable") == true
        if isWhole, !isExcused, let failure = end.failure {
            problems.append("failed, and its answer was whole: \(failure)")
        }
        guard end.failure == nil, !answers.contains(where: \.scrambled) else { return problems }
        // A folded line may have continued it.
        if let field = end.field, Int(field.prefix(while: \.isNumber)) != end.id { problems.append("got the head of \(field)") }
        guard let body = end.body else { return problems }
        let text = String(decoding: body, as: UTF8.self)
        let others = Set(text.matches(of: /id=(\d+);/).compactMap { Int($0.1) }).subtracting([end.id])
        if !others.isEmpty { problems.append("got the body of \(others.sorted())") }
        if isWhole, let last = answers.last, !last.redirect {
            if end.status != 200 { problems.append("got the status \(end.status ?? 0) instead of 200") }
            if body != Self.body(of: end.id, length: last.length) {
                problems.append("got \(body.count) bytes instead of \(last.length): “\(text.prefix(40))”")
            }
        }
        return problems
    }

    private static func body(of id: Int, length: Int) -> Data {
        let piece = Array("id=\(id);".utf8)
        return Data((0..<length).map { piece[$0 % piece.count] })
    }

    private func describe(_ end: End, _ problem: String, _ answers: [TortureServer.Answer]) -> String {
        let story = answers.isEmpty ? "never seen by the server" : answers.map(\.description).joined(separator: "; ")
        return "\(end.method) \(end.id)\(end.way) \(problem) [\(story)]"
    }
}
