import Belfry
import BelfryAgent
import BelfryBus
import Foundation
import Synchronization

/// The members of org.belfry.Agent1. Each one's first argument is the application's identifier; values are JSON.
extension AgentService {
    func interface() -> BusInterface {
        BusInterface(AgentNames.agent, methods: requests + screen + settings)
    }

    private var requests: [BusMethod] {
        [
            BusMethod(
                "Register",
                takes: [app, BusArgument("name", "s"), BusArgument("options", "a{sv}")],
                later: { [weak self] call in try await self?.answer { try await $0.register(call) } ?? [] }
            ),
            storing(
                "Add",
                takes: [BusArgument("requests", "as"), BusArgument("all_or_nothing", "b")],
                returns: report
            ) { call in
                let requests = try await call.values(NoticeRequest.self, call.strings, atMost: RequestLength.limit)
                return [
                    try await call.text(try await call.add(requests, allOrNothing: call.arguments[1].boolean ?? true))
                ]
            },
            storing("AddSeries", takes: [BusArgument("series", "s")], returns: report) { call in
                let series = try await call.value(NoticeSeries.self)
                try call.caller.rules?.check(
                    NoticeRequest(id: series.id, content: series.content, escalation: series.escalation)
                )
                return [try await call.text(try await call.center.add(series))]
            },
            storing("Show", takes: [BusArgument("request", "s")], returns: [BusArgument("notice", "s")]) { call in
                let request = try await call.value(NoticeRequest.self)
                try call.caller.rules?.check(request)
                return [try await call.text(try await call.center.show(request))]
            },
            method(
                "Fingerprints",
                takes: [BusArgument("owner", "s")],
                returns: [BusArgument("fingerprints", "s")]
            ) { call in
                [try await call.text(try await call.center.engine.fingerprints(of: call.string))]
            },
            storing(
                "Synchronize",
                takes: [BusArgument("owner", "s"), BusArgument("entries", "as"), BusArgument("trial", "b")],
                returns: report
            ) { call in
                let texts = call.arguments[1].strings ?? []
                let entries = try await call.values(OwnedRequests.Entry.self, texts)
                for request in entries.lazy.compactMap(\.requests).joined() {
                    try call.caller.rules?.check(request)
                }
                let report = try await call.center.engine.synchronize(
                    OwnedRequests(owner: call.string, entries: entries),
                    isTrial: call.arguments[2].boolean ?? false
                )
                return [try await call.text(report)]
            },
            method(
                "Remove",
                takes: [BusArgument("identifiers", "as"), BusArgument("including_delivered", "b")],
                returns: report
            ) { call in
                let includesDelivered = call.arguments[1].boolean ?? false
                return [
                    try await call.text(
                        try await call.center.remove(call.strings, includingDelivered: includesDelivered)
                    )
                ]
            },
            method("RemoveAll", returns: report) { call in
                [try await call.text(try await call.center.removeAll())]
            },
            method("Snooze", takes: [BusArgument("response", "s"), BusArgument("choice", "s")]) { call in
                // It holds the request, and the request's data once more.
                let response = try await call.value(NoticeResponse.self, atMost: 2 * RequestLength.limit)
                if let request = response.request { try call.caller.rules?.check(request) }
                let text = call.arguments[1].string ?? ""
                guard let choice = SnoozeChoice(actionID: text) else {
                    throw NoticeError(
                        .invalidNotation,
                        "'\(text.prefix(80))' is no snooze, as 'belfry.snooze.after.300' is."
                    )
                }
                try await call.center.snooze(response, choice)
                return []
            },
            method("PendingSeries", takes: [offset], returns: page) { call in
                try await call.page { try await call.center.pendingSeries() }
            },
            method("Pending", takes: [offset], returns: page) { call in
                try await call.pendingPage()
            },
            method("NextFireDate", returns: date) { call in call.date(try await call.center.nextFireDate()) },
            method("NextFireDateOf", takes: [BusArgument("identifier", "s")], returns: date) { call in
                call.date(try await call.center.nextFireDate(of: call.string))
            },
        ]
    }

    private var screen: [BusMethod] {
        [
            method("Delivered", takes: [offset], returns: page) { call in
                try await call.page { try await call.center.delivered() }
            },
            method("RemoveDelivered", takes: [BusArgument("identifiers", "as")]) { call in
                try await call.center.removeDelivered(call.strings)
                return []
            },
            method("RemoveAllDelivered") { call in
                try await call.center.removeAllDelivered()
                return []
            },
            method("History", takes: [BusArgument("query", "s"), offset], returns: page) { call in
                let query = try await call.value(HistoryQuery.self)
                return try await call.page { try await call.center.history(query) }
            },
        ]
    }

