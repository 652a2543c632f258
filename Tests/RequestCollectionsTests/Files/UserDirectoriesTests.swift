import RequestCollections
import Testing

struct UserDirectoriesTests {
    @Test("a variable wins over the home directory")
    func variable() {
        let directories = UserDirectories(["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k"])
        #expect(directories.configuration == "/c/turnstone")
        #expect(directories.state == "/s/turnstone")
        #expect(directories.cache == "/k/turnstone")
        #expect(directories.history == "/s/turnstone/history.sqlite")
        #expect(directories.themes == "/c/turnstone/themes")
    }

    @Test("an empty or relative variable is as one that isn't set", arguments: ["", "relative", "./here"])
    func invalid(_ value: String) {
        let directories = UserDirectories(
            ["HOME": "/h", "XDG_CONFIG_HOME": value, "XDG_STATE_HOME": value, "XDG_CACHE_HOME": value])
        #expect(directories.configuration == "/h/.config/turnstone")
        #expect(directories.state == "/h/.local/state/turnstone")
        #expect(directories.cache == "/h/.cache/turnstone")
    }

    @Test("without a home there is no place", arguments: [[:], ["HOME": ""], ["HOME": "relative"]])
    func nowhere(_ environment: [String: String]) {
        let directories = UserDirectories(environment)
        #expect(directories.configuration == nil)
        #expect(directories.tokens == nil)
        #expect(directories.answers == nil)
    }
}
