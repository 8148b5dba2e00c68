import Belfry
import FoundationEssentials
import Glibc

/// The exclusive lock of an open store: flock(2) on a file that names the holder.
///
/// The kernel releases it when the process ends, for whatever reason, and programs that the holder starts don't inherit
/// it (O_CLOEXEC). The file is never removed, because that would let two processes hold a lock.
final class StoreLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // Nobody may read an old name before the next holder has written its own.
        _ = ftruncate(descriptor, 0)
        // Closing alone would leave the lock to a program that is just starting: until exec, it has all descriptors.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for the lock, without blocking a thread. Throws ``NoticeError/Code/storeInUse`` with the holder's name.
    static func take(_ path: String, until deadline: ContinuousClock.Instant) async throws(NoticeError) -> StoreLock {
        while true {
            if let lock = try attempt(path) { return lock }
            // flock has no timeout. Ten attempts a second cost nothing.
            let rest = deadline - .now
            guard rest > .zero else { break }
            await pause(for: min(rest, .milliseconds(100)))
            if Task.isCancelled { break }
        }
        let whom = holder(path) ?? "another process"
        throw NoticeError(
            .storeInUse,
            "The store at '\(path)' is in use by \(whom): a store has one owner. End that one, wait for it, or use "
                + "another store."
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
        // The name is optional: on a full disk, the lock works without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
        return StoreLock(descriptor: descriptor)
    }

    /// Whether a file is a lock: empty, or with the name of a holder.
    static func isLock(_ path: String) -> Bool {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
        return info.st_size == 0 || holder(path) != nil
    }

    /// Process and program, if the lock's file has them.
    private static func holder(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 4_096 else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let process = Int32(parts[0]) else { return nil }
        return "process \(process) ('\(parts[1].prefix { !$0.isNewline })')"
    }
}
