extension Delivery {
    /// What would become of a content if it were shown now, on the server of the moment.
    public struct Preview: Sendable, Codable, Hashable {
        /// As it would be shown: in the person's language, with the category's actions, cut and degraded.
        public var content: NoticeContent
        /// The backend that would deliver.
        public var backend: String
        /// The name and version of what would show it, for people.
        public var server: String
        /// What the person would not get, in the order in which it is given up: what the receipt would say.
        public var lost: [DeliveryReceipt.LostFeature]

        public init(content: NoticeContent, backend: String, server: String, lost: [DeliveryReceipt.LostFeature] = []) {
            self.content = content
            self.backend = backend
            self.server = server
            self.lost = lost
        }
    }
}
