import ExplorerModel
import ExplorerTesting
import NetworkLayer
import RequestCollections
import Testing

@Suite struct `Retry in the policy tab` {
    private func set(_ values: [(RequestField.Policy, String)]) throws -> RetrySettings {
        var settings = RequestSettings()
        for (field, text) in values { try field.set(text, in: &settings) }
        return settings.retry
    }

    @Test func `what is typed is what the file would say, and turns it on`() throws {
        let values: [(RequestField.Policy, String)] = [
            (.attempts, "4"), (.retryConditions, "503, timeout"), (.firstWait, "200ms"), (.factor, "1.5"), (.longestWait, "5s"),
            (.jitter, "equal"), (.retryAfter, "ignore"),
        ]
        var settings = RequestSettings()
        settings.retry = try set(values)
        #expect(settings.retry.isOn == true)
        for (field, text) in values { #expect(field.text(in: settings) == text) }
        try RequestField.Policy.retries.set("off", in: &settings)
        #expect(settings.retry.isOn == false)
        #expect(settings.retry.attempts == nil)
        try RequestField.Policy.retries.set("", in: &settings)
        #expect(settings.retry.isEmpty)
    }

    @Test(arguments: [
        (RequestField.Policy.attempts, "0"), (.attempts, "many"), (.retryConditions, "503, sometimes"), (.firstWait, "never"),
        (.factor, "0.5"), (.longestWait, "5 parrots"),
    ])
    func `what it can't be is refused with what it can`(field: RequestField.Policy, text: String) {
        var settings = RequestSettings()
        #expect(throws: InvalidFieldText.self) { try field.set(text, in: &settings) }
    }

    @Test func `is a group of its own`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press("2 ] ] ] ]")
        #expect(explorer.state.requestRows.contains(.heading("retry")))
        #expect(explorer.state.requestRows.contains(.field(.policy(.retryConditions))))
    }
}
