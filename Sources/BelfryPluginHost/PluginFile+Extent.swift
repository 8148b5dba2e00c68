import Belfry

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PluginFile {
    /// Throws ``NoticeError/Code/pluginRefused`` if the file ends before a segment that its program headers list, as
    /// after an interrupted copy. The loader would map the missing part all the same, and the first access to it would
    /// raise SIGBUS.
    ///
    /// The layout is the 64-bit one of elf(5). The loader reports any file that isn't in that format.
    static func checkExtent(of file: Int32, size: Int64, _ path: String) throws(NoticeError) {
        let header = read(file, at: 0, count: Header.size)
        guard header.count == Header.size, header.starts(with: Header.magic), header[4] == Header.is64Bit else {
            return
        }
        let start: UInt64 = value(in: header, at: Header.programHeaders)
        let entrySize: UInt16 = value(in: header, at: Header.entrySize)
        let count: UInt16 = value(in: header, at: Header.entryCount)
        guard Int(entrySize) >= Segment.size else { return }
        let table = try end(of: start, UInt64(entrySize) * UInt64(count), size, path)
        let entries = read(file, at: Int64(start), count: Int(table - start))
        for entry in stride(from: 0, through: entries.count - Segment.size, by: Int(entrySize)) {
            let type: UInt32 = value(in: entries, at: entry)
            guard type == Segment.isLoaded else { continue }
            let offset: UInt64 = value(in: entries, at: entry + Segment.offset)
            _ = try end(of: offset, value(in: entries, at: entry + Segment.fileSize), size, path)
        }
    }

    /// The offsets in `Elf64_Ehdr`.
    private enum Header {
        static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
        static let is64Bit: UInt8 = 2
        static let size = 64, programHeaders = 32, entrySize = 54, entryCount = 56
    }

    /// The offsets in `Elf64_Phdr`.
    private enum Segment {
        static let isLoaded: UInt32 = 1
        static let size = 56, offset = 8, fileSize = 32
    }

    private static func end(
        of start: UInt64,
        _ length: UInt64,
        _ size: Int64,
        _ path: String
    ) throws(NoticeError) -> UInt64 {
        let (end, isTooFar) = start.addingReportingOverflow(length)
        guard !isTooFar, end <= UInt64(size) else {
            throw NoticeError(
                .pluginRefused,
                "The plug-in \(path) is cut short: it has \(size) bytes and speaks of "
                    + "\(isTooFar ? "more than there can be" : "\(end)"). Build or copy it anew."
            )
        }
        return end
    }

    /// Reads up to `count` bytes; returns fewer at the end of the file.
    private static func read(_ file: Int32, at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            read = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
        }
    }

    private static func value<Value: BitwiseCopyable>(in bytes: [UInt8], at offset: Int) -> Value {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
}
