import Belfry
import BelfryAgent
import BelfryBus
import FoundationEssentials
import Synchronization

/// The members of org.belfry.Agent1. The first argument of each is the application's identifier; values are JSON.
extension AgentService {
    func interface() -> BusInterface {
        BusInterface(AgentNames.agent, methods: requests + screen + settings + agent)
    }

    private var requests: [BusMethod] {
        [
            method("Add", ["requests": "as", "all_or_nothing": "b"], returns: "report", storing: true) { call in
                try await call.add(allOrNothing: call.arguments[1].boolean ?? true)
            },
            method("AddSeries", ["series": "s"], returns: "report", storing: true) { call in
                try await call.center.add(try await call.value(NoticeSeries.self, checking: call.caller.rules?.check))
            },
            method("Show", ["request": "s"], returns: "notice", storing: true) { call in
                try await call.center.show(try await call.value(NoticeRequest.self, checking: call.caller.rules?.check))
            },
            method("Fingerprints", ["owner": "s"], returns: "fingerprints") { call in
                try await call.center.engine.fingerprints(of: call.string)
            },
            method(
                "Synchronize",
                ["owner": "s", "entries": "as", "trial": "b"],
                returns: "report",
                storing: true
            ) { call in
                let (texts, rules) = (call.arguments[1].strings ?? [], call.caller.rules)
                let entries = try await call.queue.perform { coding throws(NoticeError) in
                    let entries = try coding.values(OwnedRequests.Entry.self, texts)
                    for entry in entries { try rules?.check(entry) }
                    return entries
                }
                return try await call.center.engine.synchronize(
                    OwnedRequests(owner: call.string, entries: entries),
                    isTrial: call.arguments[2].boolean ?? false
                )
            },
            method("Renew", ["identifier": "s", "trigger": "s"]) { call in
                let trigger = try await call.queue.value(
                    ForwardedDatesTrigger.self,
                    call.arguments[1].string ?? "",
                    atMost: AgentCoding.requestLimit
                )
                try await call.center.renew(call.string) { current in
                    (current as? ForwardedDatesTrigger)?.original == trigger.original ? trigger : nil
                }
            },
            method("Remove", ["identifiers": "as", "including_delivered": "b"], returns: "report") { call in
                try await call.center.remove(
                    call.strings,
                    includingDelivered: call.arguments[1].boolean ?? false
                )
            },
            method("RemoveAll", returns: "report") { call in try await call.center.removeAll() },
            method("Snooze", ["response": "s", "choice": "s"]) { call in
                let response = try await call.value(NoticeResponse.self, checking: call.caller.rules?.check)
                let text = call.arguments[1].string ?? ""
                guard let choice = SnoozeChoice(actionID: text) else {
                    throw NoticeError(
                        .invalidNotation,
                        "'\(text.prefix(80))' is no snooze, as 'belfry.snooze.after.300' is."
                    )
                }
                try await call.center.snooze(response, choice)
            },
            list("PendingSeries") { call in try await call.page { try await call.center.pendingSeries() } },
            list("Pending") { call in try await call.pendingPage() },
            date("NextFireDate") { call in try await call.center.nextFireDate() },
            date("NextFireDateOf", ["identifier": "s"]) { call in
                try await call.center.nextFireDate(of: call.string)
            },
        ]
    }

    private var screen: [BusMethod] {
        [
            list("Delivered") { call in try await call.page { try await call.center.delivered() } },
            method("RemoveDelivered", ["identifiers": "as"]) { call in
                try await call.center.removeDelivered(call.strings)
            },
            method("RemoveAllDelivered") { call in try await call.center.removeAllDelivered() },
            list("History", ["query": "s"]) { call in
                let query = try await call.value(HistoryQuery.self)
                return try await call.page { try await call.center.history(query) }
            },
        ]
    }

    private var settings: [BusMethod] {
        [
            method("SetCategories", ["categories": "s"], storing: true) { call in
                try await call.center.setCategories(
                    try await call.value([NoticeCategory].self, checking: call.caller.rules?.check)
                )
            },
            method("Categories", returns: "categories") { call in try await call.center.categories() },
            method("Capabilities", returns: "capabilities") { call in try await call.center.capabilities() },
            method(
                "PreviewDelivery",
                ["content": "s", "identifier": "s", "languages": "as"],
                returns: "preview"
            ) { call in
                let content = try await call.value(NoticeContent.self, checking: call.caller.rules?.check)
                let languages = call.arguments[2].strings ?? []
                return try await call.center.engine.previewDelivery(
                    of: content,
                    id: call.arguments[1].string ?? "",
                    languages: languages.isEmpty ? nil : languages
                )
            },
            method("DoNotDisturb", returns: "state") { call in await call.center.doNotDisturb() },
            method("DesktopPermission", returns: "state") { call in await call.center.desktopPermission() },
            method("SetBadge", ["count": "x"], storing: true) { call in
                try await call.center.setBadge(call.arguments[0].integer() ?? 0)
            },
            method("SetQuietHours", ["hours": "s"], storing: true) { call in
                try await call.center.setQuietHours(try await call.value(QuietHours?.self))
            },
            method("QuietHours", returns: "hours") { call in try await call.center.quietHours() },
            method("AuthorizationStatus", returns: "status") { call in
                try await call.center.authorizationStatus()
            },
            method("RequestAuthorization", returns: "status", storing: true) { call in
                try await call.center.requestAuthorization()
            },
            method("SetAuthorization", ["status": "s"], storing: true) { call in
                // A sandboxed app can't grant itself permission.
                try call.caller.checkIsFree("change its own permission")
                try await call.center.setAuthorization(try await call.value(AuthorizationStatus.self))
            },
        ]
    }

