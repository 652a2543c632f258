import TerminalUI

/// Screens as SVG: text stays text, and lines and bars are shapes, since fonts leave gaps between them.
///
/// Several screens are shown in turn, for ever; who prefers less motion sees the last one.
struct ScreenPicture {
    struct Moment {
        var frame: Frame
        /// How long it is shown.
        var seconds: Double
    }

    var title: String
    /// All of one size; at least one.
    var moments: [Moment]
    /// Gives the colours of what has none of its own.
    var theme: Theme

    init(_ title: String, _ moments: [Moment], theme: Theme) {
        self.title = title
        self.moments = moments
        self.theme = theme
    }

    var svg: String {
        let size = moments[0].frame.size
        let (width, height) = (
            Double(size.columns) * Cell.width + 2 * Self.margin, Double(size.rows) * Cell.height + 2 * Self.margin
        )
        var classes = StyleClasses(theme: theme)
        var (body, spans) = ("", Set<ClosedRange<Int>>())
        for row in 0..<size.rows {
            // A row is drawn once for all the moments in which it stays as it is.
            var first = 0
            for next in 1...moments.count
            where next == moments.count || moments[next].frame.row(row) != moments[first].frame.row(row) {
                let (span, drawn) = (first...next - 1, Self.row(row, of: moments[first].frame, &classes))
                first = next
                if drawn.isEmpty || span.count == moments.count {
                    body += drawn
                } else {
                    spans.insert(span)
                    body += "<g class=\"\(Self.name(of: span))\">\n\(drawn)</g>\n"
                }
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(width)) \(text(height))" width="\(text(width))" role="img">
            <title>\(escaped(title))</title>
            <style>
            text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }
            \(classes.rules)\(motion(spans))</style>
            <rect width="100%" height="100%" rx="8" fill="\(classes.ground)"/>
            <g transform="translate(\(text(Self.margin)) \(text(Self.margin)))">
            \(body)</g>
            </svg>

            """
    }

    private static let margin = 10.0

    /// The rules that show rows in their moments.
    private func motion(_ spans: Set<ClosedRange<Int>>) -> String {
        guard !spans.isEmpty else { return "" }
        let ends = moments.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1.seconds) }
        let whole = ends[moments.count]
        var rules = ""
        for span in spans.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            let (from, to) = (ends[span.lowerBound] / whole * 100, ends[span.upperBound + 1] / whole * 100)
            let isLast = span.upperBound == moments.count - 1
            let before = span.lowerBound == 0 ? "" : "0% { visibility: hidden } "
            let after = isLast ? "" : " \(text(to))% { visibility: hidden }"
            let name = Self.name(of: span)
            rules += "@keyframes \(name) { \(before)\(text(from))% { visibility: visible }\(after) }\n"
            rules +=
                ".\(name) { visibility: \(isLast ? "visible" : "hidden"); animation: \(name) \(text(whole))s step-end infinite }\n"
        }
        return rules + "@media (prefers-reduced-motion: reduce) { g { animation: none !important } }\n"
    }

    private static func name(of span: ClosedRange<Int>) -> String { "m\(span.lowerBound)-\(span.upperBound)" }

    // MARK: Rows

    private static func row(_ row: Int, of frame: Frame, _ classes: inout StyleClasses) -> String {
        let y = Double(row) * Cell.height
        var (grounds, shapes, texts) = ("", "", "")
        for run in runs(frame.row(row)) {
            let (x, width) = (Double(run.column) * Cell.width, Double(run.columns) * Cell.width)
            let colors = classes.colors(of: run.style)
            if colors.background != classes.ground {
                grounds +=
                    "<rect x=\"\(text(x))\" y=\"\(text(y))\" width=\"\(text(width))\" height=\"18\" fill=\"\(colors.background)\"/>\n"
            }
            if let shape = run.shape {
                shapes +=
                    "<path d=\"\(shape.path(x: x, y: y, columns: run.columns))\" \(shape.isLine ? "stroke" : "fill")=\"\(colors.foreground)\""
                shapes += shape.isLine ? " stroke-width=\"\(shape == .heavyVertical ? 2.4 : 1)\"/>\n" : "/>\n"
            } else if !run.text.allSatisfy({ $0 == " " }) {
                texts +=
                    "<text x=\"\(text(x))\" y=\"\(text(y + 13.5))\" textLength=\"\(text(width))\" class=\"\(classes.name(of: run.style))\">"
                texts += "\(escaped(run.text))</text>\n"
            }
        }
        return grounds + shapes + texts
    }

    /// Neighbours that look alike, without the spaces around a text.
    private static func runs(_ cells: ArraySlice<TerminalUI.Cell>) -> [Run] {
        var runs: [Run] = []
        for (column, cell) in cells.enumerated() where cell.width > 0 {
            let shape = Shape(cell.character)
            if let last = runs.last, last.style == cell.style, last.shape == shape, shape.map(\.repeats) ?? true {
                runs[runs.count - 1].text.append(cell.character)
                runs[runs.count - 1].columns += Int(cell.width)
            } else {
                runs.append(
                    Run(column: column, columns: Int(cell.width), style: cell.style, shape: shape, text: String(cell.character)))
            }
        }
        return runs
    }

    private struct Run {
        var column: Int
        var columns: Int
        var style: Style
        var shape: Shape?
        var text: String
    }

    private enum Cell {
        static let width = 8.4
        static let height = 18.0
    }

    // MARK: Shapes

    /// A character that is drawn by lines or as a block.
    private enum Shape: Equatable {
        /// From the middle of the cell: up, down, left, right.
        case line(up: Bool, down: Bool, left: Bool, right: Bool)
        case heavyVertical
        /// Parts of the cell's width, in eighths.
        case block(from: Int, to: Int)

        init?(_ character: Character) {
            switch character {
            case "─": self = .line(up: false, down: false, left: true, right: true)
            case "│": self = .line(up: true, down: true, left: false, right: false)
            case "┌": self = .line(up: false, down: true, left: false, right: true)
            case "┐": self = .line(up: false, down: true, left: true, right: false)
            case "└": self = .line(up: true, down: false, left: false, right: true)
            case "┘": self = .line(up: true, down: false, left: true, right: false)
            case "├": self = .line(up: true, down: true, left: false, right: true)
            case "┤": self = .line(up: true, down: true, left: true, right: false)
            case "┬": self = .line(up: false, down: true, left: true, right: true)
            case "┴": self = .line(up: true, down: false, left: true, right: true)
            case "┼": self = .line(up: true, down: true, left: true, right: true)
            case "┃": self = .heavyVertical
            case "▐": self = .block(from: 4, to: 8)
            default:
                // U+2588, the full block, to U+258F, an eighth of it at the left.
                guard let scalar = character.unicodeScalars.first?.value, (0x2588...0x258F).contains(scalar) else { return nil }
                self = .block(from: 0, to: Int(0x2590 - scalar))
            }
        }

        var isLine: Bool { if case .block = self { false } else { true } }

        /// Whether one beside the other is one longer shape.
        var repeats: Bool {
            self == .line(up: false, down: false, left: true, right: true) || self == .block(from: 0, to: 8)
        }

        func path(x: Double, y: Double, columns: Int) -> String {
            let (right, bottom) = (x + Double(columns) * Cell.width, y + Cell.height)
            let (middle, center) = (x + Cell.width / 2, y + Cell.height / 2)
            switch self {
            case .heavyVertical: return "M\(text(middle)) \(text(y))V\(text(bottom))"
            case .block(let from, let to):
                let (left, end) = (x + Double(from) / 8 * Cell.width, columns > 1 ? right : x + Double(to) / 8 * Cell.width)
                return "M\(text(left)) \(text(y + 2))H\(text(end))V\(text(bottom - 2))H\(text(left))Z"
            case .line(let up, let down, let left, let isRight):
                var path = ""
                if left || isRight {
                    path += "M\(text(left ? x : middle)) \(text(center))H\(text(isRight ? right : middle))"
                }
                if up || down { path += "M\(text(middle)) \(text(up ? y : center))V\(text(down ? bottom : center))" }
                return path
            }
        }
    }
}

// MARK: - Styles

/// Each look is a class of the picture's style sheet.
private struct StyleClasses {
    private let plain: Style
    private var names: [Style: String] = [:]
    private(set) var rules = ""

    init(theme: Theme) {
        plain = Style(foreground: Color(red: 0, green: 0, blue: 0), background: Color(red: 255, green: 255, blue: 255))
            .merging(theme[.text])
    }

    var ground: String { hex(plain.background) }

    func colors(of style: Style) -> (foreground: String, background: String) {
        let style = plain.merging(style)
        let isReversed = style.attributes.contains(.reverse)
        let (front, back) = (hex(style.foreground), hex(style.background))
        return isReversed ? (back, front) : (front, back)
    }

    mutating func name(of style: Style) -> String {
        if let name = names[style] { return name }
        let name = "s\(names.count)"
        names[style] = name
        var rule = "fill: \(colors(of: style).foreground)"
        if style.attributes.contains(.bold) { rule += "; font-weight: bold" }
        if style.attributes.contains(.italic) { rule += "; font-style: italic" }
        if style.attributes.contains(.dim) { rule += "; opacity: 0.7" }
        if style.attributes.contains(.underline) { rule += "; text-decoration: underline" }
        if style.attributes.contains(.strikethrough) { rule += "; text-decoration: line-through" }
        rules += ".\(name) { \(rule) }\n"
        return name
    }

    private func hex(_ color: Color?) -> String {
        guard let color else { return "none" }
        return "#" + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Frame {
    fileprivate func row(_ row: Int) -> ArraySlice<TerminalUI.Cell> { cells[row * size.columns..<(row + 1) * size.columns] }
}

/// With at most two decimals, the same on every machine.
private func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    guard rest > 0 else { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
}

private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        default: escaped.append(character)
        }
    }
    return escaped
}