    private var settings: [BusMethod] {
        [
            storing("SetCategories", takes: [BusArgument("categories", "s")]) { call in
                let categories = try await call.value([NoticeCategory].self)
                try call.caller.rules?.check(categories)
                try await call.center.setCategories(categories)
                return []
            },
            method("Categories", returns: [BusArgument("categories", "s")]) { call in
                [try await call.text(try await call.center.categories())]
            },
            method("Capabilities", returns: [BusArgument("capabilities", "s")]) { call in
                [try await call.text(try await call.center.capabilities())]
            },
            method(
                "PreviewDelivery",
                takes: [
                    BusArgument("content", "s"), BusArgument("identifier", "s"), BusArgument("languages", "as"),
                ],
                returns: [BusArgument("preview", "s")]
            ) { call in
                let content = try await call.value(NoticeContent.self)
                let id = call.arguments[1].string ?? ""
                try call.caller.rules?.check(content)
                let languages = call.arguments[2].strings ?? []
                let preview = try await call.center.engine.previewDelivery(
                    of: content,
                    id: id,
                    languages: languages.isEmpty ? nil : languages
                )
                return [try await call.text(preview)]
            },
            method("DoNotDisturb", returns: [BusArgument("state", "s")]) { call in
                [try await call.text(await call.center.doNotDisturb())]
            },
            method("DesktopPermission", returns: [BusArgument("state", "s")]) { call in
                [try await call.text(await call.center.desktopPermission())]
            },
            storing("SetBadge", takes: [BusArgument("count", "x")]) { call in
                try await call.center.setBadge(Int(call.arguments[0].integer(Int64.self) ?? 0))
                return []
            },
            storing("SetQuietHours", takes: [hours]) { call in
                try await call.center.setQuietHours(try await call.value(QuietHours?.self))
                return []
            },
            method("QuietHours", returns: [hours]) { call in
                [try await call.text(try await call.center.quietHours())]
            },
            method("AuthorizationStatus", returns: status) { call in
                [try await call.text(try await call.center.authorizationStatus())]
            },
            storing("RequestAuthorization", returns: status) { call in
                [try await call.text(try await call.center.requestAuthorization())]
            },
            storing("SetAuthorization", takes: [BusArgument("status", "s")]) { call in
                // An app in a sandbox can't allow itself.
                guard call.caller.sandboxed == nil else {
                    throw NoticeError(.accessDenied, "A sandboxed application can't change its own permission.")
                }
                try await call.center.setAuthorization(try await call.value(AuthorizationStatus.self))
                return []
            },
            BusMethod(
                "Release",
                takes: [app],
                later: { [weak self] call in
                    try await self?.answer { service in
                        let app = try await service.app(of: call)
                        guard app.caller.sandboxed == nil else {
                            throw NoticeError(.accessDenied, "A sandboxed application can't release itself.")
                        }
                        try await service.host(of: app.identity).release()
                        return []
                    } ?? []
                }
            ),
            anyone("Status", returns: [BusArgument("status", "s")]) { service, caller in
                guard caller.sandboxed == nil else {
                    throw NoticeError(.accessDenied, "A sandboxed application can't see what others have here.")
                }
                return [.string(try AgentCoding().text(await service.status()))]
            },
            anyone("Apps", returns: [BusArgument("identifiers", "as")]) { service, caller in
                [.strings(service.knownApps().filter { caller.sandboxed == nil || caller.sandboxed == $0 })]
            },
        ]
    }

    private var app: BusArgument { BusArgument("app", "s") }
    private var hours: BusArgument { BusArgument("hours", "s") }
    private var offset: BusArgument { BusArgument("offset", "u") }
    private var report: [BusArgument] { [BusArgument("report", "s")] }
    private var status: [BusArgument] { [BusArgument("status", "s")] }
    private var page: [BusArgument] { [BusArgument("page", "as"), BusArgument("more", "b")] }
    private var date: [BusArgument] { [BusArgument("found", "b"), BusArgument("microseconds", "x")] }

    /// A method about one app, whose caller may speak for it. It stores nothing: an app that has no store is none the richer.
    private func method(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        _ body: @escaping @Sendable (AppCall) async throws -> [BusValue]
    ) -> BusMethod {
        answering(name, takes, returns) { service, app, caller, call in
            let host = service.hostForAsking(app)
            let answer: @Sendable (NoticeCenter) async throws -> [BusValue] = { center in
                try await body(AppCall(call, of: name, by: caller, to: center, at: host, lists: service.lists))
            }
            guard try host.hasStore() else { return try await host.useNothing(answer) }
            return try await service.host(of: app).use(answer)
        }
    }

