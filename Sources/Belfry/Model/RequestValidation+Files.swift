extension RequestValidation {
    func validateFiles(_ content: NoticeContent) throws(NoticeError) {
        // A missing icon is no error, because the notice is useful without it. The receipt reports the loss.
        if case .file(let path) = content.icon { try checkPath(path, "icon") }
        if case .file(let path) = content.image { try checkReadable(path, "image") }
        if case .file(let path) = content.sound { try checkReadable(path, "sound") }
        for attachment in content.attachments {
            let name = "attachment '\(attachment.id)'"
            let length = try checkReadable(attachment.path, name)
            // This also covers sparse files: a copy takes as much room as the apparent size.
            guard length <= attachmentLimit else {
                throw NoticeError(
                    .fileTooLarge,
                    "The \(name) '\(attachment.path)' has \(length) bytes: \(attachmentLimit) are the most "
                        + "(CenterOptions.attachmentLimit)."
                )
            }
        }
    }

    /// Checks that a file can be read, and returns its length in bytes.
    @discardableResult
    private func checkReadable(_ path: String, _ what: String) throws(NoticeError) -> Int {
        try checkPath(path, what)
        guard let length = RegularFile.readableLength(of: path) else {
            throw NoticeError(
                .fileUnreadable,
                "The \(what) '\(path)' is not there, can't be read, or is no ordinary file."
            )
        }
        return length
    }

    private func checkPath(_ path: String, _ what: String) throws(NoticeError) {
        guard path.hasPrefix("/") else {
            throw NoticeError(.fileUnreadable, "The \(what) '\(path)' is not an absolute path.")
        }
        guard !path.utf8.contains(0) else {
            throw NoticeError(.fileUnreadable, "The path of the \(what), '\(path)', has a NUL inside: leave it out.")
        }
    }
}

extension NoticeError.Code {
    /// An attachment is larger than ``CenterOptions/attachmentLimit``. Permanent for this file.
    public static let fileTooLarge = Self(rawValue: "fileTooLarge")
}
