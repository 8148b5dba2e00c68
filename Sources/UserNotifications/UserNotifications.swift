// Apple's module brings Foundation along, and ported files rely on it: they import UserNotifications alone.
@_exported import Foundation
