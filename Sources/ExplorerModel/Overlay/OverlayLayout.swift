import Presentation
package import TerminalUI

/// Where an overlay is, for the one who draws it and for the mouse.
package enum OverlayLayout {
    /// Border included.
    package static func area(of overlay: Overlay, in size: Size) -> Rect {
        // Where there is room it touches neither the panes' borders nor the status line.
        let isLarge = size.rows >= 20
        let screen = Rect(Size(columns: size.columns, rows: size.rows - (isLarge ? 1 : 0)))
            .inset(columns: size.columns >= 60 ? 2 : 0, rows: isLarge ? 1 : 0)
        switch overlay {
        case .help(let help):
            return screen.centered(Size(columns: 132, rows: help.commands.count + 2 + helpSentenceRows))
        case .omnibox:
            // The upper edge stays where it is while the list shrinks.
            return screen.centered(Size(columns: 100, rows: 18))
        case .jump: return Rect(column: 0, row: 0, columns: 0, rows: 0)
        case .chooser(let chooser):
            let titles = chooser.items.map { DisplayWidth.of($0.title) }.max() ?? 0
            let details = chooser.items.map { DisplayWidth.of($0.detail) }.max() ?? 0
            let widest = max(titles + (details > 0 ? details + 2 : 0), DisplayWidth.of(chooser.title))
            return screen.centered(Size(columns: widest + 6, rows: chooser.items.count + 2))
        case .dialog(let dialog):
            let columns = min(64, screen.columns)
            return screen.centered(Size(columns: columns, rows: wrapped(dialog, columns: columns - 4).count + 4))
        case .why(let card):
            let columns = min(WhyCard.columns, screen.columns)
            let rows = card.rows(in: Size(columns: columns - 4, rows: screen.rows - 2)).count
            return screen.centered(Size(columns: columns, rows: rows + 2))
        case .comparison(let comparison):
            let widest = comparison.lines.map { DisplayWidth.of($0.text) }.max() ?? 0
            return screen.centered(Size(columns: min(screen.columns, max(60, widest + 4)), rows: comparison.lines.count + 2))
        case .variables(let board):
            // A row for what has just been said, and one for the keys.
            return screen.centered(Size(columns: 96, rows: max(12, board.list.count + 5)))
        case .lab(let board):
            // It is as large while it is set up as while it runs.
            return screen.centered(Size(columns: 132, rows: board.figures.count > 1 || board.baseline != nil ? 22 : 20))
        case .whatIf(let board):
            return screen.centered(Size(columns: 84, rows: board.choices.count + 3))
        case .trend, .hosts:
            return screen.centered(Size(columns: 110, rows: 16))
        case .entry(let form):
            let columns = min(72, screen.columns)
            // As high while something is wrong as it is without.
            return screen.centered(Size(columns: columns, rows: form.fields.count + 6))
        case .question(let form):
            let columns = min(72, screen.columns)
            let field =
                switch form.question.form {
                case .text: 2
                case .choice(let options, _): options.count + 1
                case .signIn: 0
                }
            return screen.centered(Size(columns: columns, rows: lines(of: form, columns: columns - 4).count + field + 4))
        }
    }

    /// Below the list of a help: a blank row, and all of the sentence of the selected command.
    package static let helpSentenceRows = 3

    /// The rows of its list.
    package static func list(of overlay: Overlay, in size: Size) -> Rect {
        let inner = area(of: overlay, in: size).inner
        switch overlay {
        case .omnibox: return inner.splitTop(1).rest.splitBottom(inner.rows > 8 ? 1 : 0).rest
        case .help: return inner.splitBottom(inner.rows > 8 ? helpSentenceRows : 0).rest
        case .question(let form):
            return inner.splitTop(min(inner.rows, lines(of: form, columns: inner.columns - 2).count + 1)).rest.splitBottom(2).rest
        case .variables: return inner.splitBottom(min(inner.rows, 3)).rest
        case .chooser, .dialog, .why, .entry, .comparison, .jump, .lab, .whatIf, .trend, .hosts: return inner
        }
    }

    /// The text of a question, above its field.
    package static func lines(of form: QuestionForm, columns: Int) -> [String] {
        var lines = [form.question.message] + form.question.details
        if case .signIn(let more, _) = form.question.form { lines += more }
        return lines.flatMap { $0.isEmpty ? [""] : LineWrapping.lines(of: SafeText.line($0), columns: columns) }
    }

    /// Below the fields: what is wrong, or what is good to know.
    package static func lines(of form: EntryForm, columns: Int) -> [String] {
        Array(LineWrapping.lines(of: SafeText.line(form.complaint ?? form.note), columns: columns).prefix(2))
    }

    /// The lines of a dialog, broken at blanks.
    package static func wrapped(_ dialog: Dialog, columns: Int) -> [String] {
        dialog.lines.flatMap { LineWrapping.lines(of: $0, columns: columns) }
    }
}
