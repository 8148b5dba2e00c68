import Belfry
import BelfryConsole
import Foundation
import Synchronization
import Testing

/// What a writer was given.
final class TextLog: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    var text: String { all.joined() }
    var output: ConsoleOutput { .writer { [self] text in texts.withLock { $0.append(text) } } }
}

/// Keeps what a backend reports, and lets a test wait for it.
actor Reports {
    private var events: [BackendEvent] = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func add(_ event: BackendEvent) {
        events.append(event)
        for waiter in waiters where waiter.count <= events.count { waiter.continuation.resume() }
        waiters.removeAll { $0.count <= events.count }
    }

    /// The first so many; fewer where the test's time limit cancels it.
    func first(_ count: Int) async -> [BackendEvent] {
        if events.count < count {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiters.append((count, $0)) }
            } onCancel: {
                Task { await giveUp() }
            }
        }
        return Array(events.prefix(count))
    }

    private func giveUp() {
        for waiter in waiters { waiter.continuation.resume() }
        waiters = []
    }
}

/// Runs a backend while `body` does.
func running(_ backend: ConsoleBackend, _ body: (Reports) async throws -> Void) async throws {
    let reports = Reports()
    let (stream, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
    let pump = Task { for await event in stream { await reports.add(event) } }
    let run = Task { try await backend.run { continuation.yield($0) } }
    var failure: (any Error)?
    do { try await body(reports) } catch { failure = error }
    run.cancel()
    try await run.value
    continuation.finish()
    await pump.value
    if let failure { throw failure }
}

func makeDelivery(
    _ id: String = "tea",
    _ content: NoticeContent = NoticeContent(title: "Tea is ready"),
    late: Duration = .zero,
    replaces: DeliveryReceipt? = nil
) -> Delivery {
    Delivery(
        id: "delivery of \(id)",
        requestID: id,
        app: AppIdentity(id: "org.example.Tea"),
        content: content,
        dueDate: Date(timeIntervalSince1970: 1_800_000_000),
        late: late,
        replaces: replaces
    )
}

/// A pair of pseudo-terminal ends.
final class PseudoTerminal: Sendable {
    let master: Int32
    let slave: Int32
    let path: String
    private let hasHungUp = Mutex(false)

    init() throws {
        let openTerminal = try Self.function("posix_openpt", as: (@convention(c) (Int32) -> Int32).self)
        let grant = try Self.function("grantpt", as: (@convention(c) (Int32) -> Int32).self)
        let unlock = try Self.function("unlockpt", as: (@convention(c) (Int32) -> Int32).self)
        let name = try Self.function("ptsname", as: (@convention(c) (Int32) -> UnsafePointer<CChar>?).self)
        master = openTerminal(O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0 && grant(master) == 0 && unlock(master) == 0)
        path = String(cString: try #require(name(master)))
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
    }

    /// A function of libc that Swift's Glibc leaves out.
    private static func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
        unsafeBitCast(try #require(dlsym(nil, name)), to: type)
    }

    deinit {
        close(slave)
        hangUp()
    }

    /// The terminal goes away.
    func hangUp() {
        let isFirst = hasHungUp.withLock { hasHungUp in
            defer { hasHungUp = true }
            return !hasHungUp
        }
        if isFirst { close(master) }
    }

    /// Reads what is written, and forgets it, until the result is cancelled.
    func drain() -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: master, queue: DispatchQueue(label: "drain"))
        source.setEventHandler { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = Foundation.read(master, &buffer, buffer.count)
        }
        source.activate()
        return source
    }

    /// True where keys come one by one and unseen.
    var givesSingleKeys: Bool {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    func press(_ keys: String) {
        var keys = keys
        keys.withUTF8 { _ = write(master, $0.baseAddress, $0.count) }
    }

    /// All that was written, up to a text that must come within ten seconds.
    func read(until end: String) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains(end) { return text }
            var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            try #require(
                poll(&state, 1, 10_000) == 1,
                "nothing like \(end.debugDescription) after \(text.debugDescription)"
            )
            let count = Foundation.read(master, &buffer, buffer.count)
            try #require(count > 0)
            bytes += buffer[..<count]
        }
    }
}

/// Returns when the run in another task has taken the terminal; the test's process has a limit of its own.
func singleKeys(of terminal: Int32) async throws {
    var settings = termios()
    repeat {
        await Task.yield()
        guard tcgetattr(terminal, &settings) == 0 else { throw CancellationError() }
    } while settings.c_lflag & tcflag_t(ICANON) != 0
}
