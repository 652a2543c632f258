/// Which row of a list is selected, and which rows are seen.
package struct ListState: Hashable, Sendable {
    /// Rows there are.
    package var count: Int { didSet { settle() } }
    /// Rows that are seen at once. Set it when the layout changes; drawing may use `window(height:)` instead.
    package var height: Int { didSet { settle() } }
    /// Always a row that there is; 0 in an empty list.
    package private(set) var selected: Int
    /// The first row seen.
    package private(set) var top: Int

    package init(count: Int = 0, selected: Int = 0, height: Int = 20) {
        self.count = max(0, count)
        self.height = max(1, height)
        self.selected = selected
        self.top = 0
        settle()
    }

    package var selection: Int? { count == 0 ? nil : selected }
    package var visible: Range<Int> { top..<min(count, top + height) }

    package mutating func select(_ index: Int) {
        selected = index
        settle()
    }

    package mutating func move(by rows: Int) { select(selected + rows) }

    package mutating func page(by pages: Int) { select(selected + pages * max(1, height - 1)) }

    /// Moves what is seen; the selection stays where it is, in sight or not.
    package mutating func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, count - height))
    }

    /// What is selected when the mouse points at this row of the window; `nil` below the list.
    package func index(atRow row: Int) -> Int? {
        let index = top + row
        return row >= 0 && row < height && index < count ? index : nil
    }

    /// The rows to draw in a window of this height, with the selection among them.
    package func window(height: Int) -> Range<Int> {
        if height == self.height { return visible }
        var other = self
        other.height = height
        return other.visible
    }

    /// Up, down, `k`, `j`, page up and down, Home, End, `g`, `G`.
    ///
    /// - Returns: whether it was a key of the list's.
    package mutating func handle(_ press: KeyPress) -> Bool {
        guard press.modifiers.isEmpty else { return false }
        switch press.key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: page(by: -1)
        case .pageDown: page(by: 1)
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(count - 1)
        default: return false
        }
        return true
    }

    private mutating func settle() {
        if count < 0 { count = 0 }
        if height < 1 { height = 1 }
        selected = min(max(0, selected), max(0, count - 1))
        if selected < top { top = selected }
        if selected >= top + height { top = selected - height + 1 }
        top = min(max(0, top), max(0, count - height))
    }
}
