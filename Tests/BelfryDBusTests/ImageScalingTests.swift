import Belfry
import BelfryBus
import BelfryServers
import BelfryTestSupport
import Testing

@testable import BelfryDBus

@Suite("Pictures on their way over the bus", .takesTurns)
struct ImageScalingTests {
    @Test("no side is longer than 256, proportions stay, thin ones keep a pixel, small ones stay as they are")
    func sizes() {
        let sizes = [
            (1000, 500, 256, 128), (500, 1000, 128, 256), (2047, 1, 256, 1), (257, 257, 256, 256), (256, 10, 256, 10),
        ]
        for (width, height, newWidth, newHeight) in sizes {
            let bytes = [UInt8](repeating: 9, count: width * height * 3)
            let scaled = NoticeImage.Pixels(width: width, height: height, hasAlpha: false, bytes: bytes).scaledDown()
            #expect(scaled.width == newWidth && scaled.height == newHeight)
            #expect(scaled.validationError == nil && scaled.bytes.count == newWidth * newHeight * 3)
            #expect(scaled.bytes.allSatisfy { $0 == 9 })
        }
    }

    @Test("a pixel is the mean of those it stands for, by how opaque they are; strides are left out") func means() {
        // 512 × 2, each row padded by 5 bytes; pairs of an opaque and a clear pixel.
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            for column in 0..<512 { bytes += column % 2 == 0 ? [200, 100, 50, 255] : [7, 7, 7, 0] }
            bytes += [1, 2, 3, 4, 5]
        }
        let scaled = NoticeImage.Pixels(width: 512, height: 2, rowStride: 2053, hasAlpha: true, bytes: bytes)
            .scaledDown()
        #expect(scaled.width == 256 && scaled.height == 1 && scaled.rowStride == 1024)
        #expect(Array(scaled.bytes.prefix(8)) == [200, 100, 50, 127, 200, 100, 50, 127])
    }

    @Test(
        "a picture whose numbers don't fit is refused",
        arguments: [(0, 1, 3, 3), (2, 1, 3, 6), (2, 2, 6, 11), (2048, 1, 6144, 6144)]
    )
    func refused(width: Int, height: Int, stride: Int, count: Int) throws {
        let pixels = NoticeImage.Pixels(
            width: width,
            height: height,
            rowStride: stride,
            hasAlpha: false,
            bytes: [UInt8](repeating: 0, count: count)
        )
        let server = NotificationServer(name: "", vendor: "", version: "", capabilities: [])
        let error = #expect(throws: NoticeError.self) {
            try NotifyMessage(Stage.delivery("T") { $0.image = .pixels(pixels) }, on: server, replacing: 0)
        }
        #expect(error?.code == .invalidContent)
    }
}
