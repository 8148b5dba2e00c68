import Belfry
import Glibc

/// The constant bytes among the first 100 of every store (https://www.sqlite.org/fileformat2.html#the_database_header).
enum StoreFileHeader {
    static let pageSize = 4_096
    private static let size = 100

    /// The valid values by offset. The versions at 18 and 19 are 1 until the file has its write-ahead log.
    private static let constants: [Int: [UInt8]] = {
        var bytes: [Int: [UInt8]] = [:]
        for (offset, byte) in Array("SQLite format 3\0".utf8).enumerated() { bytes[offset] = [byte] }
        // Page size, versions, no reserved bytes, and the three fractions.
        for (offset, byte) in zip(16..., [0x10, 0x00] as [UInt8]) { bytes[offset] = [byte] }
        for offset in [18, 19] { bytes[offset] = [2, 1] }
        for (offset, byte) in zip(20..., [0, 64, 32, 32] as [UInt8]) { bytes[offset] = [byte] }
        // Schema format 4 and UTF-8, both 0 until the first table has been moved out of the log. Cache size, vacuum,
        // user version, application identifier and reserve are 0.
        for offset in Array(44..<60) + Array(60..<92) { bytes[offset] = [0] }
        bytes[47] = [4, 0]
        bytes[59] = [1, 0]
        return bytes
    }()

    /// Returns false if a constant byte has changed.
    /// - Parameter mayBeEmpty: whether an empty file is valid; a new file is empty, one that has a log is not.
    static func isIntact(_ path: String, mayBeEmpty: Bool) -> Bool {
        guard let bytes = try? RegularFile.bytes(of: path, limit: size) else { return true }
        guard !bytes.isEmpty else { return mayBeEmpty }
        return bytes.count == size && constants.allSatisfy { $0.value.contains(bytes[$0.key]) }
    }

    /// Restores the constant bytes of a file's first page.
    static func repair(_ path: String) throws {
        var page = try RegularFile.bytes(of: path, limit: pageSize)
        // The log may have the first page if the file no longer has it.
        page += repeatElement(0, count: pageSize - page.count)
        repair(&page[...])
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw NoticeError(file: path, "open", errno: errno) }
        defer { close(descriptor) }
        guard pwrite(descriptor, page, page.count, 0) == page.count else {
            throw NoticeError(file: path, "repair", errno: errno)
        }
    }

    /// Restores the constant bytes of the first page, and makes SQLite derive the number of pages from the file size.
    static func repair(_ page: inout ArraySlice<UInt8>) {
        let start = page.startIndex
        for (offset, values) in constants where !values.contains(page[start + offset]) {
            page[start + offset] = values[0]
        }
        // The number of pages is valid only if these are equal.
        for offset in 0..<4 { page[start + 92 + offset] = ~page[start + 24 + offset] }
    }
}
