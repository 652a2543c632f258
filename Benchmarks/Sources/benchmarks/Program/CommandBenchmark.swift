/// `turnstone send` as a whole process, beside curl.
struct CommandBenchmark {
    var options: Options

    func run() throws -> Report {
        try options.checkProgram()
        var report = Report(title: "Command line: one request of 1 KiB, medians of 40 runs")
        let nginx = try Nginx()
        defer { nginx.stop() }
        var ours = Measurements()
        var theirs = Measurements()
        for round in 0...40 {
            let our = try Subprocess.time([options.turnstone, "send", nginx.smallURL])
            let their = try Subprocess.time(["curl", "--silent", nginx.smallURL])
            guard round > 0 else { continue }
            ours.append(our)
            theirs.append(their)
        }
        report.note("curl as a whole process", Report.text(theirs.median) + " ms")
        report.add(
            "turnstone send as a whole process", figure: Report.text(ours.median) + " ms", ratio: ours.ratio(to: theirs),
            to: "curl", atMost: 1.5)
        report.printAll()
        return report
    }
}
