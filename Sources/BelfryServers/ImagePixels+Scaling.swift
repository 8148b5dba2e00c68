package import Belfry

extension NoticeImage.Pixels {
    /// Throws ``NoticeError/Code/invalidContent`` if the dimensions don't fit the bytes.
    package func check() throws(NoticeError) {
        if let error = validationError { throw NoticeError(.invalidContent, "The image is \(error).") }
    }

    /// The maximum length of the longer side of an image sent over the bus. 1,024 pixels cost every server a quarter of
    /// a second, and all servers scale images down to less than 256.
    static let longestSide = 256

    /// Returns the image with no side longer than ``longestSide``, proportions kept. Each new pixel is the mean of the
    /// pixels that it covers, weighted by alpha.
    package func scaledDown() -> NoticeImage.Pixels {
        let longer = max(width, height)
        guard longer > Self.longestSide else { return self }
        let newWidth = max(1, width * Self.longestSide / longer)
        let newHeight = max(1, height * Self.longestSide / longer)
        var result: [UInt8] = []
        result.reserveCapacity(newWidth * newHeight * channels)
        bytes.withUnsafeBufferPointer { source in
            for row in 0..<newHeight {
                let rows = row * height / newHeight..<(row + 1) * height / newHeight
                for column in 0..<newWidth {
                    let columns = column * width / newWidth..<(column + 1) * width / newWidth
                    appendMean(of: source, rows, columns, to: &result)
                }
            }
        }
        return NoticeImage.Pixels(width: newWidth, height: newHeight, hasAlpha: hasAlpha, bytes: result)
    }

    private func appendMean(
        of source: UnsafeBufferPointer<UInt8>,
        _ rows: Range<Int>,
        _ columns: Range<Int>,
        to result: inout [UInt8]
    ) {
        var (red, green, blue, opacity) = (0, 0, 0, 0)
        for row in rows {
            for column in columns {
                let start = row * rowStride + column * channels
                let alpha = hasAlpha ? Int(source[start + 3]) : 255
                red += Int(source[start]) * alpha
                green += Int(source[start + 1]) * alpha
                blue += Int(source[start + 2]) * alpha
                opacity += alpha
            }
        }
        // The color of fully transparent pixels doesn't matter.
        let divisor = max(1, opacity)
        for sum in [red, green, blue] { result.append(UInt8((sum + divisor / 2) / divisor)) }
        if hasAlpha { result.append(UInt8(opacity / max(1, rows.count * columns.count))) }
    }
}
