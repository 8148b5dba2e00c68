import FoundationEssentials

/// Checks requests before they are stored. The errors name the wrong value.
package struct RequestValidation: Sendable {
    /// Whether the center has a location provider.
    private let hasPositions: Bool
    /// The maximum bytes of one attachment.
    let attachmentLimit: Int

    package init(hasPositions: Bool = true, attachmentLimit: Int = CenterOptions.defaultAttachmentLimit) {
        self.hasPositions = hasPositions
        self.attachmentLimit = attachmentLimit
    }

    package func validate(_ request: NoticeRequest) throws(NoticeError) {
        let id = request.id
        try checkIdentifier(id)
        guard !id.hasPrefix(Schedule.summaryPrefix) else {
            throw NoticeError(
                .invalidIdentifier,
                "The request's identifier '\(id)' begins with '\(Schedule.summaryPrefix)', as those of summaries do: "
                    + "give it another one."
            )
        }
        try validate(request.content, of: id)
        if let unknown = request.trigger as? TriggerRegistry.UnknownTrigger {
            throw NoticeError(
                .unknownTriggerKind,
                "The trigger kind '\(unknown.storedKind.rawValue)' is not known here: register it where the store is "
                    + "opened."
            )
        }
        try request.trigger?.validate()
        if let trigger = request.trigger as? any RegionTrigger {
            try trigger.validateRegion()
            guard hasPositions else {
                throw NoticeError(
                    .locationUnavailable,
                    "The request '\(id)' waits for a region, and this center has no location provider: create the "
                        + "center with one."
                )
            }
        }
        if let trigger = request.trigger as? any ElapsedTimeTrigger { try trigger.validateInterval() }
        if case .deliver(let within?) = request.misfire { try NumberBounds.check(within, "deliverLate.within") }
        try validate(request.escalation, of: request.content, id)
        // Last, so that the checks before report values that can't be written as JSON.
        try checkLength(of: request)
    }

    /// Checks a request that is shown again later, except its files, which may be missing by now.
    func validateAgain(_ request: NoticeRequest) throws(NoticeError) {
        try checkIdentifier(request.id)
        try checkLength(of: request)
        try validateTextsAndNumbers(request.content, of: request.id)
        if case .deliver(let within?) = request.misfire { try NumberBounds.check(within, "deliverLate.within") }
    }

    private func checkIdentifier(_ id: String) throws(NoticeError) {
        guard !id.isEmpty else {
            throw NoticeError(
                .invalidIdentifier,
                "The request's identifier is empty: give it one that is unique in your app."
            )
        }
        try checkName(id, "request's identifier", .invalidIdentifier)
        guard !id.unicodeScalars.contains("\u{FFFD}") else {
            throw NoticeError(
                .invalidIdentifier,
                "The request's identifier '\(id)' contains U+FFFD, which stands for bytes that are no UTF-8: different "
                    + "identifiers would be one. Write it in UTF-8."
            )
        }
    }

    /// Checks the escalated content of each step.
    func validate(
        _ steps: [NoticeSeries.EscalationStep],
        of content: NoticeContent,
        _ id: String
    ) throws(NoticeError) {
        guard steps.count <= NoticeSeries.EscalationStep.maximumCount else {
            throw NoticeError(
                .invalidContent,
                "The escalation of '\(id)' has \(steps.count) steps: \(NoticeSeries.EscalationStep.maximumCount) is "
                    + "the most."
            )
        }
        for step in steps {
            guard step.from >= 1 else {
                throw NoticeError(
                    .invalidContent,
                    "An escalation of '\(id)' begins with firing \(step.from): firings are counted from 1."
                )
            }
            try NumberBounds.check(Int64(step.from), "escalation.from")
        }
        // No step changes the app's own data, which is checked with the content.
        var content = content
        content.userInfo = [:]
        for stage in EscalationStages(of: content, steps) { try validate(stage.content, of: id) }
    }

    func validate(_ categories: [NoticeCategory]) throws(NoticeError) {
        var seen: Set<String> = []
        for category in categories {
            guard !category.id.isEmpty else {
                throw NoticeError(.invalidContent, "A category has no identifier: give it one.")
            }
            try checkName(category.id, "identifier of a category")
            guard seen.insert(category.id).inserted else {
                throw NoticeError(
                    .invalidContent,
                    "Two categories are named '\(category.id)': names must differ."
                )
            }
            try validate(category.actions)
        }
    }

    /// Checks a name. Names are sent unchanged and never cut, because a response must contain the same name.
    private func checkName(
        _ name: String,
        _ what: String,
        _ code: NoticeError.Code = .invalidContent
    ) throws(NoticeError) {
        guard name.utf8.count <= 1_024 else {
            throw NoticeError(code, "The \(what) has \(name.utf8.count) bytes: 1,024 is the most.")
        }
        guard let bad = name.unicodeScalars.first(where: \.isControl) else { return }
        throw NoticeError(
            code,
            "The \(what) contains the control character U+\(String(bad.value, radix: 16, uppercase: true)): leave it "
                + "out."
        )
    }

    package func validate(_ content: NoticeContent, of id: String) throws(NoticeError) {
        try validateTextsAndNumbers(content, of: id)
        try validateFiles(content)
    }

    private func validateTextsAndNumbers(_ content: NoticeContent, of id: String) throws(NoticeError) {
        let most = NoticeContent.Translation.maximumCount
        guard content.translations.count <= most else {
            throw NoticeError(
                .invalidContent,
                "The notice '\(id.prefix(80))' has \(content.translations.count) translations: \(most) are the most."
            )
        }
        try checkLength(of: content, id)
        guard [content.title, content.subtitle, content.body].contains(where: \.isVisible) else {
            throw NoticeError(.emptyContent, "The notice '\(id)' has no text: give it a title, a subtitle or a body.")
        }
        if let progress = content.progress, !(0...1).contains(progress) {
            throw NoticeError(.invalidContent, "A progress of \(progress): it must be 0 to 1.")
        }
        guard (0...1).contains(content.relevance) else {
            throw NoticeError(.invalidContent, "A relevance of \(content.relevance): it must be 0 to 1.")
        }
        if let badge = content.badge, badge < 0 {
            throw NoticeError(.invalidContent, "A badge of \(badge): it must be 0 or more; 0 removes it.")
        }
        if let badge = content.badge { try NumberBounds.check(Int64(badge), "badge") }
        try content.summary?.validate(of: id)
        if case .after(let span) = content.desktop.expiry, span <= .zero || span > .seconds(Int32.max / 1_000) {
            throw NoticeError(
                .invalidContent,
                "An expiry of \(span.seconds) s: it must be over 0 and at most 24 days."
            )
        }
        for (name, hint) in content.desktop.hints {
            try checkName(name, "name of a hint")
            if case .double(let number) = hint, !number.isFinite {
                throw NoticeError(.invalidContent, "The hint '\(name)' is \(number): it must be finite.")
            }
            _ = try HintType.checked(hint, named: name)
        }
        for (key, value) in content.userInfo where !value.isStorable {
            throw NoticeError(.invalidContent, "The userInfo of '\(key)' holds a number that is not finite.")
        }
        try validate(content.actions)
        if case .pixels(let pixels) = content.image, let error = pixels.validationError {
            throw NoticeError(.invalidContent, "The image is \(error).")
        }
    }

    private func validate(_ actions: [NoticeAction]) throws(NoticeError) {
        // The click on the notice itself is not a button.
        let count = actions.count { !$0.isClick }
        guard count <= NoticeAction.maximumCount else {
            throw NoticeError(.invalidContent, "\(count) actions: \(NoticeAction.maximumCount) are the most.")
        }
        var seen: Set<String> = []
        for action in actions {
            guard !action.id.isEmpty else {
                throw NoticeError(.invalidContent, "The action '\(action.title)' has no identifier: give it one.")
            }
            try checkName(action.id, "identifier of the action '\(action.title.prefix(80))'")
            guard seen.insert(action.id).inserted else {
                throw NoticeError(.invalidContent, "Two actions are named '\(action.id)': names must differ.")
            }
        }
    }
}
