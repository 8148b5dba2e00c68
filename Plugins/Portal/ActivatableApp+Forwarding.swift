public import Belfry
public import BelfryBus
public import FoundationEssentials

extension ActivatableApp {
    /// The reason why a process of an app was started.
    public enum Activation: Sendable, Hashable {
        /// To show the app.
        case activate
        /// To perform an action of the app, with its parameter if it takes one.
        case action(_ name: String, parameter: BusValue? = nil)
        /// To open files or URLs; an empty list shows the app.
        case open(_ urls: [URL])
    }

    /// Forwards the activation of this process to the running process of the app, as `GApplication` does.
    ///
    /// Call it first, before a center runs, and end the program if the result is true:
    ///
    /// ```swift
    /// let tea = ActivatableApp(app)
    /// let files = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
    /// if try await tea.forward(.open(files)) { return }
    /// ```
    ///
    /// The closures of the other process receive the activation and this process's activation token
    /// (`XDG_ACTIVATION_TOKEN`, `DESKTOP_STARTUP_ID`), so that it may raise its window. When this returns, the other
    /// process has received the call. A process that the bus started finds no other one, and the bus sends it the
    /// activation.
    ///
    /// - Parameters:
    ///   - activation: The activation to forward.
    ///   - address: The bus; other buses than the session's are for tests.
    /// - Returns: False if no other process of the app runs; then this process is the app.
    /// - Throws: ``Belfry/NoticeError/Code/noBus`` (transient). Permanent are ``Belfry/NoticeError/Code/appRuns`` if
    ///   the other process refuses it, or does not reply within 25 s; ``Belfry/NoticeError/Code/unsupported`` if the
    ///   bus denies the call; ``Belfry/NoticeError/Code/invalidIdentifier`` if the identifier is not a valid bus name;
    ///   ``Belfry/NoticeError/Code/invalidContent`` for a URL without a scheme.
    public func forward(
        _ activation: Activation = .activate,
        on address: BusAddress = .session
    ) async throws(NoticeError) -> Bool {
        if case .open(let urls) = activation, let url = urls.first(where: { $0.absoluteURL.scheme == nil }) {
            throw NoticeError(
                .invalidContent,
                "'\(url.absoluteString.prefix(200))' has no scheme: make the URL of a file by URL(filePath:)."
            )
        }
        return try await withTaskExecutorPreference(AppThreads.preference) { () throws(NoticeError) -> Bool in
            let bus = BusConnection(to: address)
            let result = await Result { () async throws(NoticeError) in try await send(activation, on: bus) }
            await bus.close()
            return try result.get()
        }
    }

    private func send(
        _ activation: Activation,
        on bus: BusConnection
    ) async throws(NoticeError) -> Bool {
        do throws(BusError) {
            try await bus.connect()
            let environment = ProcessInfo.processInfo.environment
            try await bus.call(ApplicationInterface.call(for: activation, of: identity.id, startedWith: environment))
            return true
        } catch {
            switch error.code {
            // The other process has ended or is ending: this one becomes the app.
            case .noOwner, .noReply: return false
            case .unknownMember, .limitsExceeded, .timedOut, .remoteError:
                throw NoticeError(
                    .appRuns,
                    "\(Self.taken(identity.id)), and did not accept the activation of this one. End that program, and "
                        + "start this one again.",
                    cause: error.cause ?? error.message
                )
            default: throw NoticeError(activation: error)
            }
        }
    }
}
