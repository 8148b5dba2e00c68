public import Belfry
import FoundationEssentials
import Synchronization

/// Positions from gpsd, the service for satellite receivers: its JSON protocol over TCP (gpsd_json(5)).
///
/// A fix is a TPV report of mode 2 or 3 (a position in two or three dimensions). Its accuracy is `eph`, gpsd's estimate
/// of the horizontal error in metres; where a receiver gives none, the root of the sum of the squares of `epx` and
/// `epy`; else it is not known. Its time is the receiver's own. Where the receiver knows none, as in the first seconds
/// of some, it is now; of those that follow none is older than that, however wrong the receiver's clock or this
/// machine's may be: they come in order.
///
/// gpsd reports as often as its receiver does, mostly once a second, and has no word for less: what is demanded changes
/// nothing but when it runs, and the position of now is never older than the receiver's last. gpsd switches a receiver
/// on for whoever watches (unless it was started with `-n`), and off after that.
///
/// A first connection that fails is an error at once. One that is lost is sought again, after 1 s, then twice as long,
/// up to 30 s, and becomes an error when it is not back within ``Limits/patience``.
///
/// ```swift
/// let provider = GPSDProvider() try await provider.run(demands: LocationDemand.Updates(LocationDemand(accuracy: 50,
/// distance: 10))) { fix in print(fix) }
/// ```
public final class GPSDProvider: NonblockingLocationProvider {
    /// How long the parts may take.
    public struct Limits: Sendable, Hashable {
        /// For finding the host, connecting and gpsd's greeting, each address of the host anew.
        public var connect: Duration
        /// How long a lost connection is sought.
        public var patience: Duration
        /// Before the first attempt to get a lost connection back.
        public var firstPause: Duration

        /// Creates limits; each default suits a receiver that is switched on now and then.
        public init(
            connect: Duration = .seconds(5),
            patience: Duration = .seconds(60),
            firstPause: Duration = .seconds(1)
        ) {
            self.connect = connect
            self.patience = patience
            self.firstPause = firstPause
        }
    }

    public let name = "gpsd"
    private let host: String
    private let port: UInt16
    private let limits: Limits
    private let ignored = Atomic<Int>(0)

    /// - Parameters:
    ///   - host: A name or an address. gpsd listens to this machine alone unless it was started with `-G`.
    ///   - port: The TCP port that gpsd listens on.
    ///   - limits: How long gpsd is waited for.
    public init(host: String = "127.0.0.1", port: UInt16 = 2947, limits: Limits = Limits()) {
        self.host = host
        self.port = port
        self.limits = limits
    }

    /// How many lines could not be read since this was made: no JSON, other types than the protocol's, or too long.
    public var ignoredLines: Int { ignored.load(ordering: .relaxed) }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        var search = GPSDSearch(limits)
        let times = Mutex(ReportTimes())
        while !Task.isCancelled {
            let session = GPSDSession { gpsd in
                if let fix = times.withLock({ gpsd.fix(at: Date(), &$0) }) { report(fix) }
                return true
            }
            let end = await connect(session, within: limits.connect)
            ignored.add(session.ignoredLines, ordering: .relaxed)
            if case .cancelled = end { return }
            guard let pauseLength = search.pause(afterReports: session.hasReported, at: .now) else {
                throw end.error(host, port)
            }
            await pause(for: pauseLength)
        }
    }

    /// What gpsd says of itself and its receivers. Throws ``Belfry/NoticeError/Code/locationUnavailable`` where there
    /// is none within `limit`, for each address of the host.
    public func look(within limit: Duration = .seconds(1)) async throws(NoticeError) -> GPSDServer {
        let found = Mutex(GPSDServer(release: "", receivers: []))
        let session = GPSDSession { report in
            found.withLock { server in
                if let release = report.release { server.release = release }
                if let devices = report.devices { server.receivers = devices.compactMap(\.path) }
            }
            return report.kind != "DEVICES"
        }
        let end = await connect(session, within: limit, endingAfter: limit)
        let server = found.withLock { $0 }
        guard !server.release.isEmpty else { throw end.error(host, port) }
        return server
    }

    private func connect(
        _ session: GPSDSession,
        within limit: Duration,
        endingAfter whole: Duration? = nil
    ) async -> GPSDSession.End {
        var end = GPSDSession.End.cancelled
        switch await SocketAddress.resolve(host, port, within: limit) {
        case .success(let addresses):
            for address in addresses {
                end = await session.run(to: address, greetingWithin: limit, endingAfter: whole)
                guard end.isUnreachable else { break }
            }
        case .failure(let failure): end = failure.end
        }
        return end
    }
}

/// What a gpsd says of itself.
public struct GPSDServer: Sendable, Hashable {
    /// Its version, such as "3.22".
    public var release: String
    /// The receivers it knows, as paths or addresses. One that is switched off while nobody watches is among them.
    public var receivers: [String]
}
