/// Operations a second and bytes a second of all contestants, who take turns.
struct NetworkBenchmark {
    var options: Options

    private struct Figures {
        var one = Measurements()
        var oneEffort = Efforts()
        var many = Measurements()
        var manyEffort = Efforts()
        var dropped = Measurements()
        var kept = Measurements()
    }

    private struct Kind {
        /// As ``Options/test`` names it.
        var test: String
        var name: String
        var unit: String
        var path: KeyPath<Figures, Measurements>
        var effort: KeyPath<Figures, Efforts>?
        var budgets: [String: Double]

        init(
            _ test: String, _ name: String, _ unit: String, _ path: KeyPath<Figures, Measurements>,
            _ effort: KeyPath<Figures, Efforts>?, _ budgets: [String: Double]
        ) {
            (self.test, self.name, self.unit, self.path, self.effort, self.budgets) = (test, name, unit, path, effort, budgets)
        }
    }

    private struct Rate {
        var perSecond = 0.0
        var effort = Effort()
    }

    func run() async throws -> Report {
        let nginx = try Nginx()
        defer { nginx.stop() }
        let turnstone = try Turnstone()
        var everybody: [any Contestant] = [BareCurl(), turnstone, try Turnstone(usesThread: false), URLSessionContestant()]
        #if Peers
            let asyncHTTPClient = AsyncHTTPClientContestant()
            everybody.append(asyncHTTPClient)
        #endif
        let contestants = everybody.filter { options.only == nil || $0.name == options.only }
        guard !contestants.isEmpty else {
            throw BenchmarkError("--only takes one of \(everybody.map(\.name).joined(separator: ", "))")
        }
        var figures = contestants.map { _ in Figures() }
        // The first round warms caches and connections, and isn't counted.
        for round in 0...options.rounds {
            // Nobody is always first.
            for index in contestants.indices.map({ ($0 + round) % contestants.count }) {
                let measured = try await measure(contestants[index], nginx)
                guard round > 0 else { continue }
                figures[index].one.append(measured.one.perSecond)
                figures[index].oneEffort.append(measured.one.effort)
                figures[index].many.append(measured.many.perSecond)
                figures[index].manyEffort.append(measured.many.effort)
                figures[index].dropped.append(measured.dropped)
                figures[index].kept.append(measured.kept)
            }
        }
        #if Peers
            await asyncHTTPClient.stop()
        #endif
        return report(contestants, figures, events: turnstone.eventCount)
    }

    private func measure(
        _ contestant: any Contestant, _ nginx: Nginx
    ) async throws -> (one: Rate, many: Rate, dropped: Double, kept: Double) {
        func leavesOut(_ test: String) -> Bool { self.leavesOut(test) || !contestant.takesPart(in: test) }
        let one = leavesOut("one") ? Rate() : try await rate(contestant, nginx.smallURL, concurrency: 1)
        let many = leavesOut("many") ? Rate() : try await rate(contestant, nginx.smallURL, concurrency: 64)
        let dropped = leavesOut("dropped") ? 0 : try await gigabytesPerSecond(contestant, nginx.largeURL, keep: false)
        let kept = leavesOut("kept") ? 0 : try await gigabytesPerSecond(contestant, nginx.largeURL, keep: true)
        return (one, many, dropped, kept)
    }

    /// What ``Options/test`` may name.
    static let tests = ["one", "many", "dropped", "kept"]

    private func leavesOut(_ test: String) -> Bool {
        options.test != nil && options.test != test
    }

    private func rate(_ contestant: any Contestant, _ url: String, concurrency: Int) async throws -> Rate {
        let start = ContinuousClock.now
        let before = Effort.ofProcess
        let count = Double(try await contestant.requests(url, concurrency: concurrency, until: start + .seconds(options.seconds)))
        let effort = Effort.ofProcess
        return Rate(
            perSecond: count / (.now - start).seconds,
            effort: Effort(
                microseconds: (effort.microseconds - before.microseconds) / count,
                switches: (effort.switches - before.switches) / count))
    }

    private func gigabytesPerSecond(_ contestant: any Contestant, _ url: String, keep: Bool) async throws -> Double {
        let start = ContinuousClock.now
        let count = try await contestant.download(url, keep: keep)
        guard count == Nginx.largeSize else {
            throw BenchmarkError("\(contestant.name): \(count) bytes of \(Nginx.largeSize) arrived")
        }
        return Double(count) / 1e9 / (.now - start).seconds
    }

    private func report(_ contestants: [any Contestant], _ figures: [Figures], events: Int) -> Report {
        var report = Report(title: "Network: medians of \(options.rounds) rounds, nginx on loopback")
        let kinds: [Kind] = [
            Kind("one", "1 KiB, one at a time", "/s", \.one, \.oneEffort, ["bare libcurl": 0.7]),
            Kind(
                "many", "1 KiB, 64 at once", "/s", \.many, \.manyEffort,
                ["bare libcurl": 0.6, "AsyncHTTPClient": 1.2, "URLSession": 10]),
            Kind("dropped", "100 MB, dropped", "GB/s", \.dropped, nil, ["bare libcurl": 0.95]),
            Kind("kept", "100 MB, in memory", "GB/s", \.kept, nil, ["bare libcurl": 0.95]),
        ]
        let ours = contestants.firstIndex { $0 is Turnstone }
        for kind in kinds where !leavesOut(kind.test) {
            for (contestant, measured) in zip(contestants, figures) where contestant.takesPart(in: kind.test) {
                let name = "\(kind.name): \(contestant.name)"
                let figure = Report.text(measured[keyPath: kind.path].median) + " " + kind.unit
                report.note(name, figure + (kind.effort.map { ", \(measured[keyPath: $0].text) each" } ?? ""))
            }
            guard let ours else { continue }
            for (peer, contestant) in contestants.enumerated() where !(contestant is Turnstone) {
                let ratio = figures[ours][keyPath: kind.path].ratio(to: figures[peer][keyPath: kind.path])
                report.add(
                    "\(kind.name): Turnstone to \(contestant.name)", figure: "", ratio: ratio, to: contestant.name,
                    atLeast: kind.budgets[contestant.name])
            }
        }
        report.note("events observed meanwhile", Report.text(Double(events)))
        report.printAll()
        return report
    }
}
