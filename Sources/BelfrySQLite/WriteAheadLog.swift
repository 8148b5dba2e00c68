import FoundationEssentials

/// SQLite's write-ahead log on the disk (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
///
/// SQLite reads it up to the first frame whose checksum doesn't match, and regards the rest as a write torn by a crash.
/// That is right for the last transaction. If whole transactions follow, they were acknowledged, and it is damage.
struct WriteAheadLog {
    /// The contents after the last transaction that SQLite accepts.
    enum Ending: Equatable {
        /// Nothing, or an incomplete write.
        case clean
        /// One transaction that looks complete and isn't: a torn write, or damage to the last acknowledged one.
        case doubtful
        /// At least this many acknowledged transactions.
        case broken(transactions: Int)
    }

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    /// The magic number for checksums of words in this byte order (0x377f0683 is big-endian).
    private static let littleEndianMagic: UInt32 = 0x377f_0682
    private static let version: UInt32 = 3_007_000

    private var bytes: [UInt8]

    /// Nil if there is no log, or none with a frame.
    init?(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path),
            data.count >= Self.headerSize + Self.frameSize
        else { return nil }
        bytes = [UInt8](data)
    }

    private static var frameSize: Int { frameHeaderSize + StoreFileHeader.pageSize }
    private var frameCount: Int { (bytes.count - Self.headerSize) / Self.frameSize }
    private func start(ofFrame index: Int) -> Int { Self.headerSize + index * Self.frameSize }

    var ending: Ending {
        let dropped = (acceptedFrameCount..<frameCount).count { isCommit($0) }
        // The header is written and synced before any frame, so a damaged header doesn't come from a torn transaction.
        guard hasIntactHeader else { return dropped > 0 ? .broken(transactions: dropped) : .clean }
        switch dropped {
        case 0: return .clean
        case 1: return .doubtful
        // Only the last one may be torn: the one before it was synced before that was begun.
        default: return .broken(transactions: dropped - 1)
        }
    }

    private var hasIntactHeader: Bool {
        var sum = Checksum()
        sum.add(bytes[0..<24])
        return word(0) == Self.littleEndianMagic && word(4) == Self.version && word(8) == StoreFileHeader.pageSize
            && sum == Checksum(word(24), word(28))
    }

    /// The number of frames up to the last complete transaction that SQLite accepts.
    private var acceptedFrameCount: Int {
        guard hasIntactHeader else { return 0 }
        var sum = Checksum(word(24), word(28))
        var committed = 0
        for index in 0..<frameCount {
            let start = start(ofFrame: index)
            guard word(start) != 0, word(start + 8) == word(16), word(start + 12) == word(20) else { break }
            sum.add(bytes[start..<start + 8])
            sum.add(bytes[start + Self.frameHeaderSize..<start + Self.frameSize])
            guard sum == Checksum(word(start + 16), word(start + 20)) else { break }
            if word(start + 4) != 0 { committed = index + 1 }
        }
        return committed
    }

    /// Whether a frame ends a transaction of this log. In frames of an earlier use of the file, both salts differ.
    private func isCommit(_ index: Int) -> Bool {
        let start = start(ofFrame: index)
        let salts = salts
        return word(start + 4) != 0 && (word(start + 8) == salts.0 || word(start + 12) == salts.1)
    }

    /// The salts of the header, or of the first frame if the header is damaged.
    private var salts: (UInt32, UInt32) {
        let offset = hasIntactHeader ? 16 : start(ofFrame: 0) + 8
        return (word(offset), word(offset + 4))
    }

    /// Returns the log with matching checksums, up to its last transaction, whatever is damaged: rows have checksums of
    /// their own.
    consuming func repaired() -> Data {
        let salts = salts
        let count = (0..<frameCount).last(where: isCommit).map { $0 + 1 } ?? 0
        put(Self.littleEndianMagic, at: 0)
        put(Self.version, at: 4)
        put(UInt32(StoreFileHeader.pageSize), at: 8)
        put(salts.0, at: 16)
        put(salts.1, at: 20)
        var sum = Checksum()
        sum.add(bytes[0..<24])
        put(sum, at: 24)
        for index in 0..<count {
            let start = start(ofFrame: index)
            let page = start + Self.frameHeaderSize..<start + Self.frameSize
            put(salts.0, at: start + 8)
            put(salts.1, at: start + 12)
            if word(start) == 1 { StoreFileHeader.repair(&bytes[page]) }
            sum.add(bytes[start..<start + 8])
            sum.add(bytes[page])
            put(sum, at: start + 16)
        }
        return Data(bytes[..<start(ofFrame: count)])
    }

    private func word(_ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    private mutating func put(_ word: UInt32, at offset: Int) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt32.self) }
    }

    private mutating func put(_ sum: Checksum, at offset: Int) {
        put(sum.first, at: offset)
        put(sum.second, at: offset + 4)
    }

    /// The checksum of section 4.4 of the page above, over little-endian words.
    private struct Checksum: Equatable {
        var first: UInt32
        var second: UInt32

        init(_ first: UInt32 = 0, _ second: UInt32 = 0) { (self.first, self.second) = (first, second) }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
                    let one = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    let two = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
                    first &+= one &+ second
                    second &+= two &+ first
                }
            }
        }
    }
}
