import FoundationEssentials

extension EmbeddedEngine {
    /// Enqueues work for the backend. It is done in order and independently of other work, so a slow backend delays
    /// only itself.
    func enqueue(_ item: DeliveryPipeline.Item) {
        deliveries.append(item)
        guard deliveries.begin() else { return }
        Task.immediate(executorPreference: CenterThread.shared) { await self.workOffDeliveries() }
    }

    /// Begins deliveries in order, several in flight at a time. Withdrawals wait until none is in flight.
    private func workOffDeliveries() async {
        while let item = deliveries.next() {
            switch item {
            case .deliver(let order):
                while !deliveries.hasRoom { await wait { engine in engine.deliveries.hasRoom } }
                // Outcomes are stored before the next delivery begins, so that a crash repeats only the one in flight.
                if setup.store.outlivesProcess { await fence() }
                if setup.store.outlivesProcess, inSchedule({ $0.mustWaitForStore(order.reference) }) {
                    let message =
                        "The outcome of an earlier delivery could not be stored: '\(order.reference.requestID)' waits."
                    post(.event(.deliveryFailed(order.reference, NoticeError(.storeFailed, message))))
                } else {
                    await deliver(order)
                }
            case .withdraw(let receipt):
                while !deliveries.isEmpty { await wait { engine in engine.deliveries.isEmpty } }
                // Wait for the outcomes of the deliveries that were in flight: one may have replaced this notice.
                await fence()
                if schedule.isWithdrawn(receipt) { await withdraw(receipt) }
                deliveries.hasWithdrawn()
            }
        }
        checkQuiet()
    }

    private func deliver(_ order: DeliveryOrder) async {
        do throws(NoticeError) {
            try checkWanted(order.reference)
            guard let request = try await setup.store.request(revision: order.revision) else {
                throw NoticeError(.notFound, "The content of '\(order.reference.requestID)' is not in the store.")
            }
            guard request.content.isDisplayed else {
                return deliverToApp(request.content, order, for: request.languages)
            }
            // Nearly always known, and what is known needs no turn of another task.
            let status =
                if let knownAuthorization { knownAuthorization } else { try await requestAuthorizationToDeliver() }
            guard status != .denied else { return post(.event(.suppressed(order.reference, reason: denial))) }
            let original = request.content(of: order.record)
            var content = completed(original, for: request.languages)
            if setup.options.contentProvider != nil || responseCenter.delegate != nil {
                guard let chosen = await askApp(content, of: request, order) else { return }
                content = chosen
            }
            // A user who has not responded to the prompt has not allowed sounds either.
            if status != .authorized || order.isQuiet { content.makeQuiet() }
            var prepared = try await prepared { delivery(of: order, content) }
            // Meanwhile the request may have been removed, and the notice that it replaces closed.
            try checkWanted(order.reference)
            prepared.replaces = inSchedule { $0.replaced(by: order) }
            try await launch(
                InFlightDelivery(
                    delivery: prepared,
                    content: original,
                    reportsDismissal: reportsDismissal(content),
                    begun: clock.now().boot
                )
            )
        } catch {
            post(.event(.deliveryFailed(order.reference, error)))
        }
    }

    /// Throws if the request was removed. If storing the removal fails, the delivery is tried again.
    private func checkWanted(_ reference: DeliveryReference) throws(NoticeError) {
        guard !inSchedule({ $0.isWanted(reference) }) else { return }
        throw NoticeError(.storeFailed, "The removal of '\(reference.requestID)' could not be stored.")
    }

    /// Reads the schedule in place. A method called on the property itself gets a copy: 13 references to retain and to
    /// release, at four places of each delivery.
    func inSchedule<Result>(_ look: (inout Schedule) -> Result) -> Result { look(&schedule) }

