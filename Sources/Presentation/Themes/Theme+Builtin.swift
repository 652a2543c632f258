package import TerminalUI

extension Theme {
    /// Themes/dark.yaml once more, so that the program has a look where it finds no files. A test compares the two.
    package static let builtin = Theme(
        name: "dark",
        styles: [
            // The house
            .text: Style(foreground: .text, background: .background),
            .dim: Style(foreground: .grey),
            .strong: Style(foreground: .bright, attributes: [.bold]),
            .accent: Style(foreground: .blue),
            .error: Style(foreground: .red),
            .warning: Style(foreground: .yellow),
            .success: Style(foreground: .green),
            .info: Style(foreground: .cyan),
            .border: Style(foreground: .line),
            .borderFocused: Style(foreground: .blue),
            .title: Style(foreground: .grey),
            .titleFocused: Style(foreground: .bright, attributes: [.bold]),
            .tab: Style(foreground: .grey),
            .tabSelected: Style(foreground: .bright, attributes: [.bold, .underline]),
            .selection: Style(background: .selected),
            .selectionUnfocused: Style(background: .field),
            .cursor: Style(foreground: .background, background: .bright),
            .searchMatch: Style(foreground: .background, background: .yellow),
            .searchMatchCurrent: Style(foreground: .background, background: .orange, attributes: [.bold]),
            .statusLine: Style(foreground: .text, background: .panel),
            .key: Style(foreground: .blue, attributes: [.bold]),
            .keyHelp: Style(foreground: .grey),
            .overlay: Style(foreground: .text, background: .panel),
            .overlayBorder: Style(foreground: .blue),
            .input: Style(foreground: .bright, background: .field),
            .inputCursor: Style(foreground: .background, background: .bright),
            .placeholder: Style(foreground: .grey),
            .unsaved: Style(foreground: .yellow, attributes: [.bold]),
            .disabled: Style(foreground: .grey, attributes: [.strikethrough]),
            .stale: Style(foreground: .grey),
            .scrollbar: Style(foreground: .grey),
            // HTTP
            .methodGet: Style(foreground: .green, attributes: [.bold]),
            .methodPost: Style(foreground: .blue, attributes: [.bold]),
            .methodPut: Style(foreground: .yellow, attributes: [.bold]),
            .methodPatch: Style(foreground: .cyan, attributes: [.bold]),
            .methodDelete: Style(foreground: .red, attributes: [.bold]),
            .methodOther: Style(foreground: .purple, attributes: [.bold]),
            .status1xx: Style(foreground: .grey),
            .status2xx: Style(foreground: .green, attributes: [.bold]),
            .status3xx: Style(foreground: .cyan, attributes: [.bold]),
            .status4xx: Style(foreground: .orange, attributes: [.bold]),
            .status5xx: Style(foreground: .red, attributes: [.bold]),
            .statusError: Style(foreground: .red, attributes: [.bold]),
            .headerName: Style(foreground: .blue),
            .headerValue: Style(foreground: .text),
            .url: Style(foreground: .text),
            .urlHost: Style(foreground: .bright, attributes: [.bold]),
            .secret: Style(foreground: .purple),
            .template: Style(foreground: .cyan),
            .templateUnresolved: Style(foreground: .red, attributes: [.underline]),
            // Life of an operation
            .stateWaiting: Style(foreground: .grey),
            .statePreparing: Style(foreground: .grey),
            .stateStarting: Style(foreground: .cyan),
            .stateRunning: Style(foreground: .blue, attributes: [.bold]),
            .stateWaitingToRetry: Style(foreground: .yellow),
            .stateSucceeded: Style(foreground: .green),
            .stateFailed: Style(foreground: .red, attributes: [.bold]),
            .stateCancelled: Style(foreground: .orange),
            .phaseQueue: Style(foreground: .grey),
            .phaseDns: Style(foreground: .cyan),
            .phaseConnect: Style(foreground: .orange),
            .phaseTls: Style(foreground: .purple),
            .phaseSend: Style(foreground: .yellow),
            .phaseWait: Style(foreground: .green),
            .phaseReceive: Style(foreground: .blue),
            .gauge: Style(foreground: .blue),
            .gaugeLow: Style(foreground: .red),
            .gaugeTrack: Style(foreground: .line),
            .progress: Style(foreground: .blue),
            // Bodies
            .lineNumber: Style(foreground: .number),
            .syntaxKey: Style(foreground: .blue),
            .syntaxString: Style(foreground: .green),
            .syntaxNumber: Style(foreground: .orange),
            .syntaxKeyword: Style(foreground: .purple),
            .syntaxPunctuation: Style(foreground: .grey),
            .syntaxTag: Style(foreground: .blue),
            .syntaxAttribute: Style(foreground: .cyan),
            .syntaxComment: Style(foreground: .grey, attributes: [.italic]),
            .controlCharacter: Style(foreground: .yellow),
            .hexOffset: Style(foreground: .number),
            .hexByte: Style(foreground: .text),
            .hexText: Style(foreground: .green),
        ])
}

extension Color {
    fileprivate static let background = Color(red: 0x14, green: 0x17, blue: 0x1c)
    fileprivate static let panel = Color(red: 0x1c, green: 0x20, blue: 0x27)
    fileprivate static let line = Color(red: 0x60, green: 0x6b, blue: 0x7d)
    fileprivate static let grey = Color(red: 0xa2, green: 0xaa, blue: 0xb8)
    fileprivate static let text = Color(red: 0xd3, green: 0xd8, blue: 0xe0)
    fileprivate static let bright = Color(red: 0xf4, green: 0xf6, blue: 0xfa)
    fileprivate static let blue = Color(red: 0x7d, green: 0xb7, blue: 0xff)
    fileprivate static let cyan = Color(red: 0x67, green: 0xcf, blue: 0xd6)
    fileprivate static let green = Color(red: 0x7f, green: 0xce, blue: 0x8d)
    fileprivate static let yellow = Color(red: 0xe4, green: 0xbf, blue: 0x6a)
    fileprivate static let orange = Color(red: 0xf0, green: 0xa0, blue: 0x6a)
    fileprivate static let red = Color(red: 0xff, green: 0x8f, blue: 0x87)
    fileprivate static let purple = Color(red: 0xc5, green: 0xa8, blue: 0xff)
    fileprivate static let selected = Color(red: 0x1b, green: 0x34, blue: 0x57)
    fileprivate static let field = Color(red: 0x27, green: 0x2d, blue: 0x37)
    fileprivate static let number = Color(red: 0x9a, green: 0xa3, blue: 0xb2)
}
