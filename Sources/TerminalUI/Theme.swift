/// A look for every role.
package struct Theme: Sendable, Hashable {
    package var name: String
    package var styles: [ThemeRole: Style]

    package init(name: String, styles: [ThemeRole: Style] = [:]) {
        self.name = name
        self.styles = styles
    }

    package subscript(role: ThemeRole) -> Style { styles[role] ?? .plain }
}

/// What a colour is for. The names, in kebab case, are the keys of a theme file.
package enum ThemeRole: String, Sendable, Hashable, CaseIterable {
    // The house
    case text, dim, strong, accent, error, warning, success, info
    case border, borderFocused, title, titleFocused, tab, tabSelected
    case selection, selectionUnfocused, cursor, searchMatch, searchMatchCurrent
    case statusLine, key, keyHelp, overlay, overlayBorder, input, inputCursor, placeholder
    case unsaved, disabled, stale, scrollbar

    // HTTP
    case methodGet, methodPost, methodPut, methodPatch, methodDelete, methodOther
    case status1xx, status2xx, status3xx, status4xx, status5xx, statusError
    case headerName, headerValue, url, urlHost, secret, template, templateUnresolved

    // Life of an operation
    case stateWaiting, statePreparing, stateStarting, stateRunning, stateWaitingToRetry, stateSucceeded, stateFailed, stateCancelled
    case phaseQueue, phaseDns, phaseConnect, phaseTls, phaseSend, phaseWait, phaseReceive
    case gauge, gaugeLow, gaugeTrack, progress

    // Bodies
    case lineNumber, syntaxKey, syntaxString, syntaxNumber, syntaxKeyword, syntaxPunctuation, syntaxTag, syntaxAttribute,
        syntaxComment
    case controlCharacter, hexOffset, hexByte, hexText
}

/// The first 16 colours of a terminal go by their names, not by values: users have made of them what they like.
package enum BasicColor {
    /// The nearest of the colours 0 to 15. The hue decides first, since red is red; what has none is a shade from black to white.
    package static func nearest(to color: Color) -> Int {
        let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
        let high = max(red, green, blue)
        let low = min(red, green, blue)
        let spread = high - low
        if high < 64 { return 0 }
        if spread * 3 < high || spread < 16 {
            switch (high + low) / 2 {
            case ..<48: return 0
            case ..<144: return 8
            case ..<208: return 7
            default: return 15
            }
        }
        // A primary is in when it is in the upper half of what the colour spans.
        let middle = low + spread / 2
        let bits = (red > middle ? 1 : 0) | (green > middle ? 2 : 0) | (blue > middle ? 4 : 0)
        return high > 176 ? bits + 8 : bits
    }

    /// What a terminal shows for it that nobody has changed: xterm's.
    package static let usual: [Color] = {
        let values: [UInt32] = [
            0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
            0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
        ]
        return values.map { value in
            Color(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        }
    }()

    /// A colour whose nearest one this is.
    static func color(_ index: Int) -> Color {
        switch index {
        case 7: return Color(red: 0xC0, green: 0xC0, blue: 0xC0)
        case 8: return Color(red: 0x80, green: 0x80, blue: 0x80)
        default:
            let value: UInt8 = index < 8 ? 0x80 : 0xFF
            return Color(red: index & 1 > 0 ? value : 0, green: index & 2 > 0 ? value : 0, blue: index & 4 > 0 ? value : 0)
        }
    }
}

extension Color {
    /// How well one can be read on the other: from 1 to 21; 4.5 is enough for text, and 3 for lines and bars (WCAG 2).
    package func contrast(with other: Color) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// From 0 for black to 1 for white (WCAG 2).
    var luminance: Double {
        let (red, green, blue) = linear
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// How much light each part is, from 0 to 1.
    var linear: (red: Double, green: Double, blue: Double) {
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            // The curve's power of 2.4, as (x^2)·(x^2)^(1/5): its error is below a hundredth of a contrast.
            return part <= 0.04045 ? part / 12.92 : Self.power((part + 0.055) / 1.055)
        }
        return (linear(red), linear(green), linear(blue))
    }

    /// `value` to the power of 2.4, for values from 0 to 1, by Newton's method for the fifth root of its twelfth power.
    private static func power(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        let square = value * value
        let wanted = square * square * square * square * square * square
        var root = square
        for _ in 0..<24 { root -= (root * root * root * root * root - wanted) / (5 * root * root * root * root) }
        return root
    }
}
