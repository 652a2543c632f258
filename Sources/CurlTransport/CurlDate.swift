package import Base
import CCurl

/// Dates in the forms that libcurl knows beside those of HTTP: `20240501`, `1 May 2024`, `May 1 12:00:00 2024`.
package enum CurlDate {
    package static func parse(_ text: String) -> Date? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
