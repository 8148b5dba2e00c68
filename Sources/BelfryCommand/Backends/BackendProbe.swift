import Belfry
import Synchronization

/// What a look at a backend that nobody runs has brought.
struct BackendProbe: Sendable {
    let capabilities: DeliveryCapabilities
    /// Who would show a notice; nil before its server has told of itself.
    let backend: String?
    /// Which run of which server is there; nil where the backend has none.
    let server: String?

    /// Runs the backend for as long as it takes to ask it what it can show.
    static func look(at backend: any DeliveryBackend) async throws(NoticeError) -> BackendProbe {
        let server = LastServer()
        let result = await withTaskGroup(of: Result<DeliveryCapabilities, NoticeError>?.self) { group in
            group.addTask {
                do throws(NoticeError) {
                    try await backend.run { server.take($0) }
                    return nil
                } catch { return .failure(error) }
            }
            group.addTask {
                do throws(NoticeError) { return .success(try await backend.capabilities()) } catch {
                    return .failure(error)
                }
            }
            var answer: Result<DeliveryCapabilities, NoticeError>?
            for await result in group where answer == nil {
                answer = result
                if result != nil { group.cancelAll() }
            }
            return answer
        }
        guard let result else { throw NoticeError(.backendStopped, "The backend '\(backend.name)' did not answer.") }
        let last = server.last
        return BackendProbe(
            capabilities: try result.get(),
            backend: last?.backend ?? backend.name,
            server: last?.server
        )
    }
}

/// The server that a backend told of last.
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
