package import Belfry

extension Delivery {
    /// Returns the texts for a server without subtitles: the subtitle becomes the body's first line, and the title is
    /// never empty.
    ///
    /// - Parameter isMarkup: Whether the server interprets the body as markup. Plain text is escaped then.
    package func titleAndBody(asMarkup isMarkup: Bool) -> (title: String, body: String) {
        var title = content.title
        var subtitle = content.subtitle
        if title.isEmpty {
            title = subtitle.isEmpty ? app.name : subtitle
            subtitle = ""
        }
        func escaped(_ text: String) -> String { isMarkup ? MarkupReduction.escape(text) : text }
        let body = content.bodyFormat == .markup ? content.body : escaped(content.body)
        return (title, [escaped(subtitle), body].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}
