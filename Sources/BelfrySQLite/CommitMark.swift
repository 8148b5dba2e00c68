import Belfry
import FoundationEssentials
import Glibc

/// How many transactions of a store have been acknowledged: a number in a small file beside the store's own.
///
/// An opening compares it with what the file holds, since SQLite drops the end of a damaged log without a word. It is
/// written after each commit and without an fsync: when the process dies the kernel keeps it. After a power cut it may
/// be an earlier number, so it only ever says how many transactions there are at least; ``Reading/isExact`` is false
/// then.
final class CommitMark: Sendable {
    struct Reading: Sendable, Equatable {
        var transactions: Int64
        /// The machine has run since it was written: no later one was lost.
        var isExact: Bool
    }

    private let descriptor: Int32

    /// Throws ``NoticeError/Code/storeFailed``.
    init(_ path: String) throws(NoticeError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw NoticeError(file: path, "open", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Nil where there is none, or none that can be believed.
    static func read(_ path: String) -> Reading? {
        guard let data = FileManager.default.contents(atPath: path), data.count == Contents.size else { return nil }
        let words = data.withUnsafeBytes { bytes in
            (0..<4).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
        }
        let contents = Contents(transactions: Int64(bitPattern: words[0]), boot: (words[1], words[2]))
        guard contents.sum == words[3] else { return nil }
        return Reading(transactions: contents.transactions, isExact: contents.boot == Contents.thisBoot)
    }

    /// A failure leaves the earlier number, which is true as well.
    func write(transactions: Int64) {
        let contents = Contents(transactions: transactions, boot: Contents.thisBoot)
        let words = [UInt64(bitPattern: transactions), contents.boot.0, contents.boot.1, contents.sum].map(
            \.littleEndian
        )
        words.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Makes it outlast a power cut.
    func synchronize() { _ = fsync(descriptor) }

    private struct Contents {
        static let size = 32
        var transactions: Int64
        var boot: (UInt64, UInt64)

        /// The kernel's name for the time since the machine was started (random(4)), in two words.
        static let thisBoot: (UInt64, UInt64) = {
            let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
            // Without /proc no boot is known to be the same one.
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
