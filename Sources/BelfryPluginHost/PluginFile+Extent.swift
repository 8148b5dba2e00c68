import Belfry
import Glibc

extension PluginFile {
    /// Throws ``NoticeError/Code/pluginRefused`` if the file ends before a segment that its program headers list, as
    /// after an interrupted copy. The loader would map the missing part all the same, and the first access to it would
    /// raise SIGBUS.
    ///
    /// The layout is the 64-bit one of elf(5). The loader reports any file that isn't in that format.
    static func checkExtent(of file: Int32, size: Int64, _ path: String) throws(NoticeError) {
        var header = Elf64_Ehdr()
        let entrySize = MemoryLayout<Elf64_Phdr>.size
        guard read(&header, from: file, at: 0), isELF64(header), Int(header.e_phentsize) >= entrySize else { return }
        let (start, distance) = (header.e_phoff, UInt64(header.e_phentsize))
        try checkEnd(of: start, distance * UInt64(header.e_phnum), size, path)
        for index in 0..<UInt64(header.e_phnum) {
            var segment = Elf64_Phdr()
            guard read(&segment, from: file, at: start + index * distance) else { return }
            if segment.p_type == PT_LOAD { try checkEnd(of: segment.p_offset, segment.p_filesz, size, path) }
        }
    }

    private static func isELF64(_ header: Elf64_Ehdr) -> Bool {
        withUnsafeBytes(of: header.e_ident) { $0.starts(with: [0x7F, 0x45, 0x4C, 0x46, UInt8(ELFCLASS64)]) }
    }

    private static func checkEnd(
        of start: UInt64,
        _ length: UInt64,
        _ size: Int64,
        _ path: String
    ) throws(NoticeError) {
        let (end, isTooFar) = start.addingReportingOverflow(length)
        guard isTooFar || end > UInt64(size) else { return }
        throw NoticeError(
            .pluginRefused,
            "The plug-in \(path) is cut short: it has \(size) bytes and speaks of "
                + "\(isTooFar ? "more than there can be" : "\(end)"). Build or copy it anew."
        )
    }

    /// Reads a struct of the file's format; returns false if the file ends before it.
    private static func read<Value: BitwiseCopyable>(
        _ value: inout Value,
        from file: Int32,
        at offset: UInt64
    ) -> Bool {
        withUnsafeMutableBytes(of: &value) {
            pread(file, $0.baseAddress, $0.count, off_t(clamping: offset)) == $0.count
        }
    }
}
