import ArgumentParser
import Base

/// `turnstone man`.
struct Manual: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man", abstract: "Print the manual page, for man(1).",
        discussion: """
            Examples:
              turnstone man | man -l -
              turnstone man > ~/.local/share/man/man1/turnstone.1
            """)

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        try context.standardOutput.write(Data(ManualPage.text(.program, date: Self.day(Date())).utf8))
        return .success
    }

    /// `November 21, 2026`, as mdoc wants it, whatever the locale.
    private static func day(_ date: Date) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
            "December",
        ]
        let parts = date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]) else { return "" }
        return "\(months[month - 1]) \(day), \(parts[0])"
    }
}
