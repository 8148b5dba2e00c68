extension DeliveryCapabilities {
    /// Whether the person wants to be left alone: notices are then kept, and not shown at once.
    public enum DoNotDisturb: String, Sendable, Codable, Hashable, CaseIterable {
        case on, off
        /// The desktop doesn't say.
        case unknown
    }
}
