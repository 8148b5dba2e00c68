import Belfry
import BelfryTesting
import StoreWorkload

extension RequestStoreConformance {
    func keepsDeliveries() async throws {
        let store = try await makeStore()
        var first = Self.delivery("first", of: "a", revision: 1)
        let second = Self.delivery("second", of: "a", revision: 1)
        try await store.commit([Self.put("a", 1), .putDelivery(first), .putDelivery(second)])
        let bounds = NumberBounds.microseconds
        first.shownAt = TriggerInstant(wall: bounds.upperBound, boot: bounds.lowerBound)
        first.receipt = DeliveryReceipt(
            backend: "recorder",
            handle: "7",
            server: ":1.42",
            lost: [DeliveryReceipt.LostFeature(.body, "cut to 1 of 2 characters")]
        )
        try await store.commit([.putDelivery(first)])
        var found = try await store.load().deliveries.sorted { $0.id < $1.id }
        try expectEqual(found, [first, second], "Two deliveries of one request, the first put again")
        try await store.commit([.removeDelivery(id: "second"), .removeDelivery(id: "of nobody")])
        found = try await store.load().deliveries
        try expectEqual(found, [first], "The deliveries after one was removed")
    }

    func answersTheHistory() async throws {
        let store = try await makeStore()
        let lines = (0..<60).map { Self.line(["a", "b", "ä 🕰"][$0 % 3], $0) }
        for batch in stride(from: 0, to: 60, by: 7) {
            try await store.commit(lines[batch..<min(60, batch + 7)].map { .appendHistory($0) })
        }
        try expectEqual(try await store.history(HistoryQuery()), lines, "All lines, oldest first")
        try expectEqual(try await store.history(HistoryQuery(limit: 5)), lines.suffix(5), "The newest 5, oldest first")
        try expectEqual(try await store.history(HistoryQuery(limit: 0)), [], "The newest 0")
        try expectEqual(try await store.history(HistoryQuery(limit: 1000)), lines, "The newest 1,000 of 60")
        let own = lines.filter { $0.requestID == "ä 🕰" }
        try expectEqual(try await store.history(HistoryQuery(requestID: "ä 🕰")), own, "The lines of one request")
        try expectEqual(
            try await store.history(HistoryQuery(requestID: "ä 🕰", limit: 3)),
            own.suffix(3),
            "Its newest 3"
        )
        try expectEqual(try await store.history(HistoryQuery(requestID: "nobody")), [], "The lines of nobody")
        let some = HistoryQuery(
            limit: 3,
            thread: "thread ä",
            outcomes: [.delivered, .missed, .closed, .responded, .dropped, .clockReset],
            from: lines[10].date,
            until: lines[55].date,
            newestFirst: true
        )
        let expected = lines[10..<55].filter { $0.thread == "thread ä" && some.outcomes?.contains($0.outcome) == true }
        try expect(expected.count > 3, "The suite's own lines are too few")
        try expectEqual(try await store.history(some), expected.suffix(3).reversed(), "All conditions, newest first")
        try expectEqual(try await store.history(HistoryQuery(outcomes: [])), [], "The lines of no outcome")
    }

    func keepsResponses() async throws {
        let store = try await makeStore()
        let all = [
            Self.response("1", .opened), Self.response("2", .action("yes"), after: 1),
            Self.response("3", .reply(action: "reply", text: "Grüße\n🕰"), after: 2),
            Self.response("4", .dismissed, after: 3),
        ]
        try await store.commit(all.map { .putResponse($0) })
        try expectEqual(try await store.load().responses, all, "The responses, in the order of their dates")
        try await store.commit([.removeResponse(id: "2"), .removeResponse(id: "of nobody")])
        try expectEqual(
            try await store.load().responses.map(\.id),
            ["1", "3", "4"],
            "The responses after one was handled"
        )
    }

    func keepsSettings() async throws {
        let store = try await makeStore()
        let old = NoticeCategory("old")
        let new = [
            NoticeCategory("z", actions: [NoticeAction("b", title: "B"), NoticeAction("a", title: "A")]),
            NoticeCategory("a", reportsDismissal: true),
        ]
        let instant = TriggerInstant(wall: -1, boot: NumberBounds.microseconds.upperBound)
        let mapping = ClockMapping(bootID: "boot", instant: instant, zone: "Europe/Berlin")
        try await store.commit([.putCategories([old]), .putAuthorization(.denied)])
        try await store.commit([.putCategories(new), .putAuthorization(.provisional), .putClockMapping(mapping)])
        var state = try await store.load()
        try expectEqual(state.categories, new, "The categories")
        try expectEqual(state.authorization, .provisional, "The authorization")
        try expectEqual(state.clockMapping, mapping, "The clock mapping")
        let entries = [OwnedEntry(key: "e", fingerprint: "1", requestIDs: ["a", "b"])]
        let outdated = [OwnedEntry(key: "old", fingerprint: "1", requestIDs: [])]
        try await store.commit([.putOwner("x", outdated), .putOwner("é", entries), .putOwner("gone", entries)])
        try await store.commit([.putOwner("x", entries), .putOwner("gone", [])])
        state = try await store.load()
        try expectEqual(state.owners, ["x": entries, "é": entries], "The owners' entries")
        try expectEqual(state.quietHours, nil, "The quiet hours before any were put")
        let hours = QuietHours(
            [
                QuietHours.Period(from: "22:00", to: "7:00"),
                QuietHours.Period(from: "0:00", to: "0:01", on: [.sunday, .saturday]),
            ],
            behavior: .deliverQuietly
        )
        try await store.commit([.putQuietHours(hours)])
        try expectEqual(try await store.load().quietHours, hours, "The quiet hours")
        try await store.commit([.putQuietHours(nil)])
        try expectEqual(try await store.load().quietHours, nil, "The quiet hours after they were turned off")
        try await store.commit([.putCategories([])])
        state = try await store.load()
        try expectEqual(state.categories, [], "The categories after none were put")
    }

