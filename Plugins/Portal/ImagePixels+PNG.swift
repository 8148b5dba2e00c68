import Belfry

extension NoticeImage.Pixels {
    /// The image as an uncompressed PNG file (ISO/IEC 15948), since it is only sent to the portal. The portal requires
    /// a square, so the image is centered on a transparent one. Its dimensions must fit its bytes.
    var squarePNG: [UInt8] {
        let side = max(width, height)
        let head = Self.number(side) + Self.number(side) + [8, 6, 0, 0, 0]
        var lines: [UInt8] = []
        lines.reserveCapacity(side * (side * 4 + 1))
        for row in 0..<side {
            // The filter type of the line: none.
            lines.append(0)
            let line = line(row - (side - height) / 2)
            let left = (side - line.count / 4) / 2
            lines += repeatElement(0, count: left * 4) + line
            lines += repeatElement(0, count: side * 4 - left * 4 - line.count)
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", head)
            + Self.chunk("IDAT", Self.stored(lines)) + Self.chunk("IEND", [])
    }

    /// Returns a line of the image with an alpha value per pixel; empty above and below it.
    private func line(_ row: Int) -> [UInt8] {
        guard (0..<height).contains(row) else { return [] }
        return stride(from: row * rowStride, to: row * rowStride + width * channels, by: channels).flatMap { pixel in
            bytes[pixel..<pixel + 3] + [hasAlpha ? bytes[pixel + 3] : 255]
        }
    }

    /// Returns the big-endian bytes of a 32-bit number.
    private static func number(_ value: some BinaryInteger) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return number(content.count) + named + number(checksum(named))
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let mostInBlock = 0xFFFF
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: mostInBlock) {
            let block = bytes[start..<min(start + mostInBlock, bytes.count)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [start + mostInBlock >= bytes.count ? 1 : 0, low, high, ~low, ~high]
            stream += block
        }
        // Adler-32.
        var (sum, sumOfSums): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            sum = (sum + UInt32(byte)) % 65_521
            sumOfSums = (sumOfSums + sum) % 65_521
        }
        return stream + number(sumOfSums << 16 | sum)
    }

    /// Returns the CRC of ISO 3309, as PNG uses it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
