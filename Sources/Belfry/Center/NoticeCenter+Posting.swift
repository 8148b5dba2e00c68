public import FoundationEssentials

extension NoticeCenter {
    /// Adds a request without waiting for it: for event handlers and other code that can neither wait nor throw.
    ///
    /// Posted requests are added in the order of these calls, each as by ``add(_:)-(NoticeRequest)``. An error is
    /// reported as ``CenterEvent/error(_:)`` with the request's identifier. ``run(isolation:_:)`` ends when what its
    /// body posted has been added. From any thread; O(1).
    ///
    /// ```swift
    /// button.onClick { center.post(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(240)))) }
    /// ```
    public func post(_ request: NoticeRequest) { outbox.post(request, to: engine) }

    /// Shows a notice now, as ``show(_:)`` does, by its content alone.
    ///
    /// - Parameters:
    ///   - content: What to show.
    ///   - id: Names the notice; one of that name on the screen is replaced.
    @discardableResult
    public func show(
        _ content: NoticeContent,
        id: String = UUID().uuidString
    ) async throws(NoticeError) -> DeliveredNotice {
        try await show(NoticeRequest(id: id, content: content))
    }
}

/// Requests on their way from ``NoticeCenter/post(_:)`` to the engine, one after the other.
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
                )
            }
        }
    }

    /// Nil where there is none left; who posts after that begins anew.
    private func next() -> NoticeRequest? {
        state.withLock { state in
            if let request = state.requests.popFirst() { return request }
            state.isAdding = false
            return nil
        }
    }
}
