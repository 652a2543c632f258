/// What the name of a host says about the service behind it and its region, as both stand in a signature.
///
///     dynamodb.eu-west-1.amazonaws.com          dynamodb     eu-west-1
///     bucket.s3.eu-west-1.amazonaws.com         s3           eu-west-1
///     id.execute-api.us-west-2.amazonaws.com    execute-api  us-west-2
///     email.eu-west-1.amazonaws.com             ses          eu-west-1
///     search-x.eu-west-1.es.amazonaws.com       es           eu-west-1
///     iam.amazonaws.com                         iam          us-east-1
///     s3.us-west-004.backblazeb2.com            s3           us-west-004
struct AWSEndpoint: Hashable, Sendable {
    var service: String?
    var region: String?

    init(host: String) {
        let host = host.lowercased()
        guard let (domain, standard) = Self.domains.first(where: { host.hasSuffix(".\($0.domain)") }) else {
            readForeign(host.split(separator: ".").map(String.init))
            return
        }
        var labels = host.dropLast(domain.count + 1).split(separator: ".").map(String.init)
        // An address of Amazon's private network, and one of both versions of IP.
        labels.removeAll { $0 == "vpce" || $0 == "dualstack" }
        // As the first regions had it: s3-eu-west-1.amazonaws.com.
        if let old = labels.last, old.hasPrefix("s3-"), Self.isRegion(old.dropFirst(3)) {
            labels.removeLast()
            labels += ["s3", String(old.dropFirst(3))]
        }
        if let index = labels.lastIndex(where: { Self.isRegion($0[...]) }) {
            region = labels[index]
            // A few services stand behind their region.
            let place = index + 1 < labels.count ? index + 1 : index - 1
            service = labels.indices.contains(place) ? Self.service(labels, at: place) : nil
        } else {
            region = standard
            if let last = labels.last, last == "us-gov" || last.hasSuffix("global") {
                labels.removeLast()
                if last.contains("us-gov") { region = "us-gov-west-1" }
            }
            service = labels.isEmpty ? nil : Self.service(labels, at: labels.count - 1)
        }
        // The region of a bucket behind the world-wide name is not in the name.
        if labels.contains("s3-accelerate") { region = nil }
    }

    /// Reads the host of somebody else who signs as Amazon does: `service.region.example.com`, as curl reads it, and wherever `s3` stands.
    private mutating func readForeign(_ labels: [String]) {
        let place = labels.firstIndex(of: "s3") ?? 0
        // Two more labels are a domain; and an address has no service.
        guard labels.count >= place + 4, !labels.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return }
        service = labels[place]
        region = labels[place + 1]
    }

    /// Longest first where one ends like another.
    private static let domains: [(domain: String, region: String)] = [
        ("amazonaws.com.cn", "cn-northwest-1"), ("api.amazonwebservices.com.cn", "cn-northwest-1"),
        ("amazonaws.com", "us-east-1"), ("api.aws", "us-east-1"), ("on.aws", "us-east-1"), ("amazonaws.eu", "eusc-de-east-1"),
    ]

    /// `eu-west-1`, `us-gov-east-1`, `eusc-de-east-1`.
    private static func isRegion(_ label: Substring) -> Bool {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, (2...4).contains(parts[0].count), let number = parts.last else { return false }
        func isName(_ part: Substring) -> Bool { !part.isEmpty && part.utf8.allSatisfy { (0x61...0x7a).contains($0) } }
        return !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) } && parts.dropLast().allSatisfy(isName)
    }

    /// The name that signatures have for what is called otherwise in hosts' names.
    private static func service(_ labels: [String], at place: Int) -> String {
        var name = labels[place]
        if name.hasSuffix("-fips") { name.removeLast(5) }
        let before = place > 0 ? labels[place - 1] : nil
        switch (before, name) {
        case (let before?, "iot"):
            return before == "jobs" ? "iot-jobs-data" : before == "tunneling" ? "IoTSecuredTunneling" : "iotdata"
        case ("data", "iotevents"): return "ioteventsdata"
        case ("participant", "connect"): return "execute-api"
        case ("sms-voice", "pinpoint"): return "sms-voice"
        default: break
        }
        if let other = otherNames[name] { return other }
        if name.hasPrefix("bedrock-") { return name.hasPrefix("bedrock-agentcore") ? "bedrock-agentcore" : "bedrock" }
        if name.hasPrefix("s3express-") { return "s3express" }
        if name.hasSuffix("-chime") { return "chime" }
        if name.hasSuffix("marketplace") { return "aws-marketplace" }
        return name
    }

    private static let otherNames = [
        "aos": "es", "appconfigdata": "appconfig", "appstream2": "appstream", "appsync-api": "appsync",
        "cassandra-streams": "cassandra", "cloudhsmv2": "cloudhsm", "cloudsearchdomain": "cloudsearch", "contact-lens": "connect",
        "data-signer": "signer", "email": "ses", "forecastquery": "forecast", "iot-tunneling": "IoTSecuredTunneling",
        "ivsrealtime": "ivs", "lambda-url": "lambda", "mail-manager": "ses", "memory-db": "memorydb",
        "migrationhub-config": "mgh", "models-v2-lex": "lex", "oidc": "sso-oauth", "personalize-events": "personalize",
        "personalize-runtime": "personalize", "pinpoint": "mobiletargeting", "queue": "sqs", "runtime-v2-lex": "lex",
        "s3-accelerate": "s3", "s3-accesspoint": "s3", "s3-control": "s3", "servicecatalog-appregistry": "servicecatalog",
        "sso": "awsssoportal",
    ]
}
