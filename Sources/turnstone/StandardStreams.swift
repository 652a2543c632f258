import Base

/// The three streams that every program has.
enum StandardStreams {
    /// Fills the places of those that whoever started us has closed (`>&-`): the next file or socket to be opened would get the place,
    /// and what is printed would go into it. What fills them can't be used the way that the stream is, so that using it is an error.
    static func fill() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free one is this.
            _ = open("/dev/null", mode)
        }
    }
}
