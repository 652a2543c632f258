import Testing

@testable import Explorer

@Suite struct `The ranking of the omnibox` {
    private func index(_ titles: [String], uses: [String: Int] = [:]) -> OmniboxIndex {
        var index = OmniboxIndex()
        for title in titles { index.add(title, use: uses[title] ?? 0) }
        return index
    }

    private func find(_ text: String, in titles: [String], uses: [String: Int] = [:]) -> [String] {
        index(titles, uses: uses).search(text).indices.map { titles[Int($0)] }
    }

    @Test func `goes in bands: all of the name, its beginning, a word's, elsewhere, scattered`() {
        let titles = ["x-o-r-d", "record", "new/ordinary", "big-order", "ord", "a/o-ring-d"]
        #expect(find("ord", in: titles) == ["ord", "new/ordinary", "big-order", "record", "x-o-r-d", "a/o-ring-d"])
    }

    @Test func `knows an exact short name below a longer path`() {
        #expect(find("create", in: ["createall", "orders/create"]) == ["orders/create", "createall"])
    }

    @Test func `lets no use carry scattered letters above a run of them`() {
        let titles = ["o-case-run", "accounts/ocr-7"]
        #expect(find("ocr", in: titles, uses: ["o-case-run": 1_000]) == ["accounts/ocr-7", "o-case-run"])
    }

    @Test func `puts in a band what was used more first, then the shorter, then the tree's order`() {
        let titles = ["orders/list", "orders/export", "orders/next"]
        #expect(find("orders", in: titles, uses: ["orders/export": 3]) == ["orders/export", "orders/list", "orders/next"])
    }

    @Test func `takes words in any order, in any case, and the humps of a name`() {
        #expect(find("create ORD", in: ["orders/list", "orders/create"]) == ["orders/create"])
        #expect(find("user", in: ["reuser", "getUserById"]) == ["getUserById", "reuser"])
    }

    @Test func `finds letters beyond ASCII, and nothing where nothing is`() {
        #expect(find("straße", in: ["Straße", "日本"]) == ["Straße"])
        #expect(find("本", in: ["Straße", "日本"]) == ["日本"])
        #expect(find("zzz", in: ["a", "", "zz"]) == [])
        #expect(find("   ", in: ["a", "b"]) == ["a", "b"])
    }

    @Test func `finds by what stands beside the name after all names`() {
        var index = OmniboxIndex()
        index.add("ping", detail: "GET https://example.org/status")
        index.add("s-t-a-t-u-s")
        index.add("statistics")
        index.add("other")
        #expect(index.search("stat").indices == [2, 0, 1])
    }

    @Test func `finds by a key as if that were the name, capitals told apart`() {
        var index = OmniboxIndex()
        index.add("s")
        index.add("Send", keys: ["s", "F5"])
        index.add("Save the body", keys: ["S"])
        #expect(Set(index.search("S").indices.prefix(2)) == [0, 2])
        #expect(index.search("F5").indices == [1])
        #expect(index.search("s").indices.prefix(2) == [0, 1])
    }

    /// No clock: what is counted is the bytes that were looked at. A byte takes about a nanosecond.
    @Test func `of 10,000 requests looks at no byte twice, and at fewer with every letter`() {
        var index = OmniboxIndex()
        let groups = ["orders", "users", "billing", "reports", "search"]
        var bytes = 0
        for number in 0..<10_000 {
            let title = "\(groups[number % 5])/endpoint-\(number)"
            let detail = "GET https://api.example.org/v1/\(groups[number % 5])/\(number)"
            bytes += title.utf8.count + detail.utf8.count
            index.add(title, detail: detail)
        }
        let first = index.search("b")
        #expect(first.examined <= bytes)
        let second = index.search("bi", among: first.indices)
        let third = index.search("bil", among: second.indices)
        #expect(second.examined <= first.examined)
        #expect(third.examined < bytes / 4)
        #expect(third.indices.count == 2_000)
        // The same as looking at all of them.
        #expect(index.search("bil").indices == third.indices)
    }
}

@Suite struct `What was used last` {
    @Test func `knows what was used last`() {
        var book = RecentUses()
        for (second, key) in ["a", "b", "a", "c"].enumerated() { book.use(key, at: Double(second)) }
        #expect(book.recent == ["c", "a", "b"])
    }

    @Test func `forgets what was used longest ago when there is too much`() {
        var book = RecentUses()
        for number in 0..<1_000 { book.use("\(number)", at: Double(number)) }
        #expect(book.ranks.count == 400)
        #expect(book.recent.first == "999")
    }

    @Test func `takes in what another program has counted`() {
        var (one, other) = (RecentUses(), RecentUses())
        one.use("a", at: 0)
        other.use("b", at: 1)
        one.merge(other)
        #expect(one.recent == ["b", "a"])
        one.merge(other)
        #expect(one.ranks == ["a": 1, "b": 2])
    }
}
