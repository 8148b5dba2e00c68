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

    /// The size of a valid file.
    private static let size = 32

    private let descriptor: Int32

    /// Throws ``NoticeError/Code/storeFailed``.
    init(_ path: String) throws(NoticeError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw NoticeError(file: path, "open", errno: errno) }
        // Writing would leave the rest of a longer file, which would never be valid again.
        _ = ftruncate(descriptor, off_t(Self.size))
    }

    deinit { close(descriptor) }

    /// Reads the mark; nil if there is none, or no valid one.
    static func read(_ path: String) -> Reading? {
        guard let data = FileManager.default.contents(atPath: path), data.count == size else { return nil }
        let words = data.withUnsafeBytes { bytes in
            (0..<4).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
        }
        let (transactions, boot) = (Int64(bitPattern: words[0]), Array(words[1...2]))
        guard words == Self.words(transactions, boot) else { return nil }
        return Reading(transactions: transactions, isExact: boot == thisBoot)
    }

    /// Writes the number. If that fails, the earlier number stays, which is a valid lower bound.
    func write(transactions: Int64) {
        let words = Self.words(transactions, Self.thisBoot).map(\.littleEndian)
        words.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Makes the number survive a power cut.
    func synchronize() { _ = fsync(descriptor) }

    /// The kernel's identifier of the current boot (random(4)), in two words.
    private static let thisBoot: [UInt64] = {
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        // Without /proc, no boot can be recognized again.
        let name = SQLiteValue.text(text.isEmpty ? UUID().uuidString : text)
        return [hash("first", [name]), hash("second", [name])]
    }()

    /// The file's contents: the number, the boot and their checksum.
    private static func words(_ transactions: Int64, _ boot: [UInt64]) -> [UInt64] {
        let words = [UInt64(bitPattern: transactions)] + boot
        return words + [hash("mark", words.map { .integer(Int64(bitPattern: $0)) })]
    }

    private static func hash(_ name: String, _ values: [SQLiteValue]) -> UInt64 {
        var sum = RowSum(name)
        for value in values { sum.add(value) }
        return UInt64(bitPattern: sum.value)
    }
}
