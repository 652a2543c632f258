import CurlTransport
import Foundation

var share = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
while share.path() != "/", !FileManager.default.fileExists(atPath: share.appending(path: "Collections/demo").path()) {
    share = share.deletingLastPathComponent()
}
let words = CommandLine.arguments.dropFirst()
let program = ExplorerProgram(
    transport: CurlTransport(), environment: ProcessInfo.processInfo.environment, shareDirectory: share.path())
exit(await program.run(paths: words.first == "demo" ? [] : Array(words), isDemo: words.first == "demo"))
