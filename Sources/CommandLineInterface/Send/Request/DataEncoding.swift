import Base
import NetworkLayer

/// What curl's options for data make of what they are given.
enum DataEncoding {
    /// The bytes of one piece of the body.
    static func bytes(of argument: DataArgument, reading files: InputFiles) throws -> Data {
        switch argument.kind {
        case .raw: return Data(argument.text.utf8)
        case .urlEncoded: return Data(try text(of: argument, reading: files).utf8)
        case .data, .binary, .json:
            guard argument.text.begins(with: "@") else { return Data(argument.text.utf8) }
            let content = try files.contents(String(argument.text.unicodeScalars.dropFirst()))
            // `-d` leaves out the line ends of a file, and NULs; the others send it as it is.
            return argument.kind == .data ? Data(content.filter { $0 != 10 && $0 != 13 && $0 != 0 }) : content
        }
    }

    /// A piece of `--url-query`: as of `--data-urlencode`, and behind a `+` as it stands.
    static func query(of argument: DataArgument, reading files: InputFiles) throws -> String {
        argument.text.hasPrefix("+") ? String(argument.text.dropFirst()) : try text(of: argument, reading: files)
    }

    /// A piece of `--data-urlencode`:
    ///
    /// | given         | gives                       |
    /// |---------------|-----------------------------|
    /// | `a b`         | `a+b`                       |
    /// | `=a=b`        | `a%3Db`                     |
    /// | `name=a b`    | `name=a+b`                  |
    /// | `@file`       | what is in the file         |
    /// | `name@file`   | `name=` what is in the file |
    static func text(of argument: DataArgument, reading files: InputFiles) throws -> String {
        let text = argument.text.unicodeScalars
        guard let mark = text.firstIndex(of: "=") ?? text.firstIndex(of: "@") else { return formEncoded(argument.text.utf8) }
        let name = text[..<mark]
        let rest = String(text[text.index(after: mark)...])
        let content = text[mark] == "=" ? Data(rest.utf8) : try files.contents(rest)
        return (name.isEmpty ? "" : "\(Substring(name))=") + formEncoded(content)
    }

    static func formEncoded(_ bytes: some Sequence<UInt8>) -> String {
        URLCoding.percentEncoded(bytes).replacing(scalars: "%20", with: "+")
    }
}
