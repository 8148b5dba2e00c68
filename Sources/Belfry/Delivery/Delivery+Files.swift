import Dispatch

// Whoever looks at a file waits for its file system, which may be a server that does not answer.

extension NoticeContent {
    /// Whether the content names files, not counting those in markup.
    var namesFiles: Bool {
        if case .file = icon { return true }
        if case .file = image { return true }
        if case .file = sound { return true }
        return !attachments.isEmpty
    }

    /// Removes the files for which `reason` returns one, except those in markup. Returns what is lost.
    mutating func removeFiles(_ reason: (String) -> String?) -> [DeliveryReceipt.LostFeature] {
        var lost: [DeliveryReceipt.LostFeature] = []
        func isLost(_ path: String, _ feature: DeliveryReceipt.LostFeature.Feature) -> Bool {
            guard let detail = reason(path) else { return false }
            lost.add(feature, "'\(path)' \(detail)")
            return true
        }
        if case .file(let path) = image, isLost(path, .image) { image = nil }
        attachments.removeAll { isLost($0.path, .attachment) }
        if case .file(let path) = sound, isLost(path, .sound) { sound = nil }
        if case .file(let path) = icon, isLost(path, .icon) { icon = nil }
        return lost
    }

    /// Whether the content or a step of its escalation names files.
    func namesFiles(with steps: [NoticeSeries.EscalationStep]) -> Bool {
        namesFiles || steps.contains { if case .file = $0.sound { true } else { false } }
    }
}

extension Delivery {
    /// How long a backend may wait for the files of a notice, as a center does by default.
    package static let fileLimit = Duration.seconds(5)

    /// Whether preparing the delivery means looking at files.
    package var namesFiles: Bool {
        if case .file = app.icon { return true }
        return content.namesFiles || (content.bodyFormat == .markup && content.body.lowercased().contains("<img"))
    }

    /// Returns the delivery in the form for a server. Files are looked at on `queue`; if they can't be in time, it is
    /// prepared without them.
    func prepared(
        for capabilities: DeliveryCapabilities,
        lookingAtFilesOn queue: DispatchQueue,
        within limit: Duration
    ) async -> Delivery {
        guard namesFiles else { return prepared(for: capabilities) }
        let complete = await withTimeout(limit) { await queue.perform { self.prepared(for: capabilities) } }
        if let complete { return complete }
        var capabilities = capabilities
        capabilities.features.remove(.bodyImages)
        return withoutFiles("could not be looked at within \(limit.seconds) s").prepared(for: capabilities)
    }

    /// Returns the delivery without its files, except those in markup. ``lost`` lists them with the reason.
    package func withoutFiles(_ reason: String) -> Delivery {
        var delivery = self
        if case .file = app.icon { delivery.app.icon = nil }
        delivery.lost += delivery.content.removeFiles { _ in reason }
        return delivery
    }
}
