/// What can be said of a JSON text before anything of it is decoded. One pass over its bytes, whatever is wrong with
/// it.
struct JSONScan {
    /// How deep arrays and objects are nested; no deeper than one more than the limit is looked.
    private(set) var depth = 0
    /// Bytes of the longest string.
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
