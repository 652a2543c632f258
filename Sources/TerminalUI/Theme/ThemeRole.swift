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
