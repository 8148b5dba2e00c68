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
            method("Add", takes: [BusArgument("requests", "as")], returns: report) { call in
                let requests = try call.service.coding.values(
                    NoticeRequest.self,
                    call.strings,
                    atMost: RequestLength.limit
                )
                for request in requests { try call.caller.rules?.check(request) }
                return [try call.text(try await call.center.add(requests))]
            },
            method("AddSeries", takes: [BusArgument("series", "s")], returns: report) { call in
                let series = try call.value(NoticeSeries.self)
                try call.caller.rules?.check(
                    NoticeRequest(id: series.base, content: series.content, escalation: series.escalation)
                )
                return [try call.text(try await call.center.add(series))]
            },
            method("Show", takes: [BusArgument("request", "s")], returns: [BusArgument("notice", "s")]) { call in
                let request = try call.value(NoticeRequest.self)
                try call.caller.rules?.check(request)
                return [try call.text(try await call.center.show(request))]
            },
            method(
                "Fingerprints",
                takes: [BusArgument("owner", "s")],
                returns: [BusArgument("fingerprints", "s")]
            ) { call in
                [try call.text(try await call.center.engine.fingerprints(of: call.string))]
            },
            method(
                "Synchronize",
                takes: [BusArgument("owner", "s"), BusArgument("entries", "as"), BusArgument("trial", "b")],
                returns: report
            ) { call in
                let texts = call.arguments[1].strings ?? []
                let entries = try call.service.coding.values(OwnedRequests.Entry.self, texts)
                for request in entries.lazy.compactMap(\.requests).joined() {
                    try call.caller.rules?.check(request)
                }
                let report = try await call.center.engine.synchronize(
                    OwnedRequests(owner: call.string, entries: entries),
                    isTrial: call.arguments[2].boolean ?? false
                )
                return [try call.text(report)]
            },
            method("Remove", takes: [BusArgument("identifiers", "as")], returns: report) { call in
                [try call.text(try await call.center.remove(call.strings))]
            },
            method("RemoveAll", returns: report) { call in
                [try call.text(try await call.center.removeAll())]
            },
            method("EndSeries", takes: [BusArgument("base", "s")], returns: report) { call in
                [try call.text(try await call.center.endSeries(call.string))]
            },
            method("RemoveSeries", takes: [BusArgument("base", "s")], returns: report) { call in
                [try call.text(try await call.center.removeSeries(call.string))]
            },
            method("Snooze", takes: [BusArgument("response", "s"), BusArgument("choice", "s")]) { call in
                // It holds the request, and the request's data once more.
                let response = try call.service.coding.value(
                    NoticeResponse.self,
                    call.string,
                    atMost: 2 * RequestLength.limit
                )
                if let request = response.request { try call.caller.rules?.check(request) }
                let text = call.arguments[1].string ?? ""
                guard let choice = SnoozeChoice(actionIdentifier: text) else {
                    throw NoticeError(
                        .invalidNotation,
                        "'\(text.prefix(80))' is no snooze, as 'belfry.snooze.after.300' is."
                    )
                }
                try await call.center.snooze(response, choice)
                return []
            },
            method("PendingSeries", takes: [offset], returns: page) { call in
                try call.page(try await call.center.pendingSeries())
            },
            method("Pending", takes: [offset], returns: page) { call in
                let (part, hasMore) = try await call.center.pending(from: call.offset, atMost: AgentNames.page)
                return try call.page(part, hasMore: hasMore)
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
                try call.page(try await call.center.delivered())
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
                try call.page(try await call.center.history(try call.value(LedgerQuery.self)))
            },
        ]
    }

    private var settings: [BusMethod] {
        [
            method("SetCategories", takes: [BusArgument("categories", "s")]) { call in
                let categories = try call.value([NoticeCategory].self)
                try call.caller.rules?.check(categories)
                try await call.center.setCategories(categories)
                return []
            },
            method("Categories", returns: [BusArgument("categories", "s")]) { call in
                [try call.text(try await call.center.categories())]
            },
            method("Capabilities", returns: [BusArgument("capabilities", "s")]) { call in
                [try call.text(try await call.center.capabilities())]
            },
            method(
                "PreviewDelivery",
                takes: [
                    BusArgument("content", "s"), BusArgument("identifier", "s"), BusArgument("languages", "as"),
                ],
                returns: [BusArgument("preview", "s")]
            ) { call in
                let content = try call.value(NoticeContent.self)
                let id = call.arguments[1].string ?? ""
                try call.caller.rules?.check(content)
                let languages = call.arguments[2].strings ?? []
                let preview = try await call.center.engine.previewDelivery(
                    of: content,
                    id: id,
                    languages: languages.isEmpty ? nil : languages
                )
                return [try call.text(preview)]
            },
            method("DoNotDisturb", returns: [BusArgument("state", "s")]) { call in
                [try call.text(await call.center.doNotDisturb())]
            },
            method("DesktopSwitch", returns: [BusArgument("state", "s")]) { call in
                [try call.text(await call.center.desktopSwitch())]
            },
            method("SetBadge", takes: [BusArgument("count", "x")]) { call in
                try await call.center.setBadge(Int(call.arguments[0].integer(Int64.self) ?? 0))
                return []
            },
            method("SetQuietHours", takes: [hours]) { call in
                try await call.center.setQuietHours(try call.value(QuietHours?.self))
                return []
            },
            method("QuietHours", returns: [hours]) { call in
                [try call.text(try await call.center.quietHours())]
            },
            method("AuthorizationStatus", returns: status) { call in
                [try call.text(try await call.center.authorizationStatus())]
            },
            method("RequestAuthorization", returns: status) { call in
                [try call.text(try await call.center.requestAuthorization())]
            },
            method("SetAuthorization", takes: [BusArgument("status", "s")]) { call in
                // An app in a sandbox can't allow itself.
                guard call.caller.sandboxed == nil else {
                    throw NoticeError(.accessDenied, "A sandboxed application can't change its own permission.")
                }
                try await call.center.setAuthorization(try call.value(AuthorizationStatus.self))
                return []
            },
            anyone("Status", returns: [BusArgument("status", "s")]) { service, caller in
                guard caller.sandboxed == nil else {
                    throw NoticeError(.accessDenied, "A sandboxed application can't see what others have here.")
                }
                return [.string(try service.coding.text(await service.status()))]
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

    /// A method about one app, whose caller may speak for it.
    private func method(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = [],
        _ body: @escaping @Sendable (AppCall) async throws -> [BusValue]
    ) -> BusMethod {
        BusMethod(
            name,
            takes: [app] + takes,
            returns: returns,
            later: { [weak self] call in
                try await self?.answer { service in try await body(try await service.checked(call)) } ?? []
            }
        )
    }

    private func checked(_ call: BusIncomingCall) async throws(NoticeError) -> AppCall {
        let id = call.arguments.first?.string ?? ""
        let caller = try await self.caller(of: call)
        try caller.check(mayUse: id)
        let center = try await host(of: AppIdentity(id: id)).center()
        return AppCall(service: self, caller: caller, center: center, arguments: Array(call.arguments.dropFirst()))
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
        let icon = try options[RegistrationKey.icon]?.string.map { try coding.value(NoticeIcon.self, $0) }
        var identity = try self.identity(id, named: call.arguments[1].string ?? "", caller)
        if let icon {
            try caller.rules?.check(icon)
            identity.icon = icon
        }
        let host = try await host(of: identity)
        try host.remember(
            name: identity.name,
            icon: icon,
            command: command,
            isActivatable: options[RegistrationKey.activatable]?.boolean
        )
        try await register(AppSession(identity, options, sandboxed: caller.sandboxed), at: call.sender)
        return []
    }
}

extension AgentService {
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

/// A call about one app: its center, and its arguments after the identifier.
struct AppCall: Sendable {
    let service: AgentService
    let caller: CallerIdentity
    let center: NoticeCenter
    let arguments: [BusValue]

    var string: String { arguments.first?.string ?? "" }
    var strings: [String] { arguments.first?.strings ?? [] }

    func value<Value: Decodable>(_ type: Value.Type) throws(NoticeError) -> Value {
        try service.coding.value(type, string, atMost: RequestLength.limit)
    }

    func text(_ value: some Encodable) throws(NoticeError) -> BusValue { .string(try service.coding.text(value)) }

    func date(_ date: Date?) -> [BusValue] {
        [.boolean(date != nil), .int64(Int64(((date?.timeIntervalSince1970 ?? 0) * 1e6).rounded()))]
    }

    /// From where on the last argument asks for a list.
    var offset: Int { Int(arguments.last?.integer(UInt32.self) ?? 0) }

    /// What the last argument asks for of a list.
    func page(_ all: [some Encodable]) throws(NoticeError) -> [BusValue] {
        let part = all.dropFirst(offset).prefix(AgentNames.page)
        return try page(Array(part), hasMore: offset + part.count < all.count)
    }

    /// As much of a part as an answer should hold.
    func page(_ part: [some Encodable], hasMore: Bool) throws(NoticeError) -> [BusValue] {
        var texts = try service.coding.texts(part)
        var length = 0
        let fitting = texts.prefix { text in
            defer { length += text.utf8.count }
            return length < AgentNames.pageLength
        }
        let isCut = fitting.count < texts.count
        if isCut { texts = Array(fitting) }
        return [.strings(texts), .boolean(isCut || hasMore)]
    }
}
