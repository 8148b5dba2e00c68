/// The formats of pictures that the portal takes ("Icon validation"); any other is left out without a word.
enum PictureFormat {
    case png(width: Int, height: Int)
    /// Without a size where its head doesn't say.
    case jpeg(size: (width: Int, height: Int)?)
    case svg

    /// Nil for what begins like none of them.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 {
            // "IHDR": width and height follow the signature and the chunk's head.
            self = .png(width: Self.number(bytes[16..<20]), height: Self.number(bytes[20..<24]))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg(size: Self.size(ofJPEG: bytes))
        } else if bytes.prefix(4096).contains("<svg".utf8) {
            self = .svg
        } else {
            return nil
        }
    }

    /// In pixels; nil for what has none.
    var size: (width: Int, height: Int)? {
        switch self {
        case .png(let width, let height): (width, height)
        case .jpeg(let size): size
        case .svg: nil
        }
    }

    /// Most significant byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// ITU-T T.81, B.2: segments with a marker and their length each, until the frame header, which has the size.
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
