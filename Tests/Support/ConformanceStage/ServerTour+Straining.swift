import Belfry
import Foundation

extension ServerTour {
    /// Long texts, and more notices than a server takes.
    func strain(_ facts: inout TourFacts) async throws {
        for (what, text) in [
            ("8 KiB without a space", String(repeating: "x", count: 8192)),
            ("256 KiB of words", String(repeating: "y ", count: 1 << 17)),
        ] {
            let receipt = try await show("long", NoticeContent(title: text, body: text))
            try await center.removeDelivered(["long"])
            let cut = lost(receipt, .body) ?? "shown whole"
            facts.note(what, "\(cut); then the next notice is \(try await showsAnother(what) ? "" : "not ")shown")
        }
        try await flood(&facts)
    }

    /// False of a server that hangs. How long another one draws is a matter of the machine.
    private func showsAnother(_ text: String) async throws -> Bool {
        do {
            _ = try await show("after", NoticeContent(title: "After it", body: text))
            try await clear("after")
            return true
        } catch let error as NoticeError where error.isTransient { return false }
    }

    private func flood(_ facts: inout TourFacts) async throws {
        let count = 25
        var receipts: [DeliveryReceipt] = []
        var refusal: String?
        for number in 1...count {
            do {
                var content = NoticeContent(title: "Number \(number)", body: "of many")
                content.desktop.expiry = .never
                receipts.append(try await center.show(NoticeRequest(id: "flood \(number)", content: content)).receipt)
            } catch {
                refusal =
                    "\(receipts.count) taken, then \(error.code)"
                    + (error.isTransient ? " (transient)" : " (permanent)")
                break
            }
        }
        // The last one is there: whatever was closed to make room for it has been reported, or is in a moment.
        let oldest = try await closing(of: receipts[0], within: .seconds(5))
        facts.note("25 at once", refusal ?? "all taken" + (oldest.map { "; the oldest was \($0)" } ?? ""))
        try await center.removeAllDelivered()
        try await Screen.waitUntilEmpty()
    }

    /// One popup with everything, for people to look at.
    func takePicture(_ url: URL) async throws {
        let side = 48
        var bytes: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side {
                let isInside = (x - 24) * (x - 24) + (y - 24) * (y - 24) < 22 * 22
                bytes += isInside ? [UInt8(60 + 3 * x), 120, UInt8(220 - 2 * y), 255] : [0, 0, 0, 0]
            }
        }
        var content = NoticeContent(
            title: "Tea & cake",
            body: "<b>Ready</b> in <i>four</i> minutes, 1 &lt; 2.",
            image: .pixels(NoticeImage.Pixels(width: side, height: side, hasAlpha: true, bytes: bytes)),
            actions: [
                NoticeAction("default", title: "Open"), NoticeAction("yes", title: "Yes"),
                NoticeAction("no", title: "No"),
            ]
        ).with { $0.bodyFormat = .markup }
        content.progress = 0.6
        _ = try await show("picture", content)
        let picture = try await Screen.settledPicture("picture")
        try await Desktop.convertPicture([picture.url.path, "-strip", "-colors", "128", "png8:\(url.path)"])
        try await clear("picture")
    }
}
