import FoundationEssentials
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Programs of others read the reports as they are meant, also with names that mean something in their formats.
@Suite(.enabled(if: Conformance.isAsked, "make conformance")) struct ReportConformanceTests {
    /// A passed, a failed, a broken and a skipped one, with names and values that each format has a use for.
    private static let hostile = """
        turnstone: 1
        name: "<b>&\\"'#\\\\ ünïcode ]]> \\u0007"
        requests:
          "a # SKIP \\\\ <script>alert(1) & \\"q\\"": { get: "http://shop/orders" }
          "b ]]> --> %41 …": { get: "http://shop/wrong", expect: { status: 201, header: { x-a: "x <i>\\n...\\n  ---\\nnot ok 9" }, body: { .a: "&lt;" } } }
          c: { get: "http://shop/{{nowhere}}" }
          d: { get: "http://shop/after" }

        """

    /// The report alone, of a run that skips what comes after a failure unless `all` is run.
    private func report(_ format: String, _ words: String..., text: String = hostile) async throws -> String {
        let (directory, path) = try ShopFile.make(text)
        let file = directory.file("report")
        _ = await CommandLineRun.run(
            ["run", path, "--trust", "--report", "\(format)=\(file)"] + words, transport: RunBench.answers, time: ManualTimeSource()
        )
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test(arguments: [[], ["--fail-fast"]])
    func `the JUnit report is what its schema asks for`(words: [String]) async throws {
        let xmllint: String
        do {
            xmllint = try ChildProcess.find("xmllint", package: "libxml2-utils")
        } catch {
            try Test.cancel("\(error)")
        }
        let directory = try TemporaryDirectory()
        let schema = try directory.write("junit.xsd", JUnitSchema.text)
        let report = try await words.isEmpty ? report("junit") : report("junit", "--fail-fast")
        let file = try directory.write("report.xml", report)
        // It throws with what xmllint says.
        try ChildProcess.run(xmllint, ["--noout", "--nonet", "--schema", schema, file])
    }

    @Test func `a wrong JUnit report is seen by the schema`() async throws {
        guard let xmllint = try? ChildProcess.find("xmllint", package: "libxml2-utils") else {
            try Test.cancel("xmllint isn't installed: apt-get install libxml2-utils")
        }
        let directory = try TemporaryDirectory()
        let schema = try directory.write("junit.xsd", JUnitSchema.text)
        let report = try await report("junit")
        for (right, wrong) in [("tests=\"4\"", "tests=\"-1\""), ("<failure", "<failed"), ("type=\"expectation\"", "")] {
            let file = try directory.write("report.xml", report.replacing(right, with: wrong))
            #expect(throws: ServerError.self) {
                try ChildProcess.run(xmllint, ["--noout", "--nonet", "--schema", schema, file])
            }
        }
    }

    @Test func `tap.py, a parser from PyPI, reads the TAP report as it is meant`() async throws {
        let pythons = [try? ChildProcess.find("python3", package: "python3"), "/usr/bin/python3"].compactMap(\.self)
        guard
            let python = pythons.first(where: {
                (try? ChildProcess.run($0, ["-c", "import tap.parser, yaml, more_itertools"])) != nil
            })
        else {
            try Test.cancel("tap.py isn't there: apt-get install python3-tap python3-more-itertools python3-yaml")
        }
        let directory = try TemporaryDirectory()
        let file = try directory.write("report.tap", try await report("tap", "--fail-fast"))
        let script = """
            import sys
            from tap.parser import Parser
            for line in Parser().parse_file(sys.argv[1]):
                kind = line.category
                if kind == "test": print(kind, line.ok, line.number, line.skip, sorted(line.yaml_block or []))
                elif kind == "plan": print(kind, line.expected_tests)
                elif kind == "unknown": sys.exit("unknown: " + repr(str(line)))
                elif kind == "version": print(kind, line.version)
            """
        let read = try ChildProcess.run(python, ["-c", script, file])
        #expect(
            read == "version 14\nplan 4\ntest True 1 False []\ntest False 2 False ['duration_us', 'reasons', 'status']\n"
                + "test True 3 True []\ntest True 4 True []\n")
    }
}

