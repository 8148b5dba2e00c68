/// The header of an image in a format that the portal accepts ("Icon validation"); it drops others silently.
struct PictureHeader {
    /// The size in pixels; nil if the format or the file has none.
    let size: (width: Int, height: Int)?

    /// Detects the format by the first bytes. Returns nil if it is neither PNG, JPEG nor SVG.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 {
            // "IHDR": width and height follow the signature and the chunk's header.
            size = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            size = Self.size(ofJPEG: bytes)
        } else if bytes.prefix(4096).contains("<svg".utf8) {
            size = nil
        } else {
            return nil
        }
    }

    /// Returns a big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Returns the size from the frame header (ITU-T T.81, B.2), skipping the segments before it by their lengths.
    private static func size(ofJPEG bytes: [UInt8]) -> (width: Int, height: Int)? {
        var start = 2
        while start + 9 <= bytes.count, bytes[start] == 0xFF {
            let marker = bytes[start + 1]
            let isTable = marker == 0xC4 || marker == 0xC8 || marker == 0xCC
            if (0xC0...0xCF).contains(marker), !isTable {
                return (number(bytes[start + 7..<start + 9]), number(bytes[start + 5..<start + 7]))
            }
            start += 2 + number(bytes[start + 2..<start + 4])
        }
        return nil
    }
}
