// Apple's module exports Foundation, and ported files rely on it: they import only UserNotifications.
@_exported import Foundation

extension NSString {
    /// Returns the text of a key in the app's tables, with its arguments, as of now and not of the showing.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let text = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
        return String(format: text, arguments: (arguments ?? []).compactMap { $0 as? any CVarArg })
    }
}
