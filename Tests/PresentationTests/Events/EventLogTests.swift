import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

@Suite struct EventLogTests {
    @Test func `every kind of event is a line`() {
        #expect(
            EventLog.lines(NetworkEvent.everyKind).map(\.text) == [
                "    +0.000 ms    0  enqueued            queue main",
                "    +0.010 ms    1  state               idle → waiting: limit",
                "    +1.000 ms    2  attempt started     initial POST https://me:••••••@localhost:8443/start?q=1",
                "    +1.100 ms    3  resolve started     localhost",
                "    +1.500 ms    4  resolve ended      ",
                "    +1.500 ms    5  connect started     [::1]:8443",
                "    +1.501 ms    6  connect failed      [::1]:8443, errno 111",
                "    +1.502 ms    7  connect ended      ",
                "    +1.503 ms    8  TLS started        ",
                "    +1.504 ms    9  TLS ended           TLSv1.3, TLS_AES_128_GCM_SHA256, h2",
                "    +1.505 ms   10  connection acquired 3, new, 127.0.0.1:8443, HTTP/2",
                "    +1.506 ms   11  sent again         ",
                "    +1.507 ms   12  request head sent   22 B",
                "    +1.508 ms   13  upload              5 B of 5 B, 100%",
                "    +1.509 ms   14  request sent       ",
                "    +1.510 ms   15  informational       103 Early Hints, HTTP/2",
                "    +8.000 ms   16  head                302 Found, HTTP/2",
                "    +8.500 ms   17  download            12.3 kB",
                "    +8.900 ms   18  redirect            followed → http://other/next",
                "    +9.000 ms   19  attempt ended       302 after 8 ms",
                "+1,240.003 ms   20  completed           failed: nothing came for 1 s ␛",
            ])
    }
}
