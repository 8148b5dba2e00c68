import Belfry
import FoundationEssentials
import Glibc

/// The number of acknowledged transactions of a store, in a small file beside the store's own.
///
/// Opening compares it with the database, because SQLite silently drops the end of a damaged log. It is written after
/// each transaction without an fsync; the kernel keeps it if the process dies. After a power cut it may be an earlier
/// number, so it is only a lower bound, and ``Reading/isExact`` is false.
final class CommitMark: Sendable {
    struct Reading: Sendable, Equatable {
        var transactions: Int64
        /// Whether the machine has run since it was written, so that no later number was lost.
        var isExact: Bool
    }

    private let descriptor: Int32

    /// Throws ``NoticeError/Code/storeFailed``.
    init(_ path: String) throws(NoticeError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw NoticeError(file: path, "open", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Reads the mark; nil if there is none, or no valid one.
    static func read(_ path: String) -> Reading? {
        guard let data = FileManager.default.contents(atPath: path), data.count == Contents.size else { return nil }
        let words = data.withUnsafeBytes { bytes in
            (0..<4).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
        }
        let contents = Contents(transactions: Int64(bitPattern: words[0]), boot: (words[1], words[2]))
        guard contents.sum == words[3] else { return nil }
        return Reading(transactions: contents.transactions, isExact: contents.boot == Contents.thisBoot)
    }

    /// Writes the number. If that fails, the earlier number stays, which is a valid lower bound.
    func write(transactions: Int64) {
        let contents = Contents(transactions: transactions, boot: Contents.thisBoot)
        let words = [UInt64(bitPattern: transactions), contents.boot.0, contents.boot.1, contents.sum].map(
            \.littleEndian
        )
        words.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Makes the number survive a power cut.
    func synchronize() { _ = fsync(descriptor) }

    private struct Contents {
        static let size = 32
        var transactions: Int64
        var boot: (UInt64, UInt64)

        /// The kernel's identifier of the current boot (random(4)), in two words.
        static let thisBoot: (UInt64, UInt64) = {
            let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
            // Without /proc, no boot can be recognized again.
            let name = text.isEmpty ? UUID().uuidString : text
            return (hash("first", [.text(name)]), hash("second", [.text(name)]))
        }()

        var sum: UInt64 {
            let words = [transactions, Int64(bitPattern: boot.0), Int64(bitPattern: boot.1)]
            return Self.hash("mark", words.map(SQLiteValue.integer))
        }

        private static func hash(_ name: String, _ values: [SQLiteValue]) -> UInt64 {
            var sum = RowSum(name)
            for value in values { sum.add(value) }
            return UInt64(bitPattern: sum.value)
        }
    }
}
