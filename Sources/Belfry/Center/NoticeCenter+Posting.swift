public import FoundationEssentials

extension NoticeCenter {
    /// Adds a request without waiting, for event handlers and other code that can neither wait nor throw.
    ///
    /// Posted requests are added in the order of the calls, each as by ``add(_:)-(NoticeRequest)``. Errors are reported
    /// as ``CenterEvent/error(_:)`` with the request's identifier. ``run(isolation:_:)`` ends after the requests that
    /// its body posted have been added. Thread-safe; O(1).
    ///
    /// ```swift
    /// func backupEnded(_ files: Int) {
    ///     center.post(NoticeRequest(id: "backup", title: "\(files) files were saved"))
    /// }
    /// ```
    public func post(_ request: NoticeRequest) { outbox.post(request, to: engine) }

    /// Shows a content now, as ``show(_:)`` does with a request.
    ///
    /// - Parameters:
    ///   - content: What to show.
    ///   - id: The identifier of the notice; it replaces a notice with the same identifier on the screen.
    /// - Throws: What ``show(_:)`` throws, transient or permanent.
    @discardableResult
    public func show(
        _ content: NoticeContent,
        id: String = UUID().uuidString
    ) async throws(NoticeError) -> DeliveredNotice {
        try await show(NoticeRequest(id: id, content: content))
    }
}

/// A queue of requests from ``NoticeCenter/post(_:)``, which are added to the engine one after the other.
final class Outbox: Sendable {
    private struct State {
        var requests = FIFOQueue<NoticeRequest>()
        var isAdding = false
    }

    private let state = AwaitedState(State())

    func post(_ request: NoticeRequest, to engine: any CenterEngine) {
        let isFirst = state.withLock { state in
            state.requests.append(request)
            defer { state.isAdding = true }
            return !state.isAdding
        }
        guard isFirst else { return }
        Task(executorPreference: CenterThread.shared) { await self.addAll(to: engine) }
    }

    /// Returns when nothing that was posted is still to be added.
    func emptied() async { await state.wait { !$0.isAdding } }

    private func addAll(to engine: any CenterEngine) async {
        while let request = next() {
            do throws(NoticeError) { _ = try await engine.add([request], allOrNothing: true) } catch {
                engine.report(
                    NoticeError(
                        error.code,
                        "'\(request.id)' was posted and not added: \(error.message)",
                        cause: error.cause
                    )
                    .naming(request.id)
                )
            }
        }
    }

    /// Returns the next request; nil if there is none. The next `post` then starts a new task.
    private func next() -> NoticeRequest? {
        state.withLock { state in
            if let request = state.requests.popFirst() { return request }
            state.isAdding = false
            return nil
        }
    }
}
