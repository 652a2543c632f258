import Testing

@testable import Interchange

@Suite struct LocustRuntimeTests {
    @Test func `each part has a name of its own`() {
        let names = LocustRuntime.parts.map(\.name)
        #expect(names.prefix(4) == ["options", "Values", "send", "need"])
        #expect(names.contains("EACH") && names.contains("command"))
        #expect(Set(names).count == names.count)
        #expect(!names.contains(""))
    }

    @Test func `a part comes with what it calls and imports, and with nothing else`() {
        let least = LocustRuntime(usedBy: "")
        let runtime = LocustRuntime(usedBy: "digest(sha256(v))")
        let added = LocustRuntime.parts.filter { runtime.text.contains($0.code) && !least.text.contains($0.code) }.map(\.name)
        #expect(added == ["sha256", "digest_text"])
        let imports = runtime.imports.split(separator: "\n").filter { !least.imports.split(separator: "\n").contains($0) }
        #expect(imports == ["import base64", "import hashlib"])
    }

    @Test func `the names that nothing uses are left out of an import`() {
        let runtime = LocustRuntime(usedBy: "@task\ndef get(self): self.tag")
        #expect(
            runtime.imports.split(separator: "\n").filter { $0.hasPrefix("from locust ") } == ["from locust import events, task"])
    }
}
