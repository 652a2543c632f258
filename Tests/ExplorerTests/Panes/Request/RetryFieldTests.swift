import NetworkLayer
import RequestCollections
import Testing

@testable import Explorer

@Suite struct `Retry in the policy tab` {
    private func set(_ values: [(String, String)]) throws -> RetrySettings {
        var settings = RequestSettings()
        for (key, text) in values { try SettingField[key]?.set(text, in: &settings) }
        return settings.retry
    }

    @Test func `what is typed is what the file would say, and turns it on`() throws {
        let values: [(String, String)] = [
            ("retry.attempts", "4"), ("retry.on", "503, timeout"), ("retry.backoff.first", "200ms"),
            ("retry.backoff.factor", "1.5"), ("retry.backoff.max", "5s"),
            ("retry.backoff.jitter", "equal"), ("retry.retry-after", "ignore"),
        ]
        var settings = RequestSettings()
        settings.retry = try set(values)
        #expect(settings.retry.isOn == true)
        for (key, text) in values { #expect(SettingField[key]?.typed(in: settings) == text) }
        try SettingField["retry"]?.set("off", in: &settings)
        #expect(settings.retry.isOn == false)
        #expect(settings.retry.attempts == nil)
        try SettingField["retry"]?.set("", in: &settings)
        #expect(settings.retry == RetrySettings())
    }

    @Test(arguments: [
        ("retry.attempts", "0"), ("retry.attempts", "many"), ("retry.on", "503, sometimes"), ("retry.backoff.first", "never"),
        ("retry.backoff.factor", "0.5"), ("retry.backoff.max", "5 parrots"),
    ])
    func `what it can't be is refused with what it can`(key: String, text: String) {
        var settings = RequestSettings()
        #expect(throws: InvalidFieldText.self) { try SettingField[key]?.set(text, in: &settings) }
    }

    @Test func `is a group of its own`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab, .nextTab)
        #expect(explorer.state.requestRows.contains(.heading("retry")))
        #expect(explorer.state.requestRows.contains(.field(.policy(SettingField["retry.on"]!))))
    }
}
