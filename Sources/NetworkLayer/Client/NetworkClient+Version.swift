extension NetworkClient {
    /// The version of this library (GLB-1), and of the program that is made of it; it follows semantic versioning.
    public static let version = "0.1.0"
}
