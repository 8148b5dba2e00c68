import Belfry
import BelfryAgent
import BelfryBus

/// Registration: an app sends its identity, the calls that it wants, and how it is started.
extension AgentService {
    /// The most bytes of an icon's name or path. A server gets no longer text either.
    private static let iconLimit = 8_192
    /// The most bytes of a command, with one after each argument as in execve(2).
    private static let commandLimit = 32_768

    func register(_ call: BusIncomingCall) async throws {
        let (app, caller) = try await app(of: call)
        let options = call.arguments[2]
        let command = options[RegistrationKey.command]?.strings
        if let command { try check(command, of: caller) }
        var icon: NoticeIcon?
        if let text = options[RegistrationKey.icon]?.string {
            let decoded = try await hostForAsking(app).queue.value(
                NoticeIcon.self,
                text,
                atMost: Self.iconLimit,
                checking: caller.rules?.check
            )
            try check(decoded)
            icon = decoded
        }
        var identity = try identity(app.id, named: call.arguments[1].string ?? "", caller)
        identity.icon = icon
        let host = host(of: identity)
        try await host.remember(
            name: identity.name,
            icon: icon,
            command: command,
            isActivatable: options[RegistrationKey.activatable]?.boolean
        )
        // Before the store is opened, which may fail now and succeed later: then the app that runs gets its responses.
        try await host.connect(AppSession(options, sandboxed: caller.sandboxed), at: call.sender)
        if try host.hasStore() { try await host.open() }
    }

    private func check(_ command: [String], of caller: CallerIdentity) throws(NoticeError) {
        guard caller.sandboxed == nil else {
            throw NoticeError(
                .accessDenied,
                "A sandboxed application can't have a command run outside: make it DBusActivatable."
            )
        }
        let length = command.reduce(0) { $0 + $1.utf8.count + 1 }
        guard length <= Self.commandLimit else {
            throw NoticeError(
                .invalidContent,
                "The application's command has \(length) bytes: \(Self.commandLimit) is the most."
            )
        }
        guard let program = command.first, program.hasPrefix("/") else {
            throw NoticeError(
                .invalidContent,
                "The command '\(command.joined(separator: " "))' must begin with an absolute path."
            )
        }
    }

    private func check(_ icon: NoticeIcon) throws(NoticeError) {
        let length =
            switch icon {
            case .named(let text), .file(let text): text.utf8.count
            }
        guard length <= Self.iconLimit else {
            throw NoticeError(
                .invalidContent,
                "The application's icon has a name or path of \(length) bytes: \(Self.iconLimit) is the most."
            )
        }
    }

    /// Returns the identity that the user sees. A sandboxed app has the name of its desktop file, whatever it sends.
    private func identity(
        _ id: String,
        named name: String,
        _ caller: CallerIdentity
    ) throws(NoticeError) -> AppIdentity {
        guard caller.sandboxed == nil else {
            let entry = KeyFile.desktopEntry(of: id, in: options.dataFolders)
            return AppIdentity(id: id, name: entry?["Name"].map { String($0.prefix(256)) })
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
