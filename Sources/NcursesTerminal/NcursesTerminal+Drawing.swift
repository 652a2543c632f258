import CNcurses
package import TerminalUI

extension NcursesTerminal {
    package func draw(_ frame: Frame) {
        guard isEntered else { return }
        let window = turnstone_ncurses_screen()
        if shown?.size != frame.size {
            shown = nil
            removeImage()
            werase(window)
            clearok(window, true)
        }
        var row = -1
        for run in FrameDiff(from: shown, to: frame).runs where run.row < size.rows && run.column < size.columns {
            // Row by row: of several changed rows at a time ncurses would move some by scrolling a part of the screen, which
            // many terminals do wrong or not at all. It can't be told not to.
            if row != run.row, row >= 0 { doupdate(window) }
            row = run.row
            var cells = painter.cells(run.cells, room: size.columns - run.column)
            wmove(window, Int32(run.row), Int32(run.column))
            // Unlike adding one character after the other, this never scrolls at the last cell.
            wadd_wchnstr(window, &cells, Int32(cells.count))
        }
        shown = frame
        placeCursor(frame.cursor, window)
        doupdate(window)
        if let bytes = images?.show(frame.image), !bytes.isEmpty { send(bytes) }
    }

    /// Before the cells below it are cleared, or belong to another program.
    func removeImage() {
        if let bytes = images?.clear(), !bytes.isEmpty { send(bytes) }
    }

    private func doupdate(_ window: UnsafeMutablePointer<WINDOW>?) {
        wnoutrefresh(window)
        CNcurses.doupdate()
    }

    package func invalidate() {
        shown = nil
        removeImage()
    }

    private func placeCursor(_ cursor: Point?, _ window: UnsafeMutablePointer<WINDOW>?) {
        if let cursor, cursor.row < size.rows, cursor.column < size.columns {
            wmove(window, Int32(cursor.row), Int32(cursor.column))
        }
        let isVisible = cursor != nil
        if isCursorShown != isVisible { curs_set(isVisible ? 1 : 0) }
        isCursorShown = isVisible
    }
}
