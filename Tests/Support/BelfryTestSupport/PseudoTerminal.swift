package import Foundation
import Synchronization
import Testing

/// A pair of pseudo-terminal ends.
package final class PseudoTerminal: Sendable {
    package let master: Int32
    package let slave: Int32
    package let path: String
    private let hasHungUp = Mutex(false)

    package init() throws {
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
    package func hangUp() {
        let isFirst = hasHungUp.withLock { hasHungUp in
            defer { hasHungUp = true }
            return !hasHungUp
        }
        if isFirst { close(master) }
    }

    /// Reads what is written, and forgets it, until the result is canceled.
    package func drain() -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: master, queue: DispatchQueue(label: "drain"))
        source.setEventHandler { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = Foundation.read(master, &buffer, buffer.count)
        }
        source.activate()
        return source
    }

    /// True where keys come one by one and unseen.
    package var givesSingleKeys: Bool {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    package func press(_ keys: String) {
        var keys = keys
        keys.withUTF8 { _ = write(master, $0.baseAddress, $0.count) }
    }

    /// All that was written, up to a text that must come within a minute.
    package func read(until end: String) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains(end) { return text }
            var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            try #require(
                poll(&state, 1, 60_000) == 1,
                "nothing like \(end.debugDescription) after \(text.debugDescription)"
            )
            let count = Foundation.read(master, &buffer, buffer.count)
            try #require(count > 0)
            bytes += buffer[..<count]
        }
    }
}
