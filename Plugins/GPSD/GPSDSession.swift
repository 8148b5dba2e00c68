import Belfry
import FoundationEssentials
import Glibc
import Synchronization

/// One connection to gpsd, from its first byte to its end. All of it is read on the centers' thread, and nothing
/// blocks.
final class GPSDSession: Sendable {
    /// Why a connection ended, or failed.
    enum End: Error {
        case cancelled
        /// The receiver of the reports wants no more.
        case enough
        /// Nothing listens there; another address of the host may work.
        case unreachable(String)
        /// The other side doesn't reply in time.
        case silent
        /// The other side is not gpsd; the value is its first line.
        case foreign(String)
        case lost(String)
        /// This process failed, for example for lack of descriptors.
        case failed(NoticeError)
    }

    private struct State {
        var lines = BoundedLines(limit: GPSDSession.longestLine)
        var hasGreeted = false
        var isOver = false
        var unreadable = 0
        var hasReported = false
        var greeting: Timeout?
    }

    /// gpsd's own longest line has about ten thousand bytes.
    static let longestLine = 65_536
    private static let watchCommand = "?WATCH={\"enable\":true,\"json\":true};\n"

    private let take: @Sendable (GPSDReport) -> Bool
    private let state = Mutex(State())

    /// - Parameter take: Receives each report on the centers' thread; returns false to end the session.
    init(_ take: @escaping @Sendable (GPSDReport) -> Bool) { self.take = take }

    var ignoredLines: Int { state.withLock { $0.unreadable + $0.lines.dropped } }
    /// Whether a receiver has reported anything, with or without a position.
    var hasReported: Bool { state.withLock { $0.hasReported } }

    /// Returns when the connection has ended; no report comes afterwards.
    func run(
        to address: SocketAddress,
        greetingWithin limit: Duration,
        endingAfter whole: Duration?
    ) async -> End {
        let descriptor: Int32
        do throws(End) { descriptor = try address.beginConnecting() } catch { return error }
        defer { close(descriptor) }
        let ended = AwaitedValue<End>()
        let greeting = Timeout.begin(limit) { ended.give(Self.silence(of: descriptor)) }
        defer { greeting.end() }
        state.withLock { state in
            state.lines = BoundedLines(limit: Self.longestLine)
            (state.hasGreeted, state.isOver, state.greeting) = (false, false, greeting)
        }
        let watch: UInt64
        do throws(NoticeError) {
            watch = try CenterThread.shared.watch(descriptor) { self.read(descriptor, ended) }
        } catch { return .failed(error) }
        let end = await ended.value(within: whole, late: Self.silence(of: descriptor), cancelled: .cancelled)
        state.withLock { $0.isOver = true }
        await CenterThread.shared.unwatch(watch)
        return end
    }

    /// The end after a timeout. Without a connection, another address of the host may work: packets to an unroutable
    /// IPv6 address just vanish.
    private static func silence(of descriptor: Int32) -> End {
        var peer = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &peer) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return status == 0 ? .silent : .unreachable(String(cString: strerror(ETIMEDOUT)))
    }

    /// Reads one piece at a time, so that the thread can do other work between them. Readable means connected, broken,
    /// or not connected at all: gpsd sends first.
    private func read(_ descriptor: Int32, _ ended: AwaitedValue<End>) {
        guard state.withLock({ !$0.isOver }) else { return }
        let end = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer -> End? in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { return receive([UInt8](buffer[..<count])[...], descriptor) }
            if count == 0 { return state.withLock { $0.hasGreeted } ? .lost("it closed the connection") : .foreign("") }
            switch errno {
            case EAGAIN, EINTR: return nil
            case let number:
                let text = String(cString: strerror(number))
                return state.withLock { $0.hasGreeted } ? .lost(text) : .unreachable(text)
            }
        }
        guard let end else { return }
        // Unread data would wake the loop again and again until the descriptor is removed.
        state.withLock { $0.isOver = true }
        ended.give(end)
    }

    private func receive(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> End? {
        var lines: [[UInt8]] = []
        state.withLock { $0.lines.append(bytes) { lines.append(Array($0)) } }
        for line in lines {
            if let end = receive(line: line[...], descriptor) { return end }
        }
        return nil
    }

    private func receive(line: ArraySlice<UInt8>, _ descriptor: Int32) -> End? {
        let report = GPSDReport(line)
        guard state.withLock({ $0.hasGreeted }) else {
            guard let report, report.kind == "VERSION" else { return .foreign(String(decoding: line, as: UTF8.self)) }
            return greeted(report, descriptor)
        }
        guard let report else {
            state.withLock { $0.unreadable += 1 }
            return nil
        }
        if report.kind == "TPV" { state.withLock { $0.hasReported = true } }
        return take(report) ? nil : .enough
    }

    private func greeted(_ report: GPSDReport, _ descriptor: Int32) -> End? {
        let greeting = state.withLock { state in
            state.hasGreeted = true
            return state.greeting
        }
        greeting?.end()
        // Nothing was sent before, so the buffer has room for these few bytes.
        let command = Array(Self.watchCommand.utf8)
        let sent = send(descriptor, command, command.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        guard sent == command.count else { return .lost("it does not take what is asked of it") }
        return take(report) ? nil : .enough
    }
}

extension GPSDSession.End {
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }

    /// The error for an app that wants positions.
    func error(_ host: String, _ port: UInt16) -> NoticeError {
        let place = "\(host), port \(port)"
        switch self {
        case .failed(let error): return error
        case .unreachable(let why):
            return NoticeError(
                .locationUnavailable,
                "No gpsd is reached at \(place): install and start it (Debian: apt install gpsd), or name the host "
                    + "where it runs.",
                cause: why
            )
        case .silent, .cancelled, .enough:
            return NoticeError(
                .locationUnavailable,
                "What listens at \(place) does not greet as gpsd does within the time limit: look at whether that is "
                    + "gpsd, and start it anew if it is."
            )
        case .foreign(let line):
            return NoticeError(
                .locationUnavailable,
                "What listens at \(place) is no gpsd: it is expected to begin with its version, in JSON. Name gpsd's "
                    + "own port.",
                cause: line.isEmpty ? "it closed the connection at once" : "it said '\(line.prefix(80))'"
            )
        case .lost(let why):
            return NoticeError(
                .locationUnavailable,
                "The connection to gpsd at \(place) was lost: look at whether it still runs.",
                cause: why
            )
        }
    }
}
