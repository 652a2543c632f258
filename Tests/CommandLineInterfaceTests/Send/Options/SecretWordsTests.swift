import Testing

@testable import CommandLineInterface

@Suite struct SecretWordsTests {
    private func hidden(_ words: [String]) -> String {
        var bytes = words.map { Array($0.utf8) }
        for place in SecretWords.places(in: words) {
            for offset in place.range { bytes[place.word][offset] = UInt8(ascii: "*") }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    @Test(arguments: [
        ("t send -u ada:hunter2 http://h/", "t send -u ada:******* http://h/"),
        ("t send -uada:hunter2 http://h/", "t send -uada:******* http://h/"),
        ("t send -sSu ada:hunter2 http://h/", "t send -sSu ada:******* http://h/"),
        ("t send -sSuada:hunter2 http://h/", "t send -sSuada:******* http://h/"),
        ("t send --user=ada:hunter2 http://h/", "t send --user=ada:******* http://h/"),
        ("t send --user ada:hunter2 http://h/", "t send --user ada:******* http://h/"),
        ("t send --user ada http://h/", "t send --user ada http://h/"),
        ("t send --oauth2-bearer abc http://h/", "t send --oauth2-bearer *** http://h/"),
        ("t send -U p:x --proxy-user=p:yy http://h/", "t send -U p:* --proxy-user=p:** http://h/"),
        ("t send -E me.pem:pw http://h/", "t send -E me.pem:** http://h/"),
        ("t send --variable pin=12 --expand-user ada:{{pin}} h", "t send --variable pin=** --expand-user ada:******* h"),
        ("t send --proxy-pass x --proxy-cert me.pem:y h", "t send --proxy-pass * --proxy-cert me.pem:* h"),
        ("t send -HAuthorization:x -H Accept:y http://h/", "t send -HAuthorization:* -H Accept:y http://h/"),
        ("t send -H X-Api-Key:k -H @file http://h/", "t send -H X-Api-Key:* -H @file http://h/"),
        ("t send -b sid=1 -X PUT http://h/", "t send -b sid=* -X PUT http://h/"),
        ("t send -x http://p:pw@q:1 http://u:pw@h/a:b@c", "t send -x http://p:**@q:1 http://u:**@h/a:b@c"),
        ("t send u:pw@h/x", "t send u:**@h/x"), ("t send h:80/a@b", "t send h:80/a@b"),
        ("t send http://h/?token=abc&x=1", "t send http://h/?token=***&x=1"), ("t send h?api_key=ab", "t send h?api_key=**"),
        ("t send h/?x=http://a:b@c --url u:p@h", "t send h/?x=http://a:b@c --url u:*@h"),
        ("t send -d user=ada&password=äb -F pin=1 -F password=ab h", "t send -d user=ada&password=*** -F pin=1 -F password=** h"),
        ("t send -d @password=x --data-urlencode token=ab h", "t send -d @password=x --data-urlencode token=** h"),
        (#"t send --json {"password":"a\"b","pin":1,"token":12} h"#, #"t send --json {"password":"****","pin":1,"token":**} h"#),
        (#"t send -d {"a":{"secret":"x h"#, #"t send -d {"a":{"secret":"* h"#),
        ("t send --json @password=x h", "t send --json @password=x h"),
        ("t send --request-header Authorization:x h", "t send --request-header Authorization:* h"),
        ("t send -H X-My-Secret:x -H Sec-WebSocket-Key:y h", "t send -H X-My-Secret:* -H Sec-WebSocket-Key:y h"),
        ("t send -e http://a/?token=ab h", "t send -e http://a/?token=** h"), ("t send -d pw=ab h", "t send -d pw=** h"),
        ("t send --socks5 u:pw@p:1 h", "t send --socks5 u:**@p:1 h"),
        ("t send --pass=ab --key k h", "t send --pass=** --key k h"),
        ("t send -d a:b -- -u", "t send -d a:b -- -u"), ("t send -X -u ada:x", "t send -X -u ada:x"),
        ("t send POST h a=b password=ab pin:=12 user[secret]=x", "t send POST h a=b password=** pin:=12 user[secret]=*"),
        ("t send h Authorization:x Accept:y X-Api-Key:k", "t send h Authorization:* Accept:y X-Api-Key:*"),
        ("t send h token==ab f@password", "t send h token==** f@password"),
        ("t send h password=@file token:=@f", "t send h password=@file token:=@f"),
        ("t send -u", "t send -u"), ("t send --unknown ada:x", "t send --unknown ada:x"), ("t", "t"),
        ("t run c.yaml --var token=abc --env e", "t run c.yaml --var token=*** --env e"),
        ("t import --curl curl@-u@a:b --name=x", "t import --curl *********** --name=x"),
        ("t import --curl=curl", "t import --curl=****"),
        ("t run c.yaml --var-text=token=abc", "t run c.yaml --var-text=token=***"),
        ("t run c.yaml --var=token=abc", "t run c.yaml --var=token=***"), ("t run --var", "t run --var"),
    ])
    func `what is secret of a command line is overwritten, and nothing else`(line: String, shown: String) {
        #expect(hidden(line.split(separator: " ").map(String.init)) == shown)
    }
}
