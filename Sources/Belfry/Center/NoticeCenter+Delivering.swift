import Foundation

/// What the backend is to do.
enum LaneItem: Sendable {
    case deliver(DeliveryOrder)
    case withdraw(DeliveryReceipt)
}

extension NoticeCenter {
    /// Puts work for the backend in line: it is done in order, beside everything else, so that a slow backend delays
    /// only itself.
    func enqueue(_ item: LaneItem) {
        if case .deliver = item { unresolvedDeliveries += 1 }
        lane.append(item)
        guard !isLaneBusy else { return }
        isLaneBusy = true
        Task { await workOffLane() }
    }

    private func workOffLane() async {
        while !lane.isEmpty {
            switch lane.removeFirst() {
            case .deliver(let order): await deliver(order)
            case .withdraw(let receipt): await withdraw(receipt)
            }
        }
        isLaneBusy = false
        checkQuiet()
    }

    private func deliver(_ order: DeliveryOrder) async {
        do throws(NoticeError) {
            guard let request = try await store.request(revision: order.revision) else {
                throw NoticeError(.notFound, "The content of '\(order.reference.requestID)' is not in the store.")
            }
            guard let content = try await decide(request, order) else { return }
            let capabilities = try await capabilities()
            let prepared = DeliveryPreparation.prepare(content, for: capabilities)
            var delivery = delivery(of: order, prepared.content)
            delivery.lost = prepared.lost
            var receipt = try await hand(delivery)
            receipt.lost = prepared.lost + receipt.lost
            let reportsDismissal = request.content.category.flatMap { categoriesByID[$0] }?.reportsDismissal ?? false
            post(.event(.delivered(order.reference, receipt, reportsDismissal: reportsDismissal)))
            announce(delivery, request.content, receipt)
        } catch {
            post(.event(.deliveryFailed(order.reference, error)))
        }
    }

    private func announce(_ delivery: Delivery, _ content: NoticeContent, _ receipt: DeliveryReceipt) {
        eventBroadcast.send(
            .delivered(
                DeliveredNotice(
                    id: delivery.requestID, deliveryID: delivery.id, content: content, dueAt: delivery.dueAt,
                    shownAt: clock.now().date, late: delivery.late, series: delivery.series, receipt: receipt)))
    }

    private func delivery(of order: DeliveryOrder, _ content: NoticeContent) -> Delivery {
        let late = max(0, clock.now().boot - order.dueAt.boot)
        return Delivery(
            id: order.reference.deliveryID, requestID: order.reference.requestID, app: app, content: content,
            dueAt: order.dueAt.date, late: .microseconds(late), replaces: order.replaces,
            isPossiblyRepeated: order.isPossiblyRepeated, series: order.series)
    }

    /// What is to be shown in the end; nil where it is not to be shown at all, which is then reported already.
    private func decide(_ request: NoticeRequest, _ order: DeliveryOrder) async throws(NoticeError) -> NoticeContent? {
        var content = request.content
        if content.actions.isEmpty, let category = content.category {
            content.actions = categoriesByID[category]?.actions ?? []
        }
        content = content.translated(for: request.languages ?? LanguagePreference.current())
        switch try await requestAuthorization() {
        case .denied:
            post(.event(.suppressed(order.reference, reason: "the person denied notices of '\(app.name)'")))
            return nil
        case .provisional:
            content.level = .passive
            content.sound = .silent
        case .authorized, .notDetermined: break
        }
        if let provider = options.contentProvider {
            let delivery = delivery(of: order, content)
            content = await withTimeLimit(options.appTimeLimit) { await provider(delivery) } ?? content
        }
        guard let delegate else { return content }
        let delivery = delivery(of: order, content)
        let presentation = await withTimeLimit(options.appTimeLimit) { await delegate.presentation(of: delivery) }
        switch presentation {
        case .present, nil: return content
        case .presentInstead(let other):
            try RequestValidation.validate(other, of: request.id)
            return other
        case .suppress(let reason):
            post(.event(.suppressed(order.reference, reason: reason)))
            return nil
        }
    }

    /// Hands over to the backend, for no longer than the limit. A receipt that comes later still counts: the notice is
    /// on the screen.
    private func hand(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let backend = backend
        let reference = DeliveryReference(requestID: delivery.requestID, deliveryID: delivery.id)
        let result: Result<DeliveryReceipt, NoticeError>? = await withTimeLimit(options.deliveryTimeLimit) { late in
            guard case .success(let receipt) = late else { return }
            Task { await self.post(.event(.delivered(reference, receipt, reportsDismissal: false))) }
        } _: {
            do throws(NoticeError) { return .success(try await backend.deliver(delivery)) } catch {
                return .failure(error)
            }
        }
        guard let result else { throw timedOut("deliver the notice '\(delivery.requestID)'") }
        return try result.get()
    }

    private func withdraw(_ receipt: DeliveryReceipt) async {
        let backend = backend
        let error: NoticeError?? = await withTimeLimit(options.deliveryTimeLimit) {
            do throws(NoticeError) {
                try await backend.withdraw(receipt)
                return nil
            } catch { return error }
        }
        switch error {
        case .some(.none): break
        case .some(.some(let error)): eventBroadcast.send(.problem(error))
        case .none: eventBroadcast.send(.problem(timedOut("withdraw the notice \(receipt.handle)")))
        }
    }

    func askCapabilities() async throws(NoticeError) -> DeliveryCapabilities {
        let backend = backend
        let result: Result<DeliveryCapabilities, NoticeError>? = await withTimeLimit(options.deliveryTimeLimit) {
            do throws(NoticeError) { return .success(try await backend.capabilities()) } catch {
                return .failure(error)
            }
        }
        guard let result else { throw timedOut("say what it can show") }
        return try result.get()
    }

    private func timedOut(_ what: String) -> NoticeError {
        NoticeError(
            .serverTimedOut,
            "The backend '\(backend.name)' did not \(what) within \(options.deliveryTimeLimit.seconds) s.")
    }
}
