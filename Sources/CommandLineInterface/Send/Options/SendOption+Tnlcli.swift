extension SendOption {
    /// The options of Twitter Network Layer's `tnlcli`, by their names and meanings.
    ///
    /// What was broken there works: the headers go to the file that was named for them, an unknown method is sent or refused and never
    /// becomes GET, a failure is an exit status, names of enumerations are taken as well as their numbers, and files are numbered.
    static let tnlcliOptions: [SendOption] = [
        SendOption(nil, "request-method", "METHOD", .text(\.method), "As --request."),
        SendOption(nil, "request-header", "FIELD", .list(\.headers), "As --header."),
        SendOption(nil, "request-headers-file", "FILE", .text(\.headersFile), "Header fields, as a JSON object of strings."),
        SendOption(nil, "request-body-file", "FILE", .text(\.bodyFile), "A file to send as the body, read while it is sent."),
        SendOption(
            nil, "request-config", "NAME:VALUE", .list(\.configurations),
            "A setting of the request: \(TnlcliSetting.requestNames.joined(separator: ", ")). Repeatable.",
            completion: .oneOf(TnlcliSetting.requestNames.map { "\($0):" })),
        SendOption(
            nil, "request-config-file", "FILE", .text(\.configurationFile), "Such settings, as a JSON object of strings."),
        SendOption(
            nil, "global-config", "NAME:VALUE", .list(\.globalConfigurations),
            "A setting for all requests: \(TnlcliSetting.globalNames.joined(separator: ", ")). Repeatable.",
            completion: .oneOf(TnlcliSetting.globalNames.map { "\($0):" })),
        SendOption(
            nil, "response-body-mode", "MODES", .action { $0.bodyModes = try modes($1, of: "--response-body-mode") },
            "Where the body goes: file, print, or file,print.", completion: .oneOf(["file", "print", "file,print"])),
        SendOption(nil, "response-body-file", "FILE", .text(\.bodyTarget), "The file of --response-body-mode file."),
        SendOption(
            nil, "response-headers-mode", "MODES", .action { $0.headersModes = try modes($1, of: "--response-headers-mode") },
            "Where the header fields go as JSON, with _tnlcli_StatusCode and _tnlcli_URL: file, print, or file,print.",
            completion: .oneOf(["file", "print", "file,print"])),
        SendOption(nil, "response-headers-file", "FILE", .text(\.headersTarget), "The file of --response-headers-mode file."),
    ]

    /// - Returns: the modes, each once.
    private static func modes(_ text: String, of option: String) throws -> [SendArguments.OutputMode] {
        try text.split(separator: ",").reduce(into: []) { modes, word in
            guard let mode = SendArguments.OutputMode(rawValue: String(word)) else {
                throw CommandFailure(
                    status: .usage, message: "\(option) \(text): there is no \(word). It takes file, print, or file,print.")
            }
            if !modes.contains(mode) { modes.append(mode) }
        }
    }
}
