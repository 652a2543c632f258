/// What is to stand in a place of a file, as far as it is decided: what stays points to the node that is there.
indirect enum DesiredValue {
    case keep(YAMLNode)
    case scalar(String, ScalarKind)
    case map([DesiredEntry], DesiredLayout)
    case list([DesiredEntry], DesiredLayout)
}

/// An entry of a map or list.
struct DesiredEntry {
    /// The entry of the map or list in the file that this one continues, by number; `nil` for a new one.
    var source: Int?
    /// `""` in a list.
    var key: String
    var value: DesiredValue
    /// Written above it, or behind it where it is short. It may have several lines.
    var comment: String?
}

/// How something new is laid out.
enum DesiredLayout {
    case block
    case flow
    /// In one line when it is short.
    case automatic
}

/// Which quoting a text needs.
enum ScalarKind {
    /// Read as text whatever it looks like, but for `null`.
    case text
    /// Must not look like a number, a boolean or `null`.
    case string
    /// In quotes, which say that nothing in it means something else.
    case quoted
    /// A number, a boolean or `null`, never quoted.
    case literal
    /// Like `text`, in one line.
    case key
}
