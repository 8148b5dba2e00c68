extension NoticeCenter {
    /// The last position, what became of all that were told, and what the provider is asked for.
    ///
    /// Throws ``NoticeError/Code/storeFailed`` where the store can't be opened (transient), and
    /// ``NoticeError/Code/unsupported`` over the agent, which has positions of its own (permanent).
    public nonisolated(nonsending) func position() async throws(NoticeError) -> LocationReport {
        try await engine.position()
    }
}
