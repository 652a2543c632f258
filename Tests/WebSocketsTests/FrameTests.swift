import Testing

@testable import WebSockets

@Suite struct FrameTests {}
