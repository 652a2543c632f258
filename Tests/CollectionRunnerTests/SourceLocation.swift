import RequestCollections

/// `Testing` has a type of this name, too.
typealias SourceLocation = RequestCollections.SourceLocation