    /// The methods that need no app's center.
    private var agent: [BusMethod] {
        [
            method("Register", [("app", "s"), ("name", "s"), ("options", "a{sv}")], [:]) { service, call in
                try await service.register(call)
                return []
            },
            method("Release", [("app", "s")], [:]) { service, call in
                let (app, caller) = try await service.app(of: call)
                try caller.checkIsFree("release itself")
                try await service.host(of: app).release()
                return []
            },
            method("Status", [], ["status": "s"]) { service, call in
                try await service.caller(of: call).checkIsFree("see what others have here")
                return [.string(try AgentCoding().text(await service.status()))]
            },
            method("Apps", [], ["identifiers": "as"]) { service, call in
                let sandboxed = try await service.caller(of: call).sandboxed
                return [.strings(service.knownApps().filter { sandboxed == nil || sandboxed == $0 })]
            },
        ]
    }

    // MARK: Kinds of methods

    /// The names of arguments with their types.
    private typealias Arguments = KeyValuePairs<String, BusSignature>

    /// A method about one app whose result is JSON.
    private func method(
        _ name: String,
        _ takes: Arguments = [:],
        returns result: String,
        storing: Bool = false,
        _ body: @escaping @Sendable (AppCall) async throws -> some Encodable & Sendable
    ) -> BusMethod {
        aboutApp(name, Array(takes), [result: "s"], storing: storing) { call in
            [.string(try await call.queue.text(try await body(call)))]
        }
    }

    private func method(
        _ name: String,
        _ takes: Arguments = [:],
        storing: Bool = false,
        _ body: @escaping @Sendable (AppCall) async throws -> Void
    ) -> BusMethod {
        aboutApp(name, Array(takes), [:], storing: storing) { call in
            try await body(call)
            return []
        }
    }

    private func date(
        _ name: String,
        _ takes: Arguments = [:],
        _ body: @escaping @Sendable (AppCall) async throws -> Date?
    ) -> BusMethod {
        aboutApp(name, Array(takes), ["found": "b", "microseconds": "x"]) { call in
            let date = try await body(call)
            return [.boolean(date != nil), .int64(Int64(((date?.timeIntervalSince1970 ?? 0) * 1e6).rounded()))]
        }
    }

    /// A method that returns one page of a list.
    private func list(
        _ name: String,
        _ takes: Arguments = [:],
        _ body: @escaping @Sendable (AppCall) async throws -> [BusValue]
    ) -> BusMethod {
        aboutApp(name, Array(takes) + [("offset", "u")], ["page": "as", "more": "b"], body)
    }

    /// A method about one app; the caller must be allowed to use its identifier. A method that may store something
    /// creates a missing store. Other methods create nothing for an app without a store.
    private func aboutApp(
        _ name: String,
        _ takes: [Arguments.Element],
        _ returns: Arguments,
        storing: Bool = false,
        _ body: @escaping @Sendable (AppCall) async throws -> [BusValue]
    ) -> BusMethod {
        method(name, [("app", "s")] + takes, returns) { service, call in
            let (app, caller) = try await service.app(of: call)
            let isKept = try storing || service.hostForAsking(app).hasStore()
            let host = isKept ? service.host(of: app) : service.hostForAsking(app)
            let perform: @Sendable (NoticeCenter) async throws -> [BusValue] = { center in
                try await body(AppCall(call, by: caller, to: center, at: host, lists: service.lists))
            }
            return isKept ? try await host.use(perform) : try await host.useNothing(perform)
        }
    }

    /// A method whose errors are sent over the bus by their codes.
    private func method(
        _ name: String,
        _ takes: [Arguments.Element],
        _ returns: Arguments,
        _ work: @escaping @Sendable (AgentService, BusIncomingCall) async throws -> [BusValue]
    ) -> BusMethod {
        BusMethod(
            name,
            takes: takes.map(BusArgument.init),
            returns: returns.map(BusArgument.init),
            later: { [weak self] call in
                guard let self else { return [] }
                workCount.add(1, ordering: .sequentiallyConsistent)
                defer { endWork() }
                do { return try await work(self, call) } catch let error as NoticeError {
                    throw BusError.reply(error)
                }
            }
        )
    }

    func app(
        of call: BusIncomingCall
    ) async throws(NoticeError) -> (identity: AppIdentity, caller: CallerIdentity) {
        let id = call.arguments.first?.string ?? ""
        let caller = try await self.caller(of: call)
        try caller.check(mayUse: id)
        // The identifier is validated before anything is stored under it.
        _ = try options.storage.folder(of: id)
        return (AppIdentity(id: id), caller)
    }

    private func caller(of call: BusIncomingCall) async throws(NoticeError) -> CallerIdentity {
        try await CallerIdentity.of(call.sender, on: bus, processes: options.processes)
    }
}
