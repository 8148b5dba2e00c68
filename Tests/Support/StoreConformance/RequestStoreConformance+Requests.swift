import Belfry
import BelfryTesting
import FoundationEssentials
import StoreWorkload

extension RequestStoreConformance {
    func startsEmpty() async throws {
        let store = try await makeStore()
        let state = try await store.load()
        try expect(state.pending.isEmpty, "\(state.pending.count) requests are pending")
        try expect(state.deliveries.isEmpty, "\(state.deliveries.count) deliveries are known")
        try expect(state.responses.isEmpty, "\(state.responses.count) responses wait")
        try expectEqual(state.categories, [], "The categories")
        try expectEqual(state.authorization, nil, "The authorization")
        try expectEqual(state.clockMapping, nil, "The clock mapping")
        try expect(state.nextRevision >= 1, "The next revision is \(state.nextRevision)")
        try expectEqual(try await store.history(HistoryQuery()), [], "The history")
        try expectEqual(try await store.request(revision: 1), nil, "The content of revision 1")
    }

    func keepsRequests() async throws {
        let store = try await makeStore()
        var revision: Int64 = 0
        for request in Self.requestsOfEveryKind {
            revision += 1
            let progress = TriggerProgress(
                anchor: -revision,
                fired: Int(revision),
                lastDue: .max - revision,
                lastLocal: .min + revision
            )
            try await store.commit([.putRequest(request, revision: revision, progress)])
            try expectEqual(
                try await store.request(revision: revision),
                request,
                "The content of \"\(request.id)\""
            )
            let pending = try await store.load().pending.last
            try expectEqual(pending?.id, request.id, "The pending identifier \"\(request.id)\"")
            try expectEqual(
                pending?.trigger.map { AnyHashable($0) },
                request.trigger.map { AnyHashable($0) },
                "The pending trigger of \"\(request.id)\""
            )
            try expectEqual(pending?.traits, RequestTraits.of(request), "The traits of \"\(request.id)\"")
            try expectEqual(
                try await store.requests(revisions: [revision, revision + 1_000]),
                [revision: request],
                "The content of \"\(request.id)\" among many"
            )
            try expectEqual(pending?.revision, revision, "The revision of \"\(request.id)\"")
            try expectEqual(pending?.progress, progress, "The progress of \"\(request.id)\"")
        }
    }

    func renewsRequests() async throws {
        let store = try await makeStore()
        try await store.commit([Self.put("a", 1), Self.put("b", 2)])
        var renewed = Self.request("a")
        renewed.trigger = .date(Self.date.addingTimeInterval(60))
        let progress = TriggerProgress(anchor: 7)
        try await store.commit([.putRequest(renewed, revision: 1, progress)])
        try expectEqual(try await store.request(revision: 1), renewed, "The content of revision 1")
        let pending = try await store.load().pending
        try expectEqual(pending.map(\.revision), [1, 2], "The pending revisions")
        try expectEqual(
            pending.first?.trigger.map { AnyHashable($0) },
            renewed.trigger.map { AnyHashable($0) },
            "The pending trigger"
        )
        try expectEqual(pending.first?.progress, progress, "The progress")
    }

    func loadsInOrder() async throws {
        let store = try await makeStore()
        // Identifiers in another order than revisions, and one transaction with revisions out of order.
        try await store.commit([Self.put("z", 1), Self.put("m", 10), Self.put("a", 2)])
        try await store.commit([Self.put("b", 3)])
        try await store.commit([.updateProgress(revision: 1, TriggerProgress(anchor: 99))])
        let loaded = try await store.load().pending
        try expectEqual(loaded.map(\.revision), [1, 2, 3, 10], "The revisions")
        try expectEqual(loaded.map(\.id), ["z", "a", "b", "m"], "The identifiers")
    }

    func neverReusesRevisions() async throws {
        let store = try await makeStore()
        try await store.commit([Self.put("a", 41)])
        try expect(try await store.load().nextRevision > 41, "It is not greater than 41, which is stored")
        try await store.commit([.removeRequest(revision: 41), .dropContent(revision: 41)])
        let next = try await store.load().nextRevision
        try expect(next > 41, "It is \(next) after revision 41 was stored and dropped")
    }

    func updatesProgress() async throws {
        let store = try await makeStore()
        try await store.commit([Self.put("a", 1), Self.put("b", 2)])
        let progress = TriggerProgress(anchor: 7, fired: 3, lastDue: 1_800_000_000_000_000, lastLocal: -3600)
        try await store.commit([.updateProgress(revision: 1, progress)])
        let pending = try await store.load().pending
        try expectEqual(pending.first?.progress, progress, "The progress of revision 1")
        try expectEqual(pending.last?.progress, TriggerProgress(anchor: 20), "The progress of revision 2")
        try expectEqual(try await store.request(revision: 1), Self.request("a"), "The request of revision 1")
    }

    func keepsContentUntilDropped() async throws {
        let store = try await makeStore()
        try await store.commit([Self.put("a", 1)])
        try await store.commit([.removeRequest(revision: 1), Self.put("a", 2)])
        try expectEqual(try await store.load().pending.map(\.revision), [2], "The pending revisions")
        try expectEqual(try await store.request(revision: 1), Self.request("a"), "The content of the removed revision")
        try await store.commit([.dropContent(revision: 1)])
        try expectEqual(try await store.request(revision: 1), nil, "The content of the dropped revision")
        try expectEqual(try await store.request(revision: 2), Self.request("a"), "The content of the pending revision")
    }