    /// A method about one app that may store something, for which a store is made where there is none.
    private func storing(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        _ body: @escaping @Sendable (AppCall) async throws -> [BusValue]
    ) -> BusMethod {
        answering(name, takes, returns) { service, app, caller, call in
            let host = service.host(of: app)
            return try await host.use { center in
                try await body(AppCall(call, of: name, by: caller, to: center, at: host, lists: service.lists))
            }
        }
    }

    private func answering(
        _ name: String,
        _ takes: [BusArgument],
        _ returns: [BusArgument],
        _ work:
            @escaping @Sendable (AgentService, AppIdentity, CallerIdentity, BusIncomingCall) async throws -> [BusValue]
    ) -> BusMethod {
        BusMethod(
            name,
            takes: [app] + takes,
            returns: returns,
            later: { [weak self] call in
                try await self?.answer { service in
                    let app = try await service.app(of: call)
                    return try await work(service, app.identity, app.caller, call)
                } ?? []
            }
        )
    }

    private func app(
        of call: BusIncomingCall
    ) async throws(NoticeError) -> (identity: AppIdentity, caller: CallerIdentity) {
        let id = call.arguments.first?.string ?? ""
        let caller = try await self.caller(of: call)
        try caller.check(mayUse: id)
        // Before anything is kept under it.
        _ = try options.place.folder(of: id)
        return (AppIdentity(id: id), caller)
    }

    /// A method that speaks for no app, and wants to know who asks.
    private func anyone(
        _ name: String,
        returns: [BusArgument],
        _ work: @escaping @Sendable (AgentService, CallerIdentity) async throws -> [BusValue]
    ) -> BusMethod {
        BusMethod(
            name,
            returns: returns,
            later: { [weak self] call in
                try await self?.answer { try await work($0, $0.caller(of: call)) } ?? []
            }
        )
    }

    private func caller(of call: BusIncomingCall) async throws(NoticeError) -> CallerIdentity {
        try await CallerIdentity.of(call.sender, on: bus, processes: options.processes)
    }

    /// What is thrown goes over the bus by its code.
    private func answer(_ work: (AgentService) async throws -> [BusValue]) async throws -> [BusValue] {
        callsBeingAnswered.add(1, ordering: .sequentiallyConsistent)
        defer {
            callsBeingAnswered.subtract(1, ordering: .sequentiallyConsistent)
            lifetime.look()
        }
        do { return try await work(self) } catch let error as NoticeError { throw BusError.answer(error) }
    }

    private func register(_ call: BusIncomingCall) async throws -> [BusValue] {
        let id = call.arguments[0].string ?? ""
        let options = call.arguments[2]
        let caller = try await self.caller(of: call)
        try caller.check(mayUse: id)
        let command = options[RegistrationKey.command]?.strings
        if let command {
            guard caller.sandboxed == nil else {
                throw NoticeError(
                    .accessDenied,
                    "A sandboxed application can't have a command run outside: make it DBusActivatable."
                )
            }
            guard let program = command.first, program.hasPrefix("/") else {
                throw NoticeError(
                    .invalidContent,
                    "The command '\(command.joined(separator: " "))' must begin with an absolute path."
                )
            }
        }
        _ = try self.options.place.folder(of: id)
        var icon: NoticeIcon?
        if let text = options[RegistrationKey.icon]?.string {
            icon = try await hostForAsking(AppIdentity(id: id)).queue.value(NoticeIcon.self, text)
        }
        var identity = try self.identity(id, named: call.arguments[1].string ?? "", caller)
        if let icon {
            try caller.rules?.check(icon)
            identity.icon = icon
        }
        let host = host(of: identity)
        try await host.remember(
            name: identity.name,
            icon: icon,
            command: command,
            isActivatable: options[RegistrationKey.activatable]?.boolean
        )
        if try host.hasStore() { try await host.open() }
        try await register(AppSession(identity, options, sandboxed: caller.sandboxed), at: call.sender)
        return []
    }

    /// Who a caller is to the user. A sandboxed app is named as its desktop file names it, whatever it says.
    private func identity(
        _ id: String,
        named name: String,
        _ caller: CallerIdentity
    ) throws(NoticeError) -> AppIdentity {
        guard caller.sandboxed == nil else {
            return AppIdentity(id: id, name: DesktopEntry.name(of: id, in: options.dataFolders))
        }
        guard name.utf8.count <= 1_024 else {
            throw NoticeError(
                .invalidContent,
                "The application's name has \(name.utf8.count) bytes: 1,024 is the most."
            )
        }
        return AppIdentity(id: id, name: name.isEmpty ? nil : name)
    }
}
