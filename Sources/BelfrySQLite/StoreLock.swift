import Belfry
import FoundationEssentials
import Glibc

/// The right to be the only one who has a store open: flock(2) on a file that names who holds it.
///
/// The kernel ends it with the process, however that ends, and programs that the holder starts don't inherit it
/// (O_CLOEXEC). The file is never removed: whoever removed it would let two in.
final class StoreLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // So that nobody reads an old name while the next holder has not written its own.
        _ = ftruncate(descriptor, 0)
        // Closing leaves the lock to a program that is just being started: until it runs it has all descriptors.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for the lock, without blocking a thread. Throws ``NoticeError/Code/storeInUse`` with the holder's name.
    static func take(_ path: String, waiting limit: Duration) async throws(NoticeError) -> StoreLock {
        let deadline = ContinuousClock.now + limit
        while true {
            if let lock = try attempt(path) { return lock }
            // flock can't be waited for with a limit. Ten times a second costs nothing.
            let rest = deadline - .now
            guard rest > .zero else { break }
            do { try await Task.sleep(for: min(rest, .milliseconds(100))) } catch { break }
        }
        let whom = holder(path) ?? "another process"
        throw NoticeError(
            .storeInUse,
            "The store at '\(path)' is in use by \(whom): a store has one owner. End that one, wait for it, or use "
                + "another application identifier."
        )
    }

    private static func attempt(_ path: String) throws(NoticeError) -> StoreLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw NoticeError(file: path, "open", errno: errno) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw NoticeError(file: path, "lock", errno: code)
        }
        let text = Array("\(getpid()) \(ProcessInfo.processInfo.processName)\n".utf8)
        // The name is a courtesy: on a full disk the lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
        return StoreLock(descriptor: descriptor)
    }

    /// Process and program, as far as the lock's file tells.
    private static func holder(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 4_096 else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let process = Int32(parts[0]) else { return nil }
        return "process \(process) ('\(parts[1].prefix { !$0.isNewline })')"
    }
}
