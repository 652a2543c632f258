import Testing

/// The entry point of the tests' program. Without this file SwiftPM looks for tests of XCTest, of which there are none, in the compiler's
/// index, and so no build of the tests could do without the index.
@main struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
