import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// The pictures in `docs/pictures` are what the explorer draws. `make pictures` draws them anew.
@Suite struct `The pictures of the documentation` {
    @Test(arguments: Scene.all, ["dark", "light"])
    func `show what the explorer draws now`(scene: Scene, themeName: String) throws {
        let library = ThemeLibrary.load(searchPaths: [root + "Themes"])
        let theme = try #require(library.theme(named: themeName))
        let path = root + "docs/pictures/\(scene.name)-\(themeName).svg"
        let picture = scene.picture(in: theme).svg
        if ProcessInfo.processInfo.environment["DRAW_PICTURES"] != nil { try Data(picture.utf8).write(to: URL(filePath: path)) }
        let drawn = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let isCurrent = drawn == picture
        #expect(isCurrent, "docs/pictures/\(scene.name)-\(themeName).svg is old: look at what `make pictures` draws")
    }

    @Test func `are each in a page of the documentation`() throws {
        let pages = try ["README.md"] + FileManager.default.contentsOfDirectory(atPath: root + "docs").map { "docs/" + $0 }
        let text = pages.compactMap { FileManager.default.contents(atPath: root + $0) }
            .map { String(decoding: $0, as: UTF8.self) }.joined()
        for name in try FileManager.default.contentsOfDirectory(atPath: root + "docs/pictures") {
            let isShown = text.contains("pictures/" + name)
            #expect(isShown, "no page shows docs/pictures/\(name)")
        }
    }

    private let root = #filePath.split(separator: "/").dropLast(4).reduce("/") { $0 + $1 + "/" }
}

/// What a picture of the documentation shows: the explorer in one moment or in several, made from a log of events and from keys,
/// so that it is always what the program draws now.
struct Scene: Sendable {
    /// The name of the file, without the theme.
    var name: String
    var title: String
    var moments: @Sendable () -> [(state: ExplorerState, seconds: Double)]

    func picture(in theme: Theme) -> ScreenPicture {
        ScreenPicture(
            title,
            moments().map { .init(frame: ExplorerView.frame(for: $0.state, theme: theme), seconds: $0.seconds) },
            theme: theme)
    }

    static let all = [redirects, response, failedCheck, retry, certificate, why]

    /// Hop by hop, as it happens.
    private static let redirects = Scene(
        name: "redirects", title: "A request is redirected three times; each hop is an attempt with phases of its own"
    ) {
        let script = EventScript.redirects()
        let times: [(Double, Double)] = [(0.1, 1.2), (12, 0.8), (41.1, 0.8), (61.1, 0.8), (95, 0.8), (121.05, 0.8)]
        var moments = times.map { time, seconds in
            (state: explorer(at: time, of: script).state, seconds: seconds)
        }
        var last = explorer(at: 162, of: script)
        moments.append((last.state, 1.6))
        last.press(.focusResponse)
        while last.state.panes.response.tab != .timing { last.press(.nextTab) }
        moments.append((last.state, 4))
        return moments
    }

    private static let response = Scene(name: "response", title: "A JSON body, its verdict, and where the time went") {
        var explorer = Self.start()
        explorer.run(.success(), body: order)
        explorer.press(.focusResponse)
        return [(explorer.state, 1)]
    }

    private static let failedCheck = Scene(
        name: "check", title: "A check that failed says what was expected, what was found, and where that stands"
    ) {
        var explorer = Self.start()
        explorer.run(.success(), body: order)
        explorer.send(
            .runReported(
                OperationID(rawValue: 1),
                RunReport(expectations: [
                    ExpectationResult(
                        subject: .status, expected: "201", found: "200", isMet: false, location: ShopCollection.place(31))
                ])))
        explorer.press(.focusResponse)
        while explorer.state.panes.response.tab != .checks { explorer.press(.nextTab) }
        return [(explorer.state, 1)]
    }

    private static let retry = Scene(name: "retry", title: "The server asked to wait: the countdown to the next attempt") {
        var explorer = Self.start()
        explorer.run(.waitingToRetry())
        explorer.tick(1_800)
        return [(explorer.state, 1)]
    }

    private static let certificate = Scene(name: "certificate", title: "A certificate that has expired, with its chain") {
        var explorer = Self.start()
        explorer.run(.tlsFailure())
        explorer.press(.focusResponse)
        while explorer.state.panes.response.tab != .timing { explorer.press(.nextTab) }
        return [(explorer.state, 1)]
    }

    private static let why = Scene(name: "why", title: "Why it failed, and the keys that mend it and send again") {
        var explorer = Self.start()
        explorer.run(.tlsFailure())
        explorer.press(.why)
        return [(explorer.state, 1)]
    }

    // MARK: Parts

    private static func start() -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: 120, rows: 36)
        explorer.pick("orders/create")
        return explorer
    }

    /// As it is when so many milliseconds of the log are over.
    private static func explorer(at milliseconds: Double, of script: EventScript) -> ExplorerDriver {
        var explorer = Self.start()
        explorer.enqueue(1, "orders/create")
        for event in script.events where event.time <= EventScript.time(milliseconds) { explorer.send(.network(event)) }
        explorer.tick(milliseconds)
        if explorer.state.operations[OperationID(rawValue: 1)]?.metrics.completed != nil {
            explorer.send(.responseReady(OperationID(rawValue: 1), Response(script, body: nil)))
        }
        return explorer
    }

    private static let order = Data(
        """
        {
          "id": 1042,
          "state": "paid",
          "total": { "amount": 59.8, "currency": "EUR" },
          "items": [
            { "sku": "A7", "name": "Field notebook", "quantity": 2, "price": 14.9 },
            { "sku": "C3", "name": "Pencil, soft", "quantity": 12, "price": 2.5 }
          ],
          "shipping": {
            "method": "courier",
            "expected": "2026-11-24",
            "address": { "name": "Ada Lovelace", "city": "London", "country": "GB" }
          },
          "links": {
            "self": "/orders/1042",
            "invoice": "/orders/1042/invoice.pdf"
          }
        }
        """.utf8)
}
