package import TerminalUI

package enum MethodText {
    package static func span(_ method: String) -> StyledLine.Span {
        StyledLine.Span(SafeText.line(method), role(method))
    }

    package static func role(_ method: String) -> ThemeRole {
        switch method {
        case "GET": .methodGet
        case "POST": .methodPost
        case "PUT": .methodPut
        case "PATCH": .methodPatch
        case "DELETE": .methodDelete
        default: .methodOther
        }
    }
}
