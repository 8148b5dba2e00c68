extension StringProtocol {
    /// Short enough to be quoted in a message.
    package var clipped: String { count > 80 ? prefix(79) + "…" : String(self) }
}
