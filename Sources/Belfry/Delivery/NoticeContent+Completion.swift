extension NoticeContent {
    /// Returns the content with the actions of its category, in the best of its languages.
    ///
    /// - Parameter category: The content's category, if the app has set it.
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

    /// Makes the content quiet, for quiet hours and for apps whose user was not asked.
    mutating func makeQuiet() {
        level = .passive
        sound = .silent
    }
}
