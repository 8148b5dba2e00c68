public import Belfry
public import BelfryBus
public import FoundationEssentials

extension ActivatableApp {
    /// What a process of an app was started for.
    public enum Activation: Sendable, Hashable {
        /// To show itself.
        case activate
        /// To perform an action of the app, with its parameter where it takes one.
        case action(_ name: String, parameter: BusValue? = nil)
        /// To open files or addresses; without any, to show itself.
        case open(_ urls: [URL])
    }

    /// Hands over what this process was started for to the process of the app that runs already, as `GApplication` does.
    ///
    /// Call it first, before a center runs, and end the program where the result is true:
    ///
    /// ```swift
    /// if try await app.handOver(.open(files)) { return }
    /// ```
    ///
    /// The closures of the other process get it with the activation token that this one was started with
    /// (`XDG_ACTIVATION_TOKEN`, `DESKTOP_STARTUP_ID`), so that it may raise its window. It has received the call when
    /// this returns. A process that the bus has started finds no other one, and receives what it was started for.
    ///
    /// - Parameters:
    ///   - activation: What the user wants of the app.
    ///   - address: Another bus than the session's is for tests.
    /// - Returns: False where no other process of the app runs, so that this one is the app.
    /// - Throws: ``Belfry/NoticeError/Code/appRuns`` where the other process refuses it, or does not answer within 25 s;
    ///   ``Belfry/NoticeError/Code/noBus`` (transient); ``Belfry/NoticeError/Code/unsupported`` where the bus does not
    ///   allow the call; ``Belfry/NoticeError/Code/invalidIdentifier`` where the identifier is no name for the bus;
    ///   ``Belfry/NoticeError/Code/invalidContent`` for a URL without a scheme.
    public func handOver(
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
            let result: Result<Bool, NoticeError>
            do throws(NoticeError) { result = .success(try await send(activation, on: bus)) } catch {
                result = .failure(error)
            }
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
            // It has ended, or ends now: what comes next is for a new process.
            case .noOwner, .noReply: return false
            case .unknownMember, .limitsExceeded, .timedOut, .remoteError:
                throw NoticeError(
                    .appRuns,
                    "\(Self.taken(identity.id)), and did not take what this one was started for. End that program, and "
                        + "start this one again.",
                    cause: error.cause ?? error.message
                )
            default: throw NoticeError(activation: error)
            }
        }
    }
}
