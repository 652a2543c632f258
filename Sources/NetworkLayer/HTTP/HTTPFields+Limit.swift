package import HTTPTypes

extension HTTPFields {
    /// The most fields that are taken from outside, as curl takes them. `HTTPFields` itself ends the process when there are 65,535.
    package static let limit = 5000

    /// The first ``limit`` of them.
    package init(limited fields: some Sequence<HTTPField>) {
        self.init(fields.prefix(Self.limit))
    }
}
