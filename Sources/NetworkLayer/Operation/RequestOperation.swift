/// One run of a request, from enqueue to a final state.
public final class RequestOperation: Sendable {
}
