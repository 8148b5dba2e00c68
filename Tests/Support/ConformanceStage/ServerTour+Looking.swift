import Belfry

extension ServerTour {
    /// What is drawn of text, markup, pictures and bars.
    func look(_ facts: inout TourFacts) async throws {
        let words = "wide words"
        let plain = try await picture("plain", NoticeContent(title: "Body", body: words))
        facts.note("title and body", "drawn")
        let bold = try await picture(
            "bold",
            NoticeContent(title: "Body", body: "<b>\(words)</b>").with { $0.bodyFormat = .markup }
        )
        let literal = try await picture("literal", NoticeContent(title: "Body", body: "<b>\(words)</b>"))
        let boldness =
            if try await !Screen.differ(bold.0, plain.0) {
                "drawn as plain text"
            } else if try await !Screen.differ(bold.0, literal.0) { "its tags are drawn" } else { "drawn bold" }
        facts.note("bold text", lost(bold.1, .markup) ?? boldness)
        let isWhole = try await [Screen.differ(literal.0, plain.0), Screen.differ(literal.0, bold.0)]
        facts.note("tags in plain text", isWhole == [true, true] ? "drawn as they are" : "lost")
        let link = NoticeContent(title: "Body", body: "<a href=\"https://example.org/\">\(words)</a>").with {
            $0.bodyFormat = .markup
        }
        let linked = try await picture("link", link)
        let isDrawn = try await Screen.differ(linked.0, plain.0)
        let isLink = capabilities.features.contains(.links)
        facts.note(
            "link",
            lost(linked.1, .markup)
                ?? (!isDrawn ? "drawn as plain text" : isLink ? "drawn as a link" : "its address follows the text")
        )

        let pixels = NoticeImage.Pixels(
            width: 64,
            height: 64,
            hasAlpha: false,
            bytes: (0..<64 * 64).flatMap { _ in [255, 0, 254] as [UInt8] }
        )
        let image = try await picture("image", NoticeContent(title: "Body", body: words, image: .pixels(pixels)))
        facts.note(
            "image of pixels",
            try await drawn(image, .image) { try await Screen.pixels($0, of: "#FF00FE") > 200 }
        )
        let quarter = try await picture("quarter", NoticeContent(title: "Body", body: words, progress: 0.25))
        let most = try await picture("most", NoticeContent(title: "Body", body: words, progress: 0.75))
        facts.note("progress", try await drawn(most, .progress) { try await Screen.differ($0, quarter.0) })
        let urgent = try await picture("urgent", NoticeContent(title: "Body", body: words, level: .critical))
        facts.note("critical", try await Screen.differ(urgent.0, plain.0) ? "looks different" : "looks the same")
    }

    private func drawn(
        _ shown: (Screen.Picture, DeliveryReceipt),
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ isThere: (Screen.Picture) async throws -> Bool
    ) async throws -> String {
        if let lost = lost(shown.1, feature) { return lost }
        return try await isThere(shown.0) ? "drawn" : "not drawn"
    }
}
