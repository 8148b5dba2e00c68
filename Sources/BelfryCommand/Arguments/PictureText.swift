import Belfry
import BelfrySchedules
import FoundationEssentials

/// Icons and images as users name them: a name of the icon theme, a path, or a `file:` address.
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

    /// Absolute: who shows the notice stands in another folder.
    static func path(_ text: String) -> String {
        if text.hasPrefix("file://"), let address = URL(string: text) { return address.path }
        return PathText.path(text)
    }

    private static func isFile(_ text: String) -> Bool {
        text.contains("/") || FileManager.default.fileExists(atPath: path(text))
    }
}
