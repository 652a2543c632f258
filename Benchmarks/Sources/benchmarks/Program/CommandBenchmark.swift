import Foundation

/// The command line as whole processes, beside curl and HTTPie.
struct CommandBenchmark {
    var options: Options

    private static let many = 1000
    private static let jobs = 50

    func run() throws -> Report {
        try options.checkProgram()
        let nginx = try Nginx()
        defer { nginx.stop() }
        let workspace = try Workspace()
        defer { workspace.remove() }
        var report = Report(title: "Command line: whole processes, medians")
        try sendOne(nginx, into: &report)
        try runMany(nginx, workspace, into: &report)
        try readCollection(workspace, into: &report)
        report.printAll()
        return report
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

    /// A thousand of them, fifty at a time; ours are also recorded in the history.
    private func runMany(_ nginx: Nginx, _ workspace: Workspace, into report: inout Report) throws {
        let collection = try workspace.makeFlatCollection(url: nginx.smallURL, count: Self.many)
        let list = try workspace.makeCurlList(url: nginx.smallURL, count: Self.many)
        let home = ["XDG_DATA_HOME": workspace.directory.path, "XDG_STATE_HOME": workspace.directory.path]
        let words = [options.turnstone, "run", collection, "--jobs", "\(Self.jobs)"]
        var recorded = Measurements()
        var plain = Measurements()
        var curls = Measurements()
        for round in 0...5 {
            let with = try Subprocess.time(words, environment: home)
            let without = try Subprocess.time(words + ["--no-history"], environment: home)
            let curl = try Subprocess.time(["curl", "--silent", "--parallel", "--parallel-max", "\(Self.jobs)", "--config", list])
            guard round > 0 else { continue }
            recorded.append(with)
            plain.append(without)
            curls.append(curl)
        }
        report.note("1,000 requests, 50 at once: curl --parallel", Report.text(curls.median) + " ms")
        for (name, figures) in [("turnstone run --no-history", plain), ("turnstone run", recorded)] {
            report.note(
                "1,000 requests, 50 at once: \(name)",
                "\(Report.text(figures.median)) ms, \(Report.text(figures.ratio(to: curls))) × curl")
        }
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
