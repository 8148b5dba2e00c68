/// The lines of iCalendar (RFC 5545, 3.1): a line that begins with a space or a tab continues the one before it.
package enum FoldedLines {
    /// Returns the lines that aren't empty, with folded ones joined, and the offset at which each begins. Simple
    /// programs fold lines within a character, so only joined lines are text.
    package static func unfold(_ bytes: ArraySlice<UInt8>) -> [(text: [UInt8], offset: Int)] {
        var lines: [(text: [UInt8], offset: Int)] = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let first = line.first, first.isSpace, !lines.isEmpty {
                lines[lines.count - 1].text += line.dropFirst()
            } else {
                lines.append((Array(line), line.startIndex))
            }
        }
        return lines
    }
}
