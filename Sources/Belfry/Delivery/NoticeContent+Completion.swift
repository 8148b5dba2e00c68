extension NoticeContent {
    /// With the actions of its category, in the best of the languages that it has.
    ///
    /// - Parameter category: the one that the content names, where the app has set it.
    func completed(with category: NoticeCategory?, for languages: @autoclosure () -> [String]) -> NoticeContent {
        var content = self
        if let category {
            if actions.isEmpty { content.actions = category.actions }
        } else if self.category == NoticeCategory.snoozeID {
            content.actions += NoticeCategory.snooze.actions.filter { !actions.contains($0) }
        }
        if !translations.isEmpty { content = content.translated(for: languages()) }
        return content.withSnoozeTitles(for: languages())
    }

    /// As it is shown in quiet hours, and by an app that nobody was asked about.
    mutating func makeQuiet() {
        level = .passive
        sound = .silent
    }
}
