import NetworkLayer
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct RunLoopPlanTests {
    private static let shop = """
        requests:
          login: { post: http://h/login, capture: { token: .token } }
          order:
            for-each: { user: [ada, bob] }
            requests:
              create: { post: "http://h/{{user}}", headers: { x: "{{token}}" }, capture: { id: .id } }
              read: { get: "http://h/{{id}}/{{sku}}", for-each: { sku: [A7, B9] } }
          pages: { get: "http://h/{{page}}", for-each: { page: 1..2 }, needs: [order/create, login] }
          all: { get: "http://h/{{id}}" }
        """

    private func plan(_ ids: String..., rows: DataRows? = nil) throws -> RunPlan {
        let bench = try RunnerBench(Self.shop)
        var jobs = try ids.map { try bench.job($0) }
        if let rows {
            jobs = RunIteration.iterations(of: rows).flatMap { row in
                jobs.map { job in
                    var job = job
                    job.iterations = [row]
                    return job
                }
            }
        }
        return RunPlan(jobs)
    }

    private func text(_ plan: RunPlan) -> [String] {
        plan.nodes.map { node in
            let edges = node.edges.map { plan.nodes[$0.node].job.title }.joined(separator: " ")
            return node.job.title + (edges.isEmpty ? "" : "(\(edges))")
        }
    }

    @Test(arguments: [
        (100, 100, nil), (101, 100, "101 of `f` times 100 of `f/r`"), (9_999, 9_999, "9999 of `f` times 9999 of `f/r`"),
    ])
    func `loops in loops have one limit together, and no plan is made beyond it`(outer: Int, inner: Int, sizes: String?) throws {
        let bench = try RunnerBench(
            """
            requests:
              f:
                for-each: { a: 1..\(outer) }
                requests:
                  r: { get: "http://h/{{a}}/{{b}}", for-each: { b: 1..\(inner) } }
            """)
        let plan = RunPlan([try bench.job("f/r")])
        #expect(
            plan.problems.map { String($0.message.prefix { $0 != ";" }) }
                == (sizes.map { ["`f/r` would be sent for \($0) items"] } ?? []))
        #expect(plan.nodes.count <= 10_000)
    }

    private func progress(_ requests: String, _ ids: String...) throws -> RunPlan.Progress {
        let bench = try RunnerBench("requests:\n" + requests)
        return RunPlan.Progress(RunPlan(try ids.map { try bench.job($0) }))
    }

    private func begun(_ progress: inout RunPlan.Progress) -> [Int] {
        var begun: [Int] = []
        while case .send(let node)? = progress.begin() { begun.append(node) }
        return begun
    }

    @Test func `of a loop with jobs so many items are under way, and others beside them`() throws {
        var progress = try progress(
            """
              a: { get: "http://h/{{n}}", for-each: { as: n, in: 1..4, jobs: 2 } }
              b: { get: http://h/b }
            """, "a", "b")
        #expect(begun(&progress) == [0, 1, 4])
        progress.end(1, isUsable: true)
        #expect(begun(&progress) == [2])
        progress.end(4, isUsable: true)
        #expect(begun(&progress) == [])
        progress.end(0, isUsable: false)
        progress.end(2, isUsable: true)
        #expect(begun(&progress) == [3])
    }

    @Test func `an item of a folder is under way until all in it is over`() throws {
        var progress = try progress(
            """
              f:
                for-each: { as: n, in: [1, 2, 3], jobs: 1 }
                requests:
                  a: { get: "http://h/{{n}}" }
                  b: { get: "http://h/{{n}}", needs: a }
                  c: { get: "http://h/{{n}}" }
            """, "f/a", "f/b", "f/c")
        #expect(begun(&progress) == [0, 2])
        progress.end(0, isUsable: true)
        #expect(begun(&progress) == [1])
        progress.end(1, isUsable: true)
        #expect(begun(&progress) == [])
        progress.end(2, isUsable: true)
        #expect(begun(&progress) == [3, 5])
    }

    /// The list of all items is taken by what each item waits for.
    @Test func `a loop whose items wait for all of them goes on in spite of its jobs`() throws {
        var progress = try progress(
            """
              f:
                for-each: { as: n, in: [1, 2], jobs: 1 }
                requests:
                  a: { get: "http://h/{{n}}", capture: { id: .id } }
                  b: { get: "http://h/{{n}}", needs: all }
              all: { get: "http://h/{{id}}" }
            """, "f/a", "f/b", "all")
        var underWay = begun(&progress)
        var count = 0
        while let next = underWay.popLast() {
            count += 1
            progress.end(next, isUsable: true)
            underWay += begun(&progress)
        }
        #expect(count == 5)
    }

    @Test func `inside a loop each item has its own, and what is outside is sent once`() throws {
        #expect(
            text(try plan("order/read")) == [
                "login", "order/create[user=ada](login)", "order/read[user=ada, sku=A7](order/create[user=ada])",
                "order/read[user=ada, sku=B9](order/create[user=ada])", "order/create[user=bob](login)",
                "order/read[user=bob, sku=A7](order/create[user=bob])", "order/read[user=bob, sku=B9](order/create[user=bob])",
            ])
    }

    @Test func `who needs a request that is sent for each item waits for all of them`() throws {
        #expect(
            text(try plan("pages")) == [
                "login", "order/create[user=ada](login)", "order/create[user=bob](login)",
                "pages[page=1](order/create[user=ada] order/create[user=bob] login)",
                "pages[page=2](order/create[user=ada] order/create[user=bob] login)",
            ])
    }

    @Test func `outside, what the items captured is a list`() throws {
        let plan = try plan("all")
        #expect(plan.problems == [])
        let all = try #require(plan.nodes.last)
        #expect(all.job.title == "all")
        #expect(all.edges.map(\.isItem) == [true, true])
        #expect(plan.nodes.dropLast().flatMap(\.edges).allSatisfy { !$0.isItem })
    }

    @Test func `nobody outside can ask for the answer of one item`() throws {
        let bench = try RunnerBench(
            """
            turnstone: 1
            requests:
              each: { get: "http://shop/{{n}}", for-each: { n: [1, 2] } }
              one: { get: 'http://shop/{{response("each", ".id")}}' }
            """)
        let plan = RunPlan([try bench.job("one")])
        #expect(
            plan.problems.map(\.message) == [
                "`response()` of `one` asks for one answer of `each`, which is sent once for each item of a `for-each`; take a list of "
                    + "what it captures, or put both into a folder that has the `for-each`"
            ])
    }

    @Test func `each row of a file has everything of its own`() throws {
        let rows = try DataRows("password,user\nx,eve\ny,\nz,eve\n", .csv)
        #expect(
            text(try plan("order/create", rows: rows)).filter { !$0.contains("ada") } == [
                "login[user=eve]", "order/create[user=eve, user=bob](login[user=eve])", "login[2]",
                "order/create[2, user=bob](login[2])", "login[user=eve#3]", "order/create[user=eve#3, user=bob](login[user=eve#3])",
            ])
    }

    @Test func `by itself a request is sent for the first item`() async throws {
        let bench = try RunnerBench(Self.shop)
        let job = try bench.job("order/read")
        #expect(
            RunPlan(job, having: []).nodes.map(\.job.title) == ["login", "order/create[user=ada]", "order/read[user=ada, sku=A7]"])
    }
}
