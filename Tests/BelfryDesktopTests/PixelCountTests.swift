import BelfryTestSupport
import Testing

@testable import ConformanceStage

/// Pictures of the screen are compared by ImageMagick, whose versions print numbers in different forms.
@Suite("Counts of pixels that ImageMagick prints", .takesTurns)
struct PixelCountTests {
    @Test("ImageMagick 6 prints the number alone", arguments: [("0", 0), ("1234\n", 1234), ("1.31072e+06", 1_310_720)])
    func version6(printed: String, count: Int) throws {
        #expect(try Desktop.count(printedByImageMagick: printed) == count)
    }

    @Test(
        "ImageMagick 7 adds the share of all pixels",
        arguments: [("0 (0)", 0), ("42 (0.0128174)\n", 42), ("1.31072e+06 (1)", 1_310_720)]
    )
    func version7(printed: String, count: Int) throws {
        #expect(try Desktop.count(printedByImageMagick: printed) == count)
    }

    @Test(
        "A pixel that differs a little is a difference",
        arguments: [("66.6667 (0.00666667)", 67), ("0.25 (2.5e-05)", 1)]
    )
    func partsOfPixels(printed: String, count: Int) throws {
        #expect(try Desktop.count(printedByImageMagick: printed) == count)
    }

    @Test("Anything else is an error", arguments: ["", "compare: widths differ", "7 pictures", "WARNING\n42"])
    func noCount(printed: String) {
        #expect(throws: Desktop.Failure.self) { try Desktop.count(printedByImageMagick: printed) }
    }
}
