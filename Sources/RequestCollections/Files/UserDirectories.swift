/// Where the files of one user lie, by the XDG Base Directory Specification: its variables, below the home directory without them.
///
/// As the specification wants it, a variable counts only with an absolute path; an empty one is as one that isn't set.
package struct UserDirectories: Hashable, Sendable {
    /// Themes and key maps: `$XDG_CONFIG_HOME/turnstone`, by default `~/.config/turnstone`; `nil` without a home, as all of them.
    package let configuration: String?
    /// Cookies, tokens, answers, grants, drafts and the history: `$XDG_STATE_HOME/turnstone`, by default `~/.local/state/turnstone`.
    package let state: String?
    /// What can be had again: `$XDG_CACHE_HOME/turnstone`, by default `~/.cache/turnstone`.
    package let cache: String?

    package init(_ environment: [String: String]) {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        func directory(_ name: String, _ fallback: String) -> String? {
            (absolute(name) ?? absolute("HOME").map { "\($0)/\(fallback)" }).map { "\($0)/turnstone" }
        }
        configuration = directory("XDG_CONFIG_HOME", ".config")
        state = directory("XDG_STATE_HOME", ".local/state")
        cache = directory("XDG_CACHE_HOME", ".cache")
    }

    package var cookies: String? { state.map { "\($0)/cookies" } }
    package var history: String? { state.map { "\($0)/history.sqlite" } }
    package var tokens: String? { state.map { "\($0)/tokens.json" } }
    /// Those of requests that others need, for as long as `max-age` says.
    package var neededAnswers: String? { state.map { "\($0)/answers.json" } }
    package var grants: String? { state.map { "\($0)/trust" } }
    package var keys: String? { configuration.map { "\($0)/keys.yaml" } }
    package var themes: String? { configuration.map { "\($0)/themes" } }
    /// Stored answers of `send --cache`.
    package var answers: String? { cache.map { "\($0)/answers" } }
}