/// The JUnit format, as the consumers of it read it: what Ant's task writes, Jenkins' plugin takes, and GitLab and GitHub's actions
/// agree on. Of the attributes only those that one of them knows, each with the type that they read it as.
enum JUnitSchema {
    static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
          <xs:simpleType name="count"><xs:restriction base="xs:nonNegativeInteger"/></xs:simpleType>
          <xs:simpleType name="seconds">
            <xs:restriction base="xs:decimal"><xs:minInclusive value="0"/><xs:fractionDigits value="3"/></xs:restriction>
          </xs:simpleType>
          <xs:simpleType name="name">
            <xs:restriction base="xs:string"><xs:minLength value="1"/></xs:restriction>
          </xs:simpleType>
          <!-- Jenkins takes no time zone here. -->
          <xs:simpleType name="timestamp">
            <xs:restriction base="xs:dateTime"><xs:pattern value="\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}"/></xs:restriction>
          </xs:simpleType>
          <xs:complexType name="problem">
            <xs:simpleContent>
              <xs:extension base="xs:string">
                <xs:attribute name="type" type="name" use="required"/>
                <xs:attribute name="message" type="name" use="required"/>
              </xs:extension>
            </xs:simpleContent>
          </xs:complexType>
          <xs:complexType name="case">
            <xs:sequence>
            <xs:choice minOccurs="0">
              <xs:element name="skipped">
                <xs:complexType><xs:attribute name="message" type="xs:string"/></xs:complexType>
              </xs:element>
              <xs:element name="failure" type="problem"/>
              <xs:element name="error" type="problem"/>
            </xs:choice>
            <xs:element name="system-out" type="xs:string" minOccurs="0"/>
            </xs:sequence>
            <xs:attribute name="name" type="name" use="required"/>
            <xs:attribute name="classname" type="name" use="required"/>
            <xs:attribute name="time" type="seconds" use="required"/>
            <xs:attribute name="file" type="name"/>
            <xs:attribute name="line" type="xs:positiveInteger"/>
          </xs:complexType>
          <xs:complexType name="suite">
            <xs:sequence>
              <xs:element name="properties" minOccurs="0">
                <xs:complexType>
                  <xs:sequence>
                    <xs:element name="property" maxOccurs="unbounded">
                      <xs:complexType>
                        <xs:attribute name="name" type="name" use="required"/>
                        <xs:attribute name="value" type="xs:string" use="required"/>
                      </xs:complexType>
                    </xs:element>
                  </xs:sequence>
                </xs:complexType>
              </xs:element>
              <xs:element name="testcase" type="case" minOccurs="0" maxOccurs="unbounded"/>
              <xs:element name="system-out" type="xs:string" minOccurs="0"/>
              <xs:element name="system-err" type="xs:string" minOccurs="0"/>
            </xs:sequence>
            <xs:attribute name="id" type="count" use="required"/>
            <xs:attribute name="name" type="name" use="required"/>
            <xs:attribute name="tests" type="count" use="required"/>
            <xs:attribute name="failures" type="count" use="required"/>
            <xs:attribute name="errors" type="count" use="required"/>
            <xs:attribute name="skipped" type="count"/>
            <xs:attribute name="time" type="seconds" use="required"/>
            <xs:attribute name="timestamp" type="timestamp" use="required"/>
          </xs:complexType>
          <xs:element name="testsuites">
            <xs:complexType>
              <xs:sequence><xs:element name="testsuite" type="suite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
              <xs:attribute name="name" type="name"/>
              <xs:attribute name="tests" type="count"/>
              <xs:attribute name="failures" type="count"/>
              <xs:attribute name="errors" type="count"/>
              <xs:attribute name="skipped" type="count"/>
              <xs:attribute name="time" type="seconds"/>
            </xs:complexType>
            <xs:unique name="ids"><xs:selector xpath="testsuite"/><xs:field xpath="@id"/></xs:unique>
          </xs:element>
        </xs:schema>

        """
}
