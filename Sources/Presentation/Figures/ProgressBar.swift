/// A part of a whole, drawn.
package enum ProgressBar {
    /// `██████▌   `: exactly `width` columns.
    ///
    /// - Parameter fraction: 0 … 1.
    package static func text(_ fraction: Double, width: Int) -> String {
        guard fraction > 0 else { return String(repeating: " ", count: max(0, width)) }
        let text = Bar.text(from: 0, to: min(1, fraction), width: width)
        return text.before + text.bar + text.after
    }
}
