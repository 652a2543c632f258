import NetworkLayer

/// What stands between `{{` and `}}`.
package struct TemplateNode: Hashable, Sendable {
    package var expression: TemplateExpression
    /// Where it begins, in Unicode scalars from the template's first.
    package var offset: Int
}

package indirect enum TemplateExpression: Hashable, Sendable {
    case string(String)
    /// As it is written.
    case number(String)
    case boolean(Bool)
    case null
    /// `1h`, not in quotes.
    case duration(Duration)
    /// `1..6`, both ends included.
    case range(ClosedRange<Int>)
    /// `["a", b]`
    case list([TemplateNode])
    case variable(String)
    case call(TemplateCall)
}

/// A function with its arguments, each checked against the function's parameters.
package struct TemplateCall: Hashable, Sendable {
    package var function: TemplateFunction
    /// By parameter.
    package var arguments: [String: TemplateNode] = [:]
    /// Those of a parameter that takes any number.
    package var rest: [TemplateNode] = []

    package subscript(_ parameter: String) -> TemplateNode? { arguments[parameter] }
}

/// An argument as it is written: `x` or `label: x`.
struct TemplateArgument: Hashable, Sendable {
    var label: String?
    var node: TemplateNode
}

extension TemplateCall {
    /// Gives each argument to its parameter: first those without a label in order, then the others by name.
    init(_ function: TemplateFunction, _ arguments: [TemplateArgument], at offset: Int) throws(TemplateError) {
        self.init(function: function)
        let parameters = function.parameters
        for argument in arguments {
            let parameter: TemplateFunction.Parameter
            if let label = argument.label {
                let name = label.replacing(scalars: "-", with: "_")
                guard let found = parameters.first(where: { $0.name == name }), !found.isRest else {
                    let near = suggestion(for: name, in: parameters.map(\.name))
                    throw TemplateError(
                        "`\(function.rawValue)()` takes no `\(label)`\(near.isEmpty ? "; it is written \(function.usage)" : near)",
                        at: argument.node.offset)
                }
                parameter = found
            } else {
                guard let free = parameters.first(where: { $0.isRest || (!$0.isLabelled && self.arguments[$0.name] == nil) }) else {
                    throw TemplateError(
                        "`\(function.rawValue)()` is given too much; it is written \(function.usage)", at: argument.node.offset)
                }
                parameter = free
            }
            if parameter.isRest {
                rest.append(argument.node)
            } else if self.arguments.updateValue(argument.node, forKey: parameter.name) != nil {
                throw TemplateError(
                    "`\(function.rawValue)()` is given `\(parameter.name)` twice", at: argument.node.offset)
            }
        }
        let lacks = parameters.first { $0.isRequired && ($0.isRest ? rest.isEmpty : self.arguments[$0.name] == nil) }
        if let lacks {
            throw TemplateError(
                "`\(function.rawValue)()` lacks its `\(lacks.name)`; it is written \(function.usage)", at: offset)
        }
    }
}

extension Template.Segment {
    /// Whether it only says where its text comes from, and has nothing of the text itself in it.
    var onlyRefers: Bool {
        switch self {
        case .text: false
        case .expression(let node): node.onlyRefers
        }
    }
}

extension TemplateNode {
    fileprivate var onlyRefers: Bool {
        switch expression {
        case .variable: true
        case .string, .number, .boolean, .null, .duration, .range: false
        case .list(let items): items.allSatisfy(\.onlyRefers)
        case .call(let call): call.onlyRefers
        }
    }
}

extension TemplateCall {
    fileprivate var onlyRefers: Bool {
        switch function {
        case .uuid, .now, .timestamp, .random, .env, .file, .command, .response: true
        case .base64, .sha256, .hmac, .item, .default:
            ["text", "key", "value", "fallback"].allSatisfy { self[$0]?.onlyRefers ?? true }
        case .prompt, .select: (self["default"]?.onlyRefers ?? true) && rest.allSatisfy(\.onlyRefers)
        }
    }
}

/// What a variable may be called.
enum TemplateName {
    static func isValid(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy(isPart)
    }

    static func isPart(_ byte: UInt8) -> Bool {
        isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// The same for a character: everything beyond ASCII may be in a name.
    static func isPart(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII ? isPart(UInt8(scalar.value)) : true }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte >= 0x80
    }
}

extension Redaction {
    /// Whether a variable is a credential by its name: of a member such as `user.password`, by that of the member.
    package func redacts(variable name: String) -> Bool { redacts(parameter: name.pieces(at: ".").last.map(String.init) ?? name) }
}

/// The name of an environment variable, as every shell takes it behind a `$` (POSIX, section 8.1). Any other one can't be set there, and
/// would say something else to a shell that finds it in a command.
package enum EnvironmentVariableName {
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    /// What a name must be, for a sentence.
    package static let rule = "letters, digits and `_`, and no digit first"

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }
}
