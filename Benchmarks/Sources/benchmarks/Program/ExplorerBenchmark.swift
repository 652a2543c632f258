import Foundation
import Glibc

/// Drives the explorer in a pseudo-terminal.
struct ExplorerBenchmark {
    var options: Options

    func run() throws -> Report {
        try options.checkProgram()
        var report = Report(title: "Explorer: \(options.turnstone) in a pseudo-terminal of 120×40")
        let workspace = try Workspace()
        defer { workspace.remove() }
        try measureStart(&report, "start to first frame, demo collection", [options.root + "/Collections/demo"], "Demo", limit: 60)
        try measureStart(
            &report, "start to first frame, 10,000 saved requests", [try workspace.makeLargeCollection()], "Many thousands",
            limit: 200)
        try measureStart(
            &report, "start to first frame, 100,000 saved requests", [try workspace.makeLargeCollection(folders: 1000)],
            "Many thousands", limit: 1000, rounds: 3, memory: 120)
        try measureFold(&report, workspace)
        try measureExplorer(&report, workspace)
        report.printAll()
        return report
    }

    // MARK: Start

    private func measureStart(
        _ report: inout Report, _ name: String, _ arguments: [String], _ title: String, limit: Double, rounds: Int = 10,
        memory: Double? = nil
    ) throws {
        var times = Measurements()
        var resident = Measurements()
        for round in 0...rounds {
            let start = ContinuousClock.now
            let terminal = try PseudoTerminal([options.turnstone] + arguments)
            let frame = try terminal.frame(with: title, silence: .milliseconds(60))
            guard round > 0 else { continue }
            times.append((frame.end - start).milliseconds)
            if memory != nil { resident.append(try Subprocess.residentMemory(of: terminal.process)) }
        }
        report.add(name + ", median", times.median, "ms", atMost: limit)
        report.add(name + ", slowest", times.max, "ms")
        if let memory { report.add(name + ", resident memory", resident.median, "MiB", atMost: memory) }
    }

    /// All items of a body that is a long list.
    private func measureFold(_ report: inout Report, _ workspace: Workspace) throws {
        let nginx = try Nginx()
        defer { nginx.stop() }
        let terminal = try PseudoTerminal([options.turnstone, try workspace.makeFoldCollection(nginx)])
        _ = try terminal.frame(with: "Folding", silence: .milliseconds(60))
        terminal.type("s")
        _ = try terminal.frame(with: "item 0", silence: .milliseconds(500))
        // Meanwhile the body is indexed.
        terminal.settle(.seconds(1))
        terminal.type("4:>fold-all")
        terminal.settle()
        let start = ContinuousClock.now
        terminal.type("\r")
        let frame = try terminal.frame(with: "16 lines", silence: .milliseconds(30))
        report.add("fold all of 113 MB of JSON", (frame.end - start).milliseconds, "ms", atMost: 50)
    }

    // MARK: The explorer at work

    private func measureExplorer(_ report: inout Report, _ workspace: Workspace) throws {
        let flood = try FloodServer()
        let terminal = try PseudoTerminal([options.turnstone, try workspace.makeFloodCollection(port: flood.port)])
        _ = try terminal.frame(with: "Flood", silence: .milliseconds(60))
        terminal.settle(.seconds(1))
        try measureRest(&report, terminal)

        let idle = try keyTimes(terminal, silence: .milliseconds(30))
        report.add("key to last byte of its frame, idle, p50", idle.median, "ms")
        report.add("key to last byte of its frame, idle, p99", idle.percentile(99), "ms", atMost: 8)

        // Cancels: each request is under way when x comes.
        var cancels = Measurements()
        for number in 1...20 {
            terminal.type("s")
            try wait("the request doesn't reach the server") { flood.openedCount == number }
            terminal.watch(for: .milliseconds(200))
            let start = ContinuousClock.now
            terminal.type("x")
            try wait("the server doesn't see the cancel") { flood.closed.count == number }
            cancels.append((flood.closed[number - 1] - start).milliseconds)
            terminal.settle(.milliseconds(60))
        }
        report.add("cancel: key to socket closed, p50", cancels.median, "ms")
        report.add("cancel: key to socket closed, slowest of 20", cancels.max, "ms", atMost: 50)

        terminal.type("s")
        try wait("the request doesn't reach the server") { flood.openedCount == 21 }
        terminal.watch(for: .milliseconds(500))
        // Frames come every 16 ms now; the pause that ends one is shorter than that.
        let busy = try keyTimes(terminal, silence: .milliseconds(4))
        report.add("key to last byte of its frame, 1,000 events/s, p50", busy.median, "ms")
        report.add("key to last byte of its frame, 1,000 events/s, p99", busy.percentile(99), "ms", atMost: 8)
        terminal.type("x")
        terminal.settle(.milliseconds(500))
        report.add("resident memory after that", try Subprocess.residentMemory(of: terminal.process), "MiB")
    }

    private func measureRest(_ report: inout Report, _ terminal: PseudoTerminal) throws {
        // Threads that libdispatch no longer needs go after 5 s.
        terminal.watch(for: .seconds(6))
        report.add("resident memory at rest", try Subprocess.residentMemory(of: terminal.process), "MiB", atMost: 30)
        report.add("of it private", try Subprocess.residentMemory(of: terminal.process, "RssAnon"), "MiB", atMost: 8)
        let before = try Subprocess.sleepCount(of: terminal.process)
        terminal.watch(for: .seconds(10))
        report.add("wake-ups at rest in 10 s", Double(try Subprocess.sleepCount(of: terminal.process) - before), "", atMost: 0)
    }

    /// Types into the tree's filter: each letter changes the input line and the tree. The letters are those that occur
    /// nowhere on the screen, nor in what terminals are told, so that their frame is known by them.
    private func keyTimes(_ terminal: PseudoTerminal, silence: Duration) throws -> Measurements {
        var times = Measurements()
        terminal.type("1/")
        terminal.watch(for: .milliseconds(300))
        for number in 0..<200 {
            let letter = ["Q", "W", "V"][number % 3]
            let start = ContinuousClock.now
            terminal.type(letter)
            times.append((try terminal.frame(with: letter, silence: silence).end - start).milliseconds)
            terminal.type("\u{7F}")
            // Not in step with the frames of the flood.
            terminal.watch(for: .milliseconds(20 + number % 17))
        }
        terminal.type("\u{1B}")
        terminal.watch(for: .milliseconds(300))
        return times
    }

    private func wait(_ failure: String, until condition: () -> Bool) throws {
        for _ in 0..<50_000 {
            if condition() { return }
            usleep(200)
        }
        throw BenchmarkError(failure)
    }
}
