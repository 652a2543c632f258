import Foundation
import Glibc

/// Drives one target with libFuzzer, whose `main` this takes the place of: `FUZZ_TARGET=json fuzz CORPUS -max_total_time=60`.
/// See `.ci/fuzz`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
        exit(name == "list" ? 0 : 2)
    }
    return target
}()

private func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        FileHandle.standardError.write(Data("\(target.rawValue): \(error)\n".utf8))
        abort()
    }
    return 0
}

private var count = CommandLine.argc
private var arguments = CommandLine.unsafeArgv
exit(runDriver(&count, &arguments, run))
