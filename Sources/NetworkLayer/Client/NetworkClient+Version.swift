extension NetworkClient {
    /// Of this library (GLB-1): it follows semantic versioning.
    public static let version = "1.0.0"
}
