package import NetworkLayer

/// The steps of preparation in words.
package enum PreparationText {
    package static func name(_ step: PreparationStep) -> String {
        switch step {
        case .validation: "request checked"
        case .hydration: "filled in"
        case .revalidation: "checked again"
        case .configuration: "configuration"
        case .headers: "header fields"
        case .acceptEncoding: "accepted codings"
        case .contentEncoding: "body coded"
        case .hostSanitizer: "host"
        case .authorization: "authorization"
        case .readyToEnqueue: "ready"
        }
    }
}
