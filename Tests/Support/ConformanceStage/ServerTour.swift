public import Belfry
public import Foundation

/// Shows one notice of each kind on a real server, through a center as an app does, plays the user, and writes down
/// what became of it. It judges nothing: what a server did is compared with what it did before (`docs/servers`).
public struct ServerTour: Sendable {
    let backend: ObservedBackend
    let center: NoticeCenter
    let capabilities: DeliveryCapabilities
    /// How long an event of the server is waited for.
    let patience: Duration = .seconds(20)

    public static let app = AppIdentity(id: "org.example.ServerTour", name: "Tour")

    /// - Parameters:
    ///   - server: The desktop's, by its name in `Tests/Desktop/servers`.
    ///   - picture: Where a picture of a popup with everything goes; nil takes none.
    public static func run(
        _ backend: any DeliveryBackend,
        server: String,
        picture: URL? = nil
    ) async throws -> TourFacts {
        let observed = ObservedBackend(backend)
        let center = NoticeCenter(app: app, backend: observed)
        return try await center.run { center in
            let capabilities = try await waitForCapabilities(observed)
            let tour = ServerTour(backend: observed, center: center, capabilities: capabilities)
            var facts = TourFacts(server: server, identity: capabilities.server, backend: backend.name)
            facts.note("features", capabilities.features.map(\.rawValue).sorted().joined(separator: " "))
            if let picture {
                try await tour.takePicture(picture)
            } else {
                try await tour.look(&facts)
                try await tour.answer(&facts)
                try await tour.leave(&facts)
                try await tour.strain(&facts)
            }
            return facts
        }
    }

    private static func waitForCapabilities(_ backend: ObservedBackend) async throws -> DeliveryCapabilities {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do { return try await backend.capabilities() } catch {
                guard error.isTransient, ContinuousClock.now < end else { throw error }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    // MARK: parts of a step

    static let actions = [
        NoticeAction("default", title: "Open"), NoticeAction("yes", title: "Yes"), NoticeAction("no", title: "No"),
    ]

    /// Shows content that stays until it is taken away.
    func show(_ id: String, _ content: NoticeContent) async throws -> DeliveryReceipt {
        var content = content
        if content.desktop.expiry == .serverDefault { content.desktop.expiry = .never }
        let request = NoticeRequest(id: id, content: content)
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do { return try await center.show(request).receipt } catch {
                guard error.isTransient, ContinuousClock.now < end else { throw error }
            }
            // Plasma refuses the same text twice within a second, and pictures are compared of the same text. Another
            // server may still be drawing the notice before this one.
            try await Task.sleep(for: .milliseconds(1200))
        }
    }

    /// Takes it away and waits until the screen is empty, so that the next step's popup is the only one.
    func clear(_ id: String) async throws {
        try await center.removeDelivered([id])
        try await Screen.waitUntilEmpty()
    }

    func lost(_ receipt: DeliveryReceipt, _ feature: DeliveryReceipt.LostFeature.Feature) -> String? {
        receipt.lost.first { $0.feature == feature }.map { "lost: \($0.detail)" }
    }

    /// A picture of a popup, when it has been drawn; the popup is taken away again.
    func picture(_ id: String, _ content: NoticeContent) async throws -> (Screen.Picture, DeliveryReceipt) {
        let receipt = try await show(id, content)
        let picture = try await Screen.settledPicture(id)
        try await clear(id)
        return (picture, receipt)
    }
}
