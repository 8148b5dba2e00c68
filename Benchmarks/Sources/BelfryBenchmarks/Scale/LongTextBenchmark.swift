@testable import Belfry

/// A megabyte of markup made into what a server can show: every step is linear in the length of the text.
enum LongTextBenchmark {
    private static let limit = 1.0

    static func run(_ report: inout BenchmarkReport) throws {
        let size = Effort.count(1 << 20)
        let server = DeliveryCapabilities(server: "all", features: Set(DeliveryCapabilities.Feature.allCases))
        var slowest = (seconds: 0.0, text: "")
        for piece in [
            "x", "<a", "<b>", "&", "<a href='", "e\u{301}", "</b>", "<a href=\"x\">", "<b></b>", "\u{0}", "&amp;",
        ] {
            var content = NoticeContent(title: "Title", body: String(repeating: piece, count: size / piece.utf8.count))
            content.bodyFormat = .markup
            let seconds = Stopwatch.seconds {
                keep(DeliveryPreparation(content, for: server).content.body)
            }
            if seconds > slowest.seconds { slowest = (seconds, piece) }
        }
        report.add(
            .bound(
                "prepare a megabyte of '\(slowest.text)', the slowest of eleven texts",
                slowest.seconds,
                "s",
                target: "1 s",
                reached: slowest.seconds <= limit
            )
        )
    }
}
