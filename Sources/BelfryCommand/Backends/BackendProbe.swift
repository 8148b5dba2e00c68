import Belfry
import FoundationEssentials
import Synchronization

/// The properties of a backend that is not in use.
struct BackendProbe: Sendable {
    let capabilities: DeliveryCapabilities
    /// The backend that would show a notice.
    let backend: String
    /// The server and its current run; nil if the backend has none.
    let server: String?
    /// Whether the user has turned on do-not-disturb.
    let doNotDisturb: DeliveryCapabilities.DoNotDisturb
    /// What a notice with everything would lose besides the features missing in the capabilities.
    let lost: [DeliveryReceipt.LostFeature]

    /// Runs the backend while querying its capabilities. With `includingPreview`, also queries what it would lose of a
    /// notice with everything, and do-not-disturb.
    static func query(
        _ backend: any DeliveryBackend,
        includingPreview: Bool = false
    ) async throws(NoticeError) -> BackendProbe {
        let server = LastServer()
        let result = await withTaskGroup(of: Result<BackendProbe, NoticeError>?.self) { group in
            group.addTask {
                do throws(NoticeError) {
                    try await backend.run { server.take($0) }
                    return nil
                } catch { return .failure(error) }
            }
            group.addTask {
                do throws(NoticeError) {
                    let capabilities = try await backend.capabilities()
                    // Read now: for some backends, the end of the run is the end of the server.
                    let last = server.last
                    let preview = includingPreview ? try await backend.preview(Self.everything) : nil
                    return .success(
                        BackendProbe(
                            capabilities: capabilities,
                            backend: last?.backend ?? backend.name,
                            server: last?.server,
                            doNotDisturb: includingPreview ? await backend.doNotDisturb() : .unknown,
                            lost: preview?.lost ?? []
                        )
                    )
                } catch { return .failure(error) }
            }
            var first: Result<BackendProbe, NoticeError>?
            for await result in group where first == nil {
                first = result
                if result != nil { group.cancelAll() }
            }
            return first
        }
        guard let result else { throw NoticeError(.backendStopped, "The backend '\(backend.name)' did not reply.") }
        return try result.get()
    }
}

extension BackendProbe {
    private static var everything: Delivery {
        var content = NoticeContent(title: "Title", body: "Body", progress: 0.5)
        content.desktop.expiry = .after(.seconds(5))
        content.actions = [NoticeAction("yes", title: "Yes"), NoticeAction("no", title: "No")]
        content.desktop.isResident = true
        content.desktop.isTransient = true
        return Delivery(id: "probe", requestID: "probe", app: .command(), content: content, dueDate: Date())
    }
}

/// The latest server that a backend has reported.
private final class LastServer: Sendable {
    private let state = Mutex<(backend: String?, server: String?)?>(nil)

    var last: (backend: String?, server: String?)? { state.withLock { $0 } }

    func take(_ event: BackendEvent, of backend: String? = nil) {
        switch event {
        case .serverCame(let server): state.withLock { $0 = (backend, server) }
        case .serverGone: state.withLock { $0 = nil }
        case .from(let backend, let event): take(event, of: backend)
        default: break
        }
    }
}