    func appliesBatchesInOrder() async throws {
        let store = try await makeStore()
        let first = Self.delivery("d", of: "a", revision: 1)
        var second = first
        second.shownAt = TriggerInstant(wall: 2, boot: 2)
        try await store.commit([
            Self.put("a", 1), .updateProgress(revision: 1, TriggerProgress(anchor: 5)), .removeRequest(revision: 1),
            Self.put("a", 2), .updateProgress(revision: 2, TriggerProgress(anchor: 6)),
            .updateProgress(revision: 2, TriggerProgress(anchor: 7)),
            .putDelivery(first), .putDelivery(second),
            .putResponse(Self.response("r")), .removeResponse(id: "r"),
            .putAuthorization(.denied), .putAuthorization(.authorized),
            .appendHistory(Self.line("a", 2)), .appendHistory(Self.line("a", 1)),
        ])
        let state = try await store.load()
        try expectEqual(state.pending.map(\.revision), [2], "Put, removed, and put again under another revision")
        try expectEqual(state.pending.first?.progress.anchor, 7, "Updated twice")
        try expectEqual(state.deliveries, [second], "A delivery that was put twice")
        try expectEqual(state.responses, [], "A response that was put and removed")
        try expectEqual(state.authorization, .authorized, "The authorization that was put twice")
        // In the order of appending, not by date: the clock may have been set back in between.
        try expectEqual(try await store.history(HistoryQuery()), [Self.line("a", 2), Self.line("a", 1)], "The history")
    }

    func takesEmptyBatches() async throws {
        let store = try await makeStore()
        try await store.commit([Self.put("a", 1)])
        let before = try await StoreContents(store)
        try await store.commit([])
        try expectEqual(try await StoreContents(store), before, "The store after an empty batch")
    }

    func takesLargeBatches() async throws {
        let store = try await makeStore()
        try await store.commit((1...10_000).map { Self.put("request \($0)", $0) })
        let pending = try await store.load().pending
        try expectEqual(pending.count, 10_000, "The pending requests")
        try expectEqual(pending.last?.id, "request 10000", "The last one")
        try await store.commit((1...10_000).map { .removeRequest(revision: $0) })
        try expectEqual(try await store.load().pending.count, 0, "The pending requests after all were removed")
    }

    func takesConcurrentCommits() async throws {
        let store = try await makeStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...50 {
                let revision = Int64(number) * 2
                group.addTask {
                    try await store.commit([
                        Self.put("a\(number)", revision), Self.put("b\(number)", revision + 1),
                        .appendHistory(Self.line("a\(number)", number)),
                    ])
                    try expectEqual(
                        try await store.request(revision: revision)?.id,
                        "a\(number)",
                        "What was just committed"
                    )
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(try await store.load().pending.map(\.revision), Array(2...101), "The revisions")
        try expectEqual(try await store.history(HistoryQuery()).count, 50, "The lines of the history")
    }

    /// Requests with each kind of trigger, with policies and contents that use every field.
    private static var requestsOfEveryKind: [NoticeRequest] {
        var full = NoticeContent(
            title: "Title",
            subtitle: "Subtitle",
            body: "<b>Body</b>",
            icon: .named("alarm-symbolic"),
            image: .pixels(NoticeImage.Pixels(width: 1, height: 1, hasAlpha: true, bytes: [0, 127, 128, 255])),
            sound: .file("/sounds/bell.oga"),
            level: .timeSensitive,
            actions: [
                NoticeAction("a", title: "Yes"), NoticeAction("b", title: "No", kind: .reply(placeholder: "Why?")),
            ],
            progress: 0.1,
            userInfo: ["deep": .object(["list": .array([.bool(true), .null, .int(.min), .double(1e-9), .string("")])])]
        ).with {
            $0.bodyFormat = .markup
            $0.translations = ["de": .init(title: "Titel", actions: ["a": "Ja"])]
            $0.relevance = 0.3
            $0.category = "category"
            $0.thread = "thread"
            $0.badge = 0
            $0.attachments = [NoticeAttachment(id: "x", path: "/x.png", mediaType: "image/png")]
            $0.desktop.expiry = .after(.milliseconds(1500))
            $0.desktop.isTransient = true
            $0.desktop.isResident = true
            $0.desktop.category = "im.received"
        }
        full.desktop.appName = "Ada's app"
        full.desktop.hints = [
            "x-byte": .byte(255), "x-int": .int(.min), "x-wide": .int64(.max), "x-double": .double(0.1),
        ]
        return [
            NoticeRequest(id: "now", title: "No trigger"),
            NoticeRequest(id: "immediate", content: full, trigger: .now, misfire: .skip),
            NoticeRequest(
                id: "interval",
                content: full,
                trigger: .every(.seconds(90)),
                misfire: .deliver(within: .seconds(60))
            ),
            NoticeRequest(id: "date", content: full, trigger: .date(date), series: "base", dismissalEnds: true),
            NoticeRequest(
                id: "region",
                content: full,
                trigger: LocationTrigger(
                    region: CircularRegion(latitude: 48.137, longitude: -11.575, radius: 150),
                    edge: .both,
                    dwell: .seconds(5),
                    repeats: true
                ),
                endsWhenAnswered: true,
                languages: ["de", "en"]
            ),
            NoticeRequest(
                id: "foreign",
                content: full,
                trigger: TriggerRegistry.UnknownTrigger(
                    storedKind: "tide",
                    payload: .object(["port": .string("Cuxhaven")])
                )
            ),
        ]
    }
}
