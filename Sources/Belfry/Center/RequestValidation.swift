import Foundation

/// What must be true of a request before it is stored. The errors name the value at fault.
enum RequestValidation {
    static func validate(_ request: NoticeRequest) throws(NoticeError) {
        let id = request.id
        guard !id.isEmpty, id.utf8.count <= 1_024 else {
            throw NoticeError(
                .invalidIdentifier,
                id.isEmpty
                    ? "The request's identifier is empty: give it one that is unique in your app."
                    : "The request's identifier has \(id.utf8.count) bytes: 1,024 is the most.")
        }
        try validate(request.content, of: id)
        if let unknown = request.trigger as? UnknownTrigger {
            throw NoticeError(
                .unknownTriggerKind,
                "The trigger kind '\(unknown.storedKind.rawValue)' is not known here: register it in a TriggerRegistry.")
        }
        if request.trigger is any PlaceTrigger {
            try request.trigger?.validate()
            throw NoticeError(
                .locationUnavailable,
                "The request '\(id)' waits for a place, and this center has no location provider.")
        }
        try request.trigger?.validate()
    }

    static func validate(_ content: NoticeContent, of id: String) throws(NoticeError) {
        let texts = [content.title, content.subtitle, content.body]
        let hasText = texts.contains { $0.unicodeScalars.contains { $0.properties.isWhitespace == false } }
        guard hasText else {
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
        if case .after(let span) = content.expiry, span <= .zero || span > .seconds(Int32.max / 1_000) {
            throw NoticeError(
                .invalidContent, "An expiry of \(span.seconds) s: it must be over 0 and at most 24 days.")
        }
        try validate(content.actions)
        try validateFiles(content)
    }

    private static func validate(_ actions: [NoticeAction]) throws(NoticeError) {
        var seen: Set<String> = []
        for action in actions {
            guard !action.identifier.isEmpty else {
                throw NoticeError(.invalidContent, "The action '\(action.title)' has no identifier: give it one.")
            }
            guard seen.insert(action.identifier).inserted else {
                throw NoticeError(.invalidContent, "Two actions are named '\(action.identifier)': names must differ.")
            }
        }
    }

    private static func validateFiles(_ content: NoticeContent) throws(NoticeError) {
        if case .file(let path) = content.icon { try readable(path, "icon") }
        switch content.image {
        case .file(let path): try readable(path, "image")
        case .pixels(let pixels):
            if let fault = pixels.fault { throw NoticeError(.invalidContent, "The image is \(fault).") }
        case .named, nil: break
        }
        if case .file(let path) = content.sound { try readable(path, "sound") }
        for attachment in content.attachments { try readable(attachment.path, "attachment '\(attachment.identifier)'") }
    }

    private static func readable(_ path: String, _ what: String) throws(NoticeError) {
        guard path.hasPrefix("/") else {
            throw NoticeError(.fileUnreadable, "The \(what) '\(path)' is not an absolute path.")
        }
        guard isReadableFile(path) else {
            throw NoticeError(.fileUnreadable, "The \(what) '\(path)' is not there or can't be read.")
        }
    }

    static func isReadableFile(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return !path.utf8.contains(0) && FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && !isDirectory.boolValue && FileManager.default.isReadableFile(atPath: path)
    }
}
