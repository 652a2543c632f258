extension NetworkClient {
    /// The version of this library (GLB-1), which follows semantic versioning.
    public static let version = "1.0.0"
}
