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
