import Belfry
import FoundationEssentials
import Synchronization

/// What is known of a backend that nobody runs.
struct BackendProbe: Sendable {
    let capabilities: DeliveryCapabilities
    /// Who would show a notice.
    let backend: String
    /// Which run of which server is there; nil where the backend has none.
    let server: String?
    /// Whether the user wants to be left alone.
    let doNotDisturb: DeliveryCapabilities.DoNotDisturb
    /// What a notice with everything would lose here, beside what the capabilities name: the server's own ways.
    let lost: [DeliveryReceipt.LostFeature]

    /// Runs the backend for as long as it takes to ask it what it can show; `closely`: and for all else that it knows.
    static func look(
        at backend: any DeliveryBackend,
        closely: Bool = false
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
                    // Now, for the end of the run is the end of the server to some backends.
                    let last = server.last
                    let preview = closely ? try await backend.preview(Self.everything) : nil
                    return .success(
                        BackendProbe(
                            capabilities: capabilities,
                            backend: last?.backend ?? backend.name,
                            server: last?.server,
                            doNotDisturb: closely ? await backend.doNotDisturb() : .unknown,
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
        guard let result else { throw NoticeError(.backendStopped, "The backend '\(backend.name)' did not answer.") }
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

/// The server that a backend reported last.
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
