import Foundation

/// The command line as whole processes, beside curl and HTTPie.
struct CommandBenchmark {
    var options: Options

    private static let jobs = 50

    func run() throws -> Report {
        try options.checkProgram()
        let nginx = try Nginx()
        defer { nginx.stop() }
        let workspace = try Workspace()
        defer { workspace.remove() }
        var report = Report(title: "Command line: whole processes, medians")
        report.add("the program without its symbols", try strippedSize(workspace), "MB", atMost: 30)
        try sendOne(nginx, into: &report)
        try runMany(nginx, workspace, into: &report)
        try runVeryMany(nginx, workspace, into: &report)
        try readCollection(workspace, into: &report)
        report.printAll()
        return report
    }

    /// What `make install` installs, in MB.
    private func strippedSize(_ workspace: Workspace) throws -> Double {
        let path = workspace.directory.appending(path: "stripped").path
        _ = try Subprocess.time(["strip", "-o", path, options.turnstone])
        guard let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            throw BenchmarkError("\(path) has no size")
        }
        return Double(size) / 1e6
    }

    /// One request of 1 KiB.
    private func sendOne(_ nginx: Nginx, into report: inout Report) throws {
        var ours = Measurements()
        var curls = Measurements()
        var pies = Measurements()
        let hasHTTPie = Subprocess.finds("http")
        for round in 0...40 {
            let our = try Subprocess.time([options.turnstone, "send", nginx.smallURL])
            let curl = try Subprocess.time(["curl", "--silent", nginx.smallURL])
            // It takes half a second: a few times are enough.
            if hasHTTPie, round % 10 == 1 {
                pies.append(try Subprocess.time(["http", "--ignore-stdin", "--body", nginx.smallURL]))
            }
            guard round > 0 else { continue }
            ours.append(our)
            curls.append(curl)
        }
        report.note("one request: curl", Report.text(curls.median) + " ms")
        report.add(
            "one request: turnstone send", figure: Report.text(ours.median) + " ms", ratio: ours.ratio(to: curls), to: "curl",
            atMost: 1.5)
        guard hasHTTPie else { return report.note("one request: HTTPie", "not installed (pip install httpie)") }
        report.note(
            "one request: HTTPie", "\(Report.text(pies.median)) ms, \(Report.text(pies.median / ours.median)) × turnstone send")
    }

    /// Ten thousand of them, fifty at a time; ours are also recorded in the history.
    private func runMany(_ nginx: Nginx, _ workspace: Workspace, into report: inout Report) throws {
        let words = run(try workspace.makeFlatCollection(url: nginx.smallURL, count: 10_000))
        let list = try workspace.makeCurlList(url: nginx.smallURL, count: 10_000)
        var recorded = Measurements()
        var plain = Measurements()
        var curls = Measurements()
        for round in 0...3 {
            let with = try Subprocess.time(words, environment: home(workspace))
            let without = try Subprocess.time(words + ["--no-history"], environment: home(workspace))
            let curl = try Subprocess.time(parallelCurl(list))
            guard round > 0 else { continue }
            recorded.append(with)
            plain.append(without)
            curls.append(curl)
        }
        report.note("10,000 requests, 50 at once: curl --parallel", Report.text(curls.median) + " ms")
        report.note(
            "10,000 requests, 50 at once: turnstone run --no-history",
            "\(Report.text(plain.median)) ms, \(Report.text(plain.ratio(to: curls))) × curl")
        report.add(
            "10,000 requests, 50 at once: turnstone run", figure: Report.text(recorded.median) + " ms",
            ratio: recorded.ratio(to: plain), to: "without history", atMost: 1.15)
    }

    /// A hundred thousand of them, once.
    private func runVeryMany(_ nginx: Nginx, _ workspace: Workspace, into report: inout Report) throws {
        let words = run(try workspace.makeFlatCollection(url: nginx.smallURL, count: 100_000))
        let ours = try Subprocess.measure(words + ["--no-history"], environment: home(workspace))
        let curl = try Subprocess.measure(
            parallelCurl(try workspace.makeCurlList(url: nginx.smallURL, count: 100_000)))
        report.note(
            "100,000 requests, 50 at once: curl --parallel",
            "\(Report.text(curl.milliseconds / 1000)) s, \(Report.text(curl.resident)) MiB")
        report.add(
            "100,000 requests, 50 at once: turnstone run --no-history", figure: Report.text(ours.milliseconds / 1000) + " s",
            ratio: ours.milliseconds / curl.milliseconds, to: "curl", atMost: 2)
        report.add("100,000 requests, 50 at once: memory", ours.resident, "MiB", atMost: 60)
    }

    private func run(_ collection: String) -> [String] {
        [options.turnstone, "run", collection, "--jobs", "\(Self.jobs)", "--yes"]
    }

    private func home(_ workspace: Workspace) -> [String: String] {
        ["XDG_DATA_HOME": workspace.directory.path, "XDG_STATE_HOME": workspace.directory.path]
    }

    private func parallelCurl(_ list: String) -> [String] {
        ["curl", "--silent", "--parallel", "--parallel-max", "\(Self.jobs)", "--config", list]
    }

    private func readCollection(_ workspace: Workspace, into report: inout Report) throws {
        let collection = try workspace.makeLargeCollection()
        var times = Measurements()
        for round in 0...5 {
            let time = try Subprocess.time([options.turnstone, "list", collection])
            if round > 0 { times.append(time) }
        }
        report.note("10,000 saved requests in as many files: turnstone list", Report.text(times.median) + " ms")
    }
}
