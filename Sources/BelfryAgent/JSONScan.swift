/// Measurements of a JSON text before it is decoded, in one pass over its bytes. The text may be malformed.
struct JSONScan {
    /// The nesting depth of arrays and objects. The scan stops one level below the limit.
    private(set) var depth = 0
    /// The length of the longest string in bytes.
    private(set) var longestString = 0

    init(_ text: String, stoppingBelow limit: Int) {
        var text = text
        text.withUTF8 { bytes in
            var level = 0
            var index = 0
            while index < bytes.count, depth <= limit {
                switch bytes[index] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    level += 1
                    depth = max(depth, level)
                case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
                case UInt8(ascii: "\""):
                    let begin = index + 1
                    index = Self.endOfString(from: begin, in: bytes)
                    longestString = max(longestString, index - begin)
                default: break
                }
                index += 1
            }
        }
    }

    private static func endOfString(from begin: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = begin
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }
}