    func announce(_ delivery: Delivery, _ content: NoticeContent, _ receipt: DeliveryReceipt) {
        guard eventBroadcast.isHeard else { return }
        eventBroadcast.send(
            .delivered(
                DeliveredNotice(
                    id: delivery.id,
                    requestID: delivery.requestID,
                    content: content,
                    dueDate: delivery.dueDate,
                    date: clock.now().date,
                    late: delivery.late,
                    series: delivery.series,
                    receipt: receipt,
                    snoozeCount: delivery.snoozeCount
                )
            )
        )
    }

    private func delivery(of order: DeliveryOrder, _ content: NoticeContent) -> Delivery {
        Delivery(
            id: order.reference.deliveryID,
            requestID: order.reference.requestID,
            app: setup.app,
            content: content,
            dueDate: order.dueAt.date,
            late: order.record.late(at: clock.now()),
            replaces: inSchedule { $0.replaced(by: order) },
            isPossiblyRepeated: order.isPossiblyRepeated,
            series: order.series,
            snoozeCount: order.record.snoozes,
            crossing: order.record.crossing
        )
    }

    func reportsDismissal(_ content: NoticeContent) -> Bool {
        content.reportsDismissal || content.category.flatMap { categoriesByID[$0] }?.reportsDismissal ?? false
    }

    /// Returns the content with the actions of its category, in the current language.
    func completed(_ content: NoticeContent, for languages: [String]?) -> NoticeContent {
        let category = content.category.flatMap { categoriesByID[$0] }
        return content.completed(with: category, for: languages ?? LanguagePreference.current())
    }

    /// Returns the content that the app's code wants shown instead; nil if it suppresses the notice, which is then
    /// reported already.
    private func askApp(
        _ content: NoticeContent,
        of request: NoticeRequest,
        _ order: DeliveryOrder
    ) async -> NoticeContent? {
        var content = content
        if let provider = setup.options.contentProvider {
            let delivery = delivery(of: order, content).withAppName()
            let made = await decision(about: delivery) { await provider(delivery) }
            if let made, let checked = await checked(made, of: request.id) { content = checked }
        }
        if let delegate = responseCenter.delegate {
            let delivery = delivery(of: order, content).withAppName()
            let presentation = await decision(about: delivery) { await delegate.presentation(of: delivery) }
            switch presentation {
            case .present, nil: break
            case .presentInstead(let other): content = await checked(other, of: request.id) ?? content
            case .suppress(let reason):
                post(.event(.suppressed(order.reference, reason: reason)))
                return nil
            }
        }
        // It may have added the center's own buttons.
        return content.withSnoozeTitles(for: request.languages ?? LanguagePreference.current())
    }

    /// Returns the result of the app's code; nil after its timeout. The center's calls in it don't wait for what comes
    /// after the delivery.
    private func decision<Value: Sendable>(
        about delivery: Delivery,
        _ decide: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let id = delivery.id
        deliveries.undecided = id
        defer { deliveries.undecided = nil }
        return await withTimeout(setup.options.appTimeout, on: AppThreads.shared) {
            await Self.$undecidedDelivery.withValue(id) { await decide() }
        }
    }

    /// Returns the content that the app's code made, if it is valid. Otherwise it reports the error and returns nil,
    /// and the stored content is shown.
    private func checked(_ content: NoticeContent, of id: String) async -> NoticeContent? {
        do throws(NoticeError) {
            let valid = await withTimeout(setup.options.appTimeout) {
                await Result { () async throws(NoticeError) in try await self.validate(content, of: id) }
            }
            guard let valid else {
                let limit = setup.options.appTimeout.seconds
                throw NoticeError(.fileUnreadable, "The files of '\(id)' could not be looked at within \(limit) s.")
            }
            try valid.get()
            return content
        } catch {
            report(error)
            return nil
        }
    }

    private func withdraw(_ receipt: DeliveryReceipt) async {
        do throws(NoticeError) {
            try await askBackend(to: "withdraw the notice \(receipt.handle)") { backend throws(NoticeError) in
                try await backend.withdraw(receipt)
            }
        } catch {
            report(error)
        }
    }
}