    func keepsAnyText() async throws {
        let store = try await makeStore()
        let texts = [
            "'; DROP TABLE requests; --", "%s%n\\\"'`$(id)", "A\0B", "\u{1B}[31m\r\n\t", "e\u{301} and é",
            "\u{FFFF}\u{10FFFF}",
            "../../etc/passwd", " leading and trailing ", String(repeating: "🕰", count: 256),
        ]
        var revision: Int64 = 0
        for text in texts {
            revision += 1
            let request = Self.request(
                text,
                NoticeContent(title: text, body: text, userInfo: [text: .string(text)])
            )
            let line = HistoryEntry(requestID: text, date: Self.date, outcome: .failed, detail: text)
            try await store.commit([
                .putRequest(request, revision: revision, TriggerProgress(anchor: 0)), .appendHistory(line),
            ])
            try expectEqual(
                try await store.request(revision: revision).map { Array($0.content.body.utf8) },
                Array(text.utf8),
                "The bytes of \(text.debugDescription)"
            )
            try expectEqual(
                try await store.history(HistoryQuery(requestID: text)).last,
                line,
                "The line of \(text.debugDescription)"
            )
        }
        let long = String(repeating: "0123456789abcdef", count: 65_536)
        try await store.commit([
            .putRequest(Self.request("long", NoticeContent(title: long)), revision: 1000, TriggerProgress(anchor: 0))
        ])
        try expectEqual(
            try await store.request(revision: 1000)?.content.title.utf8.count,
            long.utf8.count,
            "A megabyte of title"
        )
    }

    func survivesReopening() async throws {
        guard let reopen else { throw ConformanceSkip("the suite was not told how to reopen a store") }
        let store = try await makeStore()
        try await fill(store)
        let before = try await StoreContents(store)
        let again = try await reopen(store)
        try expectEqual(try await StoreContents(again), before, "The store after it was opened anew")
        try expectEqual(try await again.request(revision: 1)?.id, "removed", "The content of a removed request")
        try await again.commit([Self.put("after", before.state.nextRevision)])
        try expectEqual(try await again.load().pending.last?.id, "after", "A request put after reopening")
    }

    func isAtomic() async throws {
        guard let breakNextTransaction else {
            throw ConformanceSkip("the suite was not given a way to make a transaction fail")
        }
        let store = try await makeStore()
        try await fill(store)
        let before = try await StoreContents(store)
        try await breakNextTransaction(store)
        do {
            try await store.commit([
                Self.put("half", 50), .updateProgress(revision: 2, TriggerProgress(anchor: 1)),
                .removeDelivery(id: "d"), .removeResponse(id: "r"), .appendHistory(Self.line("half", 9)),
                .putAuthorization(.denied), .putCategories([]), .putPlace(revision: 2, nil),
                .putPlace(revision: 3, RegionProgress(isInside: false)), .putPlaceMarks(RegionMarks()),
                .putFeed("w", nil), .removeRequest(revision: 3), .dropContent(revision: 1),
            ])
            throw ConformanceError("The transaction that was to fail did not; is breakNextTransaction right?")
        } catch let error as NoticeError {
            try expectEqual(error.code, .storeFailed, "The code of the error")
        }
        try expectEqual(try await StoreContents(store), before, "The store after a commit that failed")
        try expectEqual(try await store.request(revision: 1)?.id, "removed", "Content that the failed commit dropped")
        try expectEqual(try await store.request(revision: 50), nil, "Content that the failed commit put")
        if let reopen {
            try expectEqual(
                try await StoreContents(try await reopen(store)),
                before,
                "The store, opened anew after the failure"
            )
        }
    }

    /// Stores one or more records of most kinds.
    private func fill(_ store: any RequestStore) async throws {
        try await store.commit([
            Self.put("removed", 1), Self.put("a", 2), Self.put("b", 3), .removeRequest(revision: 1),
            .putDelivery(Self.delivery("d", of: "removed", revision: 1)), .putResponse(Self.response("r")),
            .appendHistory(Self.line("a", 1)), .putCategories([NoticeCategory("c")]), .putAuthorization(.authorized),
            .putClockMapping(
                ClockMapping(bootID: "boot", instant: TriggerInstant(wall: 1, boot: 2), zone: "UTC")
            ),
            .putPlace(revision: 2, RegionProgress(isInside: true, since: TriggerInstant(wall: 3, boot: 4))),
            .putPlaceMarks(RegionMarks(evaluated: [.init(revision: 3, accuracy: 200)], lastFix: 5)),
            .putFeed("w", RegionFeedRecord(latitude: 1, longitude: 2, done: ["z"])),
        ])
    }
}
