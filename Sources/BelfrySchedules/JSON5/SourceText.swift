import BelfryRecurrence

/// A position in a text file. Lines and columns count from 1, columns in Unicode scalars.
///
/// ```swift
/// for entry in try NoticeSchedule(contentsOf: "/etc/tea/schedule.json").entries {
///     print("\(entry.key) is in line \(entry.position.line), column \(entry.position.column)")
/// }
/// ```
public struct TextPosition: Sendable, Hashable {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1.
    public let column: Int
}

/// The bytes of a file, with the positions of its lines.
struct SourceText: Sendable {
    /// The text in UTF-8.
    let bytes: [UInt8]
    /// The offset of the beginning of each line.
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Editors don't show a byte order mark, so it is in no column.
        var starts = [Self.lengthOfMark(bytes)]
        for (index, byte) in bytes.enumerated() {
            let endsLine = byte == 0x0A || (byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A))
            if endsLine { starts.append(index + 1) }
        }
        lineStarts = starts
    }

    /// Returns the number of bytes of the byte order mark with which a text begins.
    static func lengthOfMark(_ bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// Returns the positions of ascending offsets, in one pass over their lines.
    func positions(of offsets: [Int]) -> [TextPosition] {
        var positions: [TextPosition] = []
        var last = (line: -1, offset: 0, column: 0)
        for offset in offsets {
            let line = line(of: offset)
            if line != last.line { last = (line, lineStarts[line], 0) }
            last.column += scalars(in: last.offset..<max(last.offset, min(offset, bytes.count)))
            last.offset = max(last.offset, min(offset, bytes.count))
            positions.append(TextPosition(line: line + 1, column: last.column + 1))
        }
        return positions
    }

    /// Returns the text around an offset in its line, with a caret below it.
    func excerpt(at offset: Int) -> String {
        let line = line(of: offset)
        let position = min(max(offset, lineStarts[line]), bytes.count)
        var start = max(lineStarts[line], position - 200)
        while start > lineStarts[line], bytes[start] & 0xC0 == 0x80 { start -= 1 }
        var end = position
        while end < bytes.count, end < position + 120, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        let before = Array(String(decoding: bytes[start..<position], as: UTF8.self)).suffix(50)
        let after = Array(String(decoding: bytes[position..<end], as: UTF8.self)).prefix(30)
        let isCut = start > lineStarts[line] || before.count < scalars(in: start..<position)
        let shown = (before + after).map { $0 == "\t" || $0.isNewline ? " " : $0 }
        return "    \(isCut ? "…" : "")\(String(shown))\n    "
            + String(repeating: " ", count: before.count + (isCut ? 1 : 0)) + "^"
    }

    private func line(of offset: Int) -> Int { max(0, lineStarts.partitionPoint { $0 > offset } - 1) }

    private func scalars(in range: Range<Int>) -> Int {
        bytes[range].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}
