import Foundation
import RequestCollections
import SchemaTesting
import Testing

/// HAR 1.2 as a JSON Schema, from `har-1.2.schema.json`.
enum HARSchema {
    static func validator() throws -> SchemaValidator {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "har-1.2.schema.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        return SchemaValidator(root: try #require(JSONParser.parse(text), "\(url.path()) isn't JSON"))
    }

    /// Has every member that the format knows, but those that exclude one another.
    static let everything = """
        {
          "log": {
            "version": "1.2",
            "creator": { "name": "Ada", "version": "1", "comment": "" },
            "browser": { "name": "Bert", "version": "2", "comment": "" },
            "pages": [
              {
                "startedDateTime": "2009-04-16T12:07:25.123+01:00", "id": "page_0", "title": "Shop",
                "pageTimings": { "onContentLoad": 1720, "onLoad": -1, "comment": "" }, "comment": ""
              }
            ],
            "entries": [
              {
                "pageref": "page_0", "startedDateTime": "2009-04-16T12:07:23.596Z", "time": 85.5,
                "request": {
                  "method": "POST", "url": "http://h.example/path/?a=1", "httpVersion": "HTTP/1.1",
                  "cookies": [{ "name": "a", "value": "1" }],
                  "headers": [{ "name": "Accept", "value": "*/*", "comment": "" }],
                  "queryString": [{ "name": "a", "value": "1", "comment": "" }],
                  "postData": {
                    "mimeType": "multipart/form-data",
                    "params": [
                      {
                        "name": "a", "value": "1", "fileName": "a.pdf", "contentType": "application/pdf", "comment": ""
                      }
                    ],
                    "comment": ""
                  },
                  "headersSize": 150, "bodySize": 0, "comment": ""
                },
                "response": {
                  "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
                  "cookies": [
                    {
                      "name": "a", "value": "1", "path": "/", "domain": "h.example", "expires": "2009-07-24T19:20:30.123+02:00",
                      "httpOnly": false, "secure": true, "comment": ""
                    }
                  ],
                  "headers": [{ "name": "Server", "value": "h" }],
                  "content": {
                    "size": 33, "compression": 0, "mimeType": "text/html", "text": "PGh0bWw+", "encoding": "base64",
                    "comment": ""
                  },
                  "redirectURL": "", "headersSize": 160, "bodySize": 850, "comment": ""
                },
                "cache": {
                  "beforeRequest": null,
                  "afterRequest": {
                    "expires": "2009-04-16T15:50:36", "lastAccess": "2009-02-16T15:50:34", "eTag": "", "hitCount": 0,
                    "comment": ""
                  },
                  "comment": ""
                },
                "timings": {
                  "blocked": 0.5, "dns": -1, "connect": 15, "send": 20, "wait": 38, "receive": 12, "ssl": -1, "comment": ""
                },
                "serverIPAddress": "10.0.0.1", "connection": "52492", "comment": ""
              }
            ],
            "comment": ""
          }
        }
        """
}
