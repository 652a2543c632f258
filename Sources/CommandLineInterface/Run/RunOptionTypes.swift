import ArgumentParser
import Base
import RequestCollections

/// `--shard I/N`.
struct Shard: Hashable, Sendable, ExpressibleByArgument {
    /// From 1.
    var number: Int
    var count: Int

    init?(argument: String) {
        let parts = argument.split(separator: "/").map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1, (1...count).contains(number) else {
            return nil
        }
        self.number = number
        self.count = count
    }

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// Whether the item at this place, from 0, is in it. Neighbours go to different shards, so that slow folders are spread.
    func includes(_ index: Int) -> Bool { index % count == number - 1 }
}

/// `--filter-timeout DURATION`.
struct FilterTimeout: Hashable, Sendable, ExpressibleByArgument {
    var duration: Duration

    init(duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = DurationText.parse(argument), duration > .zero else { return nil }
        self.duration = duration
    }

    var defaultValueDescription: String { DurationText.format(duration) }
}

/// `--body-limit SIZE`.
struct BodyLimit: Hashable, Sendable, ExpressibleByArgument {
    var bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        guard let bytes = ByteCountText.parse(argument), bytes > 0 else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String { ByteCountText.format(bytes) }
}

/// `--report FORMAT=FILE`.
struct ReportRequest: Hashable, Sendable, ExpressibleByArgument {
    var format: ReportFormat
    var path: String
    /// Whether the report is appended to what is in the file.
    var appends = false

    /// What GitHub shows of a step below its job.
    init(stepSummary path: String) {
        format = .markdown
        self.path = path
        appends = true
    }

    /// The report goes where messages go.
    init(_ format: ReportFormat) {
        self.format = format
        path = "-"
    }

    /// Whether standard output is for it alone.
    var takesOutput: Bool { path == "-" && format != .github }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let format = ReportFormat(rawValue: parts[0]) else { return nil }
        self.format = format
        path = parts.count > 1 ? parts[1] : format == .github ? "-" : ""
        if path.isEmpty { return nil }
    }

    /// `nil`: it goes to standard output.
    func open() throws(OutputFailure) -> ReplacedFile? {
        // Only its owner may read the file, since a HAR contains bodies.
        path == "-" ? nil : try ReplacedFile(path: path, isPrivate: format == .har)
    }
}
