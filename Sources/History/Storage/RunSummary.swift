import FoundationEssentials
import GRDB
import NetworkLayer
import RequestCollections

/// A row of a list.
struct RunSummary: Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "run"
    static var databaseSelection: [any SQLSelectable] {
        RunColumns.CodingKeys.allCases.map { Column($0) } + [(Column("body") != nil).forKey(CodingKeys.isBodyKept)]
    }

    let run: HistoryRun

    private enum CodingKeys: String, CodingKey {
        case isBodyKept = "body_kept"
    }

    init(from decoder: any Decoder) throws {
        let isBodyKept = try decoder.container(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .isBodyKept)
        run = try RunColumns(from: decoder).run(isBodyKept: isBodyKept)
    }

    static func matching(_ query: HistoryQuery) -> QueryInterfaceRequest<RunSummary> {
        var request = RunSummary.order(Column("id").desc).limit(query.limit)
        if let collection = query.collection { request = request.filter(Column("collection") == collection) }
        if let outcome = query.outcome { request = request.filter(Column("outcome") == outcome.rawValue) }
        if let status = query.status {
            let codes = status < 10 ? status * 100...status * 100 + 99 : status...status
            request = request.filter(codes.contains(Column("status")))
        }
        if let since = query.since { request = request.filter(Column("date") >= since.timeIntervalSince1970) }
        if let before = query.before { request = request.filter(Column("id") < before) }
        if let text = query.text, !text.isEmpty {
            let escaped = text.escaping("\\", "%", "_")
            let columns = ["request", "name", "url"].map { Column($0).like("%\(escaped)%", escape: "\\") }
            request = request.filter(columns.joined(operator: .or))
        }
        return request
    }
}

/// Everything of a row but the body, which is read by itself.
struct RunDetails: Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = RunSummary.databaseTableName
    static var databaseSelection: [any SQLSelectable] {
        RunSummary.databaseSelection + RunContents.CodingKeys.allCases.map { Column($0) }
    }

    let record: HistoryRecord

    init(from decoder: any Decoder) throws {
        let contents = try RunContents(from: decoder)
        let json = JSONDecoder()
        record = HistoryRecord(
            run: try RunSummary(from: decoder).run,
            definition: try json.decode(RequestDefinition.self, from: Data(contents.definition.utf8)),
            response: try json.decode(Response.self, from: Data(contents.response.utf8)))
    }
}
