import Belfry
import BelfryBus

extension NoticeImage.Pixels {
    /// The hint `(iiibiiay)`: width, height, row stride, alpha, bits per sample, channels, bytes.
    var hint: BusValue {
        .structure([
            .int32(Int32(clamping: width)), .int32(Int32(clamping: height)), .int32(Int32(clamping: rowStride)),
            .boolean(hasAlpha), .int32(8), .int32(Int32(channels)), .bytes(bytes),
        ])
    }
}
