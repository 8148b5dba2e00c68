import Belfry
import BelfrySchedules
import FoundationEssentials

/// Icons, images and sounds as the user names them: a name of the theme, a path, or a `file:` URL.
enum PictureText {
    static func icon(_ text: String) -> NoticeIcon { isFile(text) ? .file(path(text)) : .named(text) }

    static func image(_ text: String) -> NoticeImage { isFile(text) ? .file(path(text)) : .named(text) }

    static func sound(_ text: String) -> NoticeSound {
        switch text {
        case "default", "standard": .standard
        case "none", "silent": .silent
        default: isFile(text) ? .file(path(text)) : .named(text)
        }
    }

    /// Returns an absolute path, since the process that shows the notice has another working directory.
    static func path(_ text: String) -> String {
        if text.hasPrefix("file://"), let address = URL(string: text) { return address.path }
        return PathText.path(text)
    }

    private static func isFile(_ text: String) -> Bool {
        text.contains("/") || FileManager.default.fileExists(atPath: path(text))
    }
}
