/// What may stand behind a key.
indirect enum FormatShape: Sendable {
    /// Any scalar but `null`, with templates.
    case text
    /// Text that isn't a number, `true` or `false`, with templates.
    case name
    /// The same for people only: braces mean nothing in it.
    case prose
    /// The name of an environment variable.
    case environmentVariable
    case integer
    case boolean
    /// `200ms 3s 1m 1h`, more than nothing, or `never`.
    case timeout
    case duration
    /// A duration, or `100ms..2s`.
    case durationRange
    /// A port, or the first and the last one: `8000-8010`.
    case ports
    /// A number in a range, that may have a point.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case count(ClosedRange<Int>)
    /// What a request is tried again after: `503`, `5xx`, `timeout`.
    case retryTrigger
    /// What a value of the response must be.
    case matcher(MatcherKind)
    /// A matcher for the body's text, or a map of filters with a matcher each.
    case bodyMatcher
    /// Bytes, with `B KB MB GB KiB MiB GiB` or without.
    case byteCount
    case oneOf([String])
    /// A map of named values; `null` removes, a list repeats, `{ value:, enabled: }` can be off.
    case rows
    /// A map of the parts of a multipart body.
    case parts
    case list(FormatShape)
    /// A text or list that has something in it.
    case notEmpty(FormatShape)
    /// What a capture takes: see ``CaptureSource``.
    case captureSource
    /// What is done to a value: one step, or a list of them.
    case steps
    /// Named values whose names templates can use.
    case variables(FormatShape)
    /// What variables must be: a map of them, with `any` for a list of such maps.
    case conditions
    /// A variable and what it goes through, the long form of that, or a list of either.
    case loop(FormatTable)
    case named(FormatShape)
    case keys(FormatTable)
    case either([FormatShape])
    /// Folders and requests by name.
    case nodes
    case anything
}
