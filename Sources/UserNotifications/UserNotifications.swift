// Apple's module brings Foundation along, and ported files rely on it: they import UserNotifications alone.
@_exported import Foundation

extension NSString {
    /// The text of a key in the app's tables, with its arguments; looked up now, and not when the notice is shown.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let text = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
        return String(format: text, arguments: (arguments ?? []).compactMap { $0 as? any CVarArg })
    }
}
