extension BackendChain {
    /// The backend that delivers, and its capabilities.
    struct Choice {
        let index: Int
        let backend: any DeliveryBackend
        let capabilities: DeliveryCapabilities
    }

    /// Returns the first backend that works. `asking`: known capabilities are requested again.
    func choose(asking: Bool) async throws(NoticeError) -> Choice {
        var reasons: [(name: String, error: NoticeError)] = []
        for index in backends.indices {
            let backend = backends[index]
            if let error = state.skipReason(index) {
                reasons.append((backend.name, error))
                continue
            }
            if !asking, let known = state.capabilities(index) {
                state.choose(index, named: backend.name, known, announced: false)
                return Choice(index: index, backend: backend, capabilities: known)
            }
            state.start(index)
            do throws(NoticeError) {
                let found = try await limited("report its capabilities", by: backend) { backend throws(NoticeError) in
                    try await backend.capabilities()
                }
                state.choose(index, named: backend.name, found, announced: asking)
                return Choice(index: index, backend: backend, capabilities: found)
            } catch {
                guard state.failed(index, error, whileDelivering: false) == .skip else { throw error }
                reasons.append((backend.name, error))
            }
        }
        throw noneWorks(reasons)
    }

    private func noneWorks(_ reasons: [(name: String, error: NoticeError)]) -> NoticeError {
        guard reasons.count > 1 else { return reasons[0].error }
        let first = reasons.first { $0.error.isTransient }?.error ?? reasons[0].error
        let all = reasons.map { "\($0.name): \($0.error.message)" }.joined(separator: " ")
        return NoticeError(first.code, "None of the backends works. \(all)", cause: first.cause)
    }

    /// Returns the delivery for the chosen backend. A content that was prepared for other capabilities is prepared
    /// again. A notice of another backend can't be replaced.
    func fitted(_ delivery: Delivery, to choice: Choice) async -> Delivery {
        var delivery = delivery
        if delivery.replaces?.backend != choice.backend.name { delivery.replaces = nil }
        guard state.announced != choice.capabilities else { return delivery }
        let limit = min(timeouts.call, Delivery.fileLimit)
        return await delivery.prepared(for: choice.capabilities, lookingAtFilesOn: files, within: limit)
    }

    func limited<Value: Sendable>(
        _ what: String,
        by backend: any DeliveryBackend,
        late: (@Sendable (Value) -> Void)? = nil,
        _ call: @escaping @Sendable (any DeliveryBackend) async throws(NoticeError) -> Value
    ) async throws(NoticeError) -> Value {
        let result = await withTimeout(timeouts.call, on: backend.executor) {
            if case .success(let value) = $0 { late?(value) }
        } _: {
            await Result { () async throws(NoticeError) in try await call(backend) }
        }
        guard let result else {
            throw NoticeError(
                .serverTimedOut,
                "The backend '\(backend.name)' did not \(what) within \(timeouts.call.seconds) s."
            )
        }
        return try result.get()
    }
}
