/// How much of something there is: a bar over its track.
package struct Gauge: Hashable, Sendable {
    /// 0 to 1.
    package var fraction: Double
    package var role: ThemeRole

    package init(fraction: Double, role: ThemeRole = .gauge) {
        self.fraction = fraction.isFinite ? min(max(0, fraction), 1) : 0
        self.role = role
    }

    /// What is left of something that runs out: from `low` down in another role.
    package init(remaining: Double, low: Double = 0.2) {
        self.init(fraction: remaining, role: remaining <= low ? .gaugeLow : .gauge)
    }

    package func draw(on canvas: inout Canvas, in rect: Rect) {
        canvas.draw(in: rect) { canvas in
            canvas.bar(from: 0, to: fraction * Double(rect.columns), row: 0, role, track: .gaugeTrack)
        }
    }
}

/// A sign that something goes on when nothing can be measured.
package enum Spinner {
    package static let frames: [Character] = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// - Parameter step: counts on with time; whoever has a clock divides by what one step takes (80 ms look calm).
    package static func character(step: Int) -> Character {
        frames[((step % frames.count) + frames.count) % frames.count]
    }
}
