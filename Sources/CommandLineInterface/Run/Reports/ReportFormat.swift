/// The formats of `--report`.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, tap, json, html, har, hdr, markdown, github

    func report(in context: CommandLineContext) -> any RunReport {
        switch self {
        case .junit: JUnitReport()
        case .tap: TAPReport()
        case .json: JSONReport()
        case .html: HTMLReport()
        case .har: HARReport()
        case .markdown: MarkdownReport()
        case .hdr: HDRReport()
        case .github: GitHubReport(workspace: context.environment["GITHUB_WORKSPACE"])
        }
    }
}
