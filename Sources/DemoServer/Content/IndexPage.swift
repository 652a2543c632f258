/// What `GET /` says: the table of routes, as the client likes it.
enum IndexPage {
    static func reply(to request: DemoRequest) -> Reply {
        let accepted = request.head.values(of: "accept").joined(separator: ",").lowercased()
        if accepted.contains("text/html") { return .text(html(request), type: "text/html; charset=utf-8") }
        if accepted.contains("application/json") { return .json(json(request)) }
        return .text(text(request))
    }

    private static func text(_ request: DemoRequest) -> String {
        var text = "The Turnstone demo server.\n\(request.origin) and \(request.otherOrigin) answer the same.\n"
        for section in RouteTable.all {
            text += "\n\(section.title.uppercased())\n"
            for route in section.routes {
                text += "  \(methods(of: route)) \(route.path)\n      \(route.description)\n"
                if route.example != route.path { text += "      Try \(route.example)\n" }
            }
        }
        return text
    }

    private static func json(_ request: DemoRequest) -> JSON {
        let sections = RouteTable.all.map { section -> JSON in
            [
                "title": .string(section.title),
                "routes": .array(
                    section.routes.map { route in
                        [
                            "methods": route.methods.isEmpty ? "any" : .array(route.methods.map(JSON.string)),
                            "path": .string(route.path),
                            "title": .string(route.title),
                            "description": .string(route.description),
                            "example": .string(request.origin + route.example),
                        ]
                    }),
            ]
        }
        return ["origins": .array([.string(request.origin), .string(request.otherOrigin)]), "sections": .array(sections)]
    }

    private static func html(_ request: DemoRequest) -> String {
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Turnstone demo server</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
            h2 { margin: 2rem 0 .5rem }
            dt { margin-top: .8rem }
            code { font-family: ui-monospace, monospace }
            dd { margin-left: 1.5rem }
            </style>
            </head>
            <body>
            <h1>Turnstone demo server</h1>
            <p>Two origins answer the same: <a href="\(escaped(request.origin))/">\(escaped(request.origin))</a> and
            <a href="\(escaped(request.otherOrigin))/">\(escaped(request.otherOrigin))</a>.</p>

            """
        for section in RouteTable.all {
            page += "<h2>\(escaped(section.title))</h2>\n<dl>\n"
            for route in section.routes {
                page +=
                    "<dt>\(methods(of: route)) <a href=\"\(escaped(route.example))\"><code>\(escaped(route.path))</code></a></dt>\n"
                page += "<dd><b>\(escaped(route.title)).</b> \(escaped(route.description))</dd>\n"
            }
            page += "</dl>\n"
        }
        return page + "</body>\n</html>\n"
    }

    private static func methods(of route: Route) -> String {
        route.methods.isEmpty ? "ANY" : route.methods.joined(separator: "|")
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
