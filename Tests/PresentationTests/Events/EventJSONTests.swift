import NetworkLayer
import RequestCollections
import Testing

@testable import Presentation

@Suite struct EventJSONTests {
    @Test func `every kind of event is one line of JSON`() {
        var json = EventJSON()
        let head =
            #""response":{"status":302,"version":"HTTP/2","headers":[["Location","/next"],["Set-Cookie","sid=••••••; Path=/"]]}"#
        let connection =
            #""connection":{"id":3,"reused":false,"local":"127.0.0.1:50000","remote":"127.0.0.1:8443","http":"HTTP/2"}"#
        let expected = [
            #"{"event":"enqueued","operation":7,"sequence":0,"time_us":0,"queue":"main","date":"2026-11-20T22:14:07.500Z","timeouts":{"idle_us":30000000,"attempt_us":60000000,"operation_us":1500000}}"#,
            #"{"event":"transition","operation":7,"sequence":1,"time_us":10,"from":"idle","to":"waiting:concurrencyLimit"}"#,
            #"{"event":"attempt_started","operation":7,"attempt":1,"sequence":2,"time_us":1000,"kind":"initial","head":{"method":"POST","url":"https://me:••••••@localhost:8443/start?q=1","headers":[["Authorization","Bearer ••••••"],["Accept","*/*"]],"body_bytes":5}}"#,
            #"{"event":"resolve_started","operation":7,"attempt":1,"sequence":3,"time_us":1100,"host":"localhost"}"#,
            #"{"event":"resolve_ended","operation":7,"attempt":1,"sequence":4,"time_us":1500}"#,
            #"{"event":"connect_started","operation":7,"attempt":1,"sequence":5,"time_us":1500,"address":"[::1]:8443"}"#,
            #"{"event":"connect_failed","operation":7,"attempt":1,"sequence":6,"time_us":1501,"address":"[::1]:8443","errno":111}"#,
            #"{"event":"connect_ended","operation":7,"attempt":1,"sequence":7,"time_us":1502}"#,
            #"{"event":"tls_started","operation":7,"attempt":1,"sequence":8,"time_us":1503}"#,
            #"{"event":"tls_ended","operation":7,"attempt":1,"sequence":9,"time_us":1504,"tls":{"version":"TLSv1.3","cipher":"TLS_AES_128_GCM_SHA256","alpn":"h2","verified":true,"chain":[{"subject":"CN=localhost","issuer":"CN=Authority","not_before":"2026-11-20T22:14:07.500Z","not_after":"2026-11-20T22:14:07.500Z","names":["DNS:localhost"],"sha256":"ab"}]}}"#,
            #"{"event":"connection_acquired","operation":7,"attempt":1,"sequence":10,"time_us":1505,"# + connection + "}",
            #"{"event":"resent","operation":7,"attempt":1,"sequence":11,"time_us":1506}"#,
            #"{"event":"request_head_sent","operation":7,"attempt":1,"sequence":12,"time_us":1507,"head_bytes":22}"#,
            #"{"event":"upload_progress","operation":7,"attempt":1,"sequence":13,"time_us":1508,"body_bytes":5,"expected_bytes":5}"#,
            #"{"event":"request_sent","operation":7,"attempt":1,"sequence":14,"time_us":1509}"#,
            #"{"event":"informational","operation":7,"attempt":1,"sequence":15,"time_us":1510,"response":{"status":103,"version":"HTTP/2","headers":[]}}"#,
            #"{"event":"head","operation":7,"attempt":1,"sequence":16,"time_us":8000,"# + head + "}",
            #"{"event":"download_progress","operation":7,"attempt":1,"sequence":17,"time_us":8500,"body_bytes":12345}"#,
            #"{"event":"redirect","operation":7,"attempt":1,"sequence":18,"time_us":8900,"redirect":{"location":"http://other/next","decision":"followed","dropped_headers":["Authorization"],"new_method":"GET","downgrade":true}}"#,
            #"{"event":"attempt_ended","operation":7,"attempt":1,"sequence":19,"time_us":9000,"kind":"initial","disposition":"redirecting","status":302,"duration_us":8000,"phases":{"queue_us":100,"dns_us":400,"send_us":100,"wait_us":6400},"#
                + connection
                + #","resends":1,"request_head_bytes":1,"request_body_bytes":2,"response_head_bytes":3,"response_body_bytes":4,"decoded_body_bytes":5}"#,
            #"{"event":"completed","operation":7,"sequence":20,"time_us":1240003,"state":"failed","error":{"type":"timeout.idle","code":204,"phase":"body","message":"nothing came for 1 s \u001b","errno":110,"curl_code":28}}"#,
        ]
        #expect(NetworkEvent.everyKind.map { json.line($0) } == expected)
    }

    @Test func `secrets show when asked for`() {
        var json = EventJSON(reveals: true)
        let line = json.line(NetworkEvent.everyKind[2])
        #expect(line.contains(#""url":"https://me:pw@localhost:8443/start?q=1","headers":[["Authorization","Bearer abc"]"#))
    }

    @Test func `times count from the first event of each operation`() {
        var json = EventJSON()
        var other = NetworkEvent.everyKind[4]
        _ = json.line(NetworkEvent.everyKind[0])
        other.operation = OperationID(rawValue: 8)
        #expect(json.line(other).contains(#""operation":8,"attempt":1,"sequence":4,"time_us":0}"#))
    }

    @Test(arguments: [
        ("plain", "\"plain\""), ("\"\\\n\r\t", #""\"\\\n\r\t""#), ("\u{0}\u{1B}\u{7F}\u{9B}", #""\u0000\u001b\u007f\u009b""#),
        ("\u{202E}\u{2028}", #""\u202e\u2028""#), ("é漢😀", "\"é漢😀\""),
    ])
    func `strings are escaped so that no terminal obeys them`(text: String, json: String) {
        #expect(JSONValue.string(text).line == json)
    }

    @Test func `values are written without spaces`() {
        let value: JSONValue = .object(["a": .array([1, .null, true]), "b": nil, "c": .object([])])
        #expect(value.line == #"{"a":[1,null,true],"c":{}}"#)
    }
}
