public import Belfry
import FoundationEssentials
import Synchronization

/// Positions from gpsd, the service for satellite receivers: its JSON protocol over TCP (gpsd_json(5)).
///
/// A fix is a TPV report of mode 2 or 3 (a position in two or three dimensions). Its accuracy is `eph`, gpsd's estimate
/// of the horizontal error in meters. Without `eph` it is the root of the sum of the squares of `epx` and `epy`; else
/// it is unknown. Its date is the receiver's own, or the current one if the receiver knows none, as some don't in the
/// first seconds. Dates never decrease after that, however wrong the receiver's clock or this machine's may be.
///
/// gpsd reports as often as its receiver does, mostly once a second, and can't be asked for less. So a demand only
/// decides when the provider runs, and the position is never older than the receiver's last. gpsd switches a receiver
/// on while a client watches (unless started with `-n`), and off afterwards.
///
/// If the first connection fails, the provider throws at once. A lost connection is retried after 1 s, then after twice
/// as long each time, up to 30 s. It throws if the connection is not back within ``Timeouts/reconnect``.
///
/// ```swift
/// let provider = GPSDProvider()
/// let demands = LocationDemand.Updates(LocationDemand(accuracy: 50, distance: 10))
/// try await provider.run(demands: demands) { fix in print(fix) }
/// ```
public final class GPSDProvider: LocationProvider {
    /// The timeouts of the provider.
    public struct Timeouts: Sendable, Hashable {
        /// The timeout for resolving the host, connecting and gpsd's greeting, for each address of the host.
        public var connect: Duration
        /// How long a lost connection is retried.
        public var reconnect: Duration
        /// The pause before the first attempt to reconnect.
        public var firstPause: Duration

        /// Creates timeouts. The defaults suit a receiver that is switched on now and then.
        public init(
            connect: Duration = .seconds(5),
            reconnect: Duration = .seconds(60),
            firstPause: Duration = .seconds(1)
        ) {
            self.connect = connect
            self.reconnect = reconnect
            self.firstPause = firstPause
        }
    }

    public let name = "gpsd"
    public var mayBlock: Bool { false }
    private let host: String
    private let port: UInt16
    private let timeouts: Timeouts
    private let ignored = Atomic<Int>(0)

    /// Creates a provider; it connects when a center needs location fixes.
    ///
    /// - Parameters:
    ///   - host: A name or an address. gpsd listens on this machine only, unless it was started with `-G`.
    ///   - port: The TCP port that gpsd listens on.
    ///   - timeouts: The timeouts for gpsd.
    public init(host: String = "127.0.0.1", port: UInt16 = 2947, timeouts: Timeouts = Timeouts()) {
        self.host = host
        self.port = port
        self.timeouts = timeouts
    }

    /// The number of lines ignored so far: not JSON, of unexpected types, or too long.
    public var ignoredLines: Int { ignored.load(ordering: .relaxed) }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        var search = GPSDSearch(timeouts)
        let times = Mutex(ReportTimes())
        while !Task.isCancelled {
            let session = GPSDSession { gpsd in
                if let fix = times.withLock({ gpsd.fix(at: Date(), &$0) }) { report(fix) }
                return true
            }
            let end = await connect(session, within: timeouts.connect)
            ignored.add(session.ignoredLines, ordering: .relaxed)
            if case .cancelled = end { return }
            guard let pauseLength = search.pause(afterReports: session.hasReported, at: .now) else {
                throw end.error(host, port)
            }
            await pause(for: pauseLength)
        }
    }

    /// Returns the version of gpsd and its receivers. Throws ``Belfry/NoticeError/Code/locationUnavailable`` if none
    /// replies within `timeout`, for each address of the host; permanent until gpsd is started.
    public func findServer(timeout: Duration = .seconds(1)) async throws(NoticeError) -> GPSDServer {
        let found = Mutex(GPSDServer(release: "", receivers: []))
        let session = GPSDSession { report in
            found.withLock { server in
                if let release = report.release { server.release = release }
                if let devices = report.devices { server.receivers = devices.compactMap(\.path) }
            }
            return report.kind != "DEVICES"
        }
        let end = await connect(session, within: timeout, endingAfter: timeout)
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
        case .failure(let error): end = error
        }
        return end
    }
}

/// A running gpsd.
///
/// ```swift
/// let server = try await GPSDProvider().findServer()
/// print("gpsd \(server.release) has \(server.receivers.count) receivers.")
/// ```
public struct GPSDServer: Sendable, Hashable {
    /// The version, such as "3.22".
    public var release: String
    /// The receivers that it knows, as paths or addresses, including those switched off while no client watches.
    public var receivers: [String]
}
