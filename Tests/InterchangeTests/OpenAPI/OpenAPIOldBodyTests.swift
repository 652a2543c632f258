import Testing

@testable import Interchange

@Suite struct OpenAPIOldBodyTests {
    /// Converters leave them so; nothing of a body may be lost in silence.
    @Test func `a body among the parameters, as version 2 has it, is one in version 3, too`() throws {
        let imported = try ImportedText(
            """
            openapi: 3.0.0
            info: { title: Shop }
            servers: [{ url: http://h }]
            paths:
              /orders:
                post:
                  parameters:
                    - in: body
                      name: body
                      schema: { type: object, properties: { sku: { type: string, example: A7 } } }
                put:
                  parameters:
                    - { in: formData, name: sku, required: true, type: string, schema: { type: string, example: A8 } }
            """, path: "openapi.yaml")
        #expect(imported.yaml.contains("body: { json: { sku: A7 } }"), "\(imported.yaml)")
        #expect(imported.yaml.contains("form: { sku: A8 }"), "\(imported.yaml)")
        #expect(imported.notes == [], "\(imported.notes)")
    }
}
