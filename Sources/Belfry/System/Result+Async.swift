extension Result {
    /// Creates the result of an asynchronous call. The standard library has this for synchronous calls.
    package init(catching body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
