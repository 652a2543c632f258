#!/bin/sh
TOKEN='a b' # a comment
curl -sSL -X POST "https://h.example/orders?x=$TOKEN" \
  -H 'Content-Type: application/json' -H "X-Key: ${KEY:-none}" \
  -u ada:"l ove" --data-raw $'{"a":"\u00e9\n"}' --compressed -k --max-time 3.5
curl -F f=@a.txt -F 't=x;type=text/plain' http://h | jq .a && curl --json '{"b":1}' -b 'c=d' h.example:81/$(date)
curl 'http://h' --digest -G -d q=1 --data-urlencode 'a=b c' -o /dev/null --retry 3
