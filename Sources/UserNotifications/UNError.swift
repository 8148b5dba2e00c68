import Belfry
public import Foundation

/// An error of a call that has a code of Apple's. All are permanent until the content, the file or the settings change.
/// Calls throw other errors as ``Belfry/NoticeError``.
///
/// ```swift
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// let request = UNNotificationRequest(identifier: "tea", content: content, trigger: nil)
/// do { try await UNUserNotificationCenter.current().add(request) } catch UNError.notificationsNotAllowed {
///     print("Allow notices in the settings.")
/// }
/// ```
public struct UNError: Error, CustomNSError, CustomStringConvertible, Sendable {
    /// What went wrong.
    public enum Code: Int, Sendable {
        /// The user, or the desktop's settings, forbids notices.
        case notificationsNotAllowed = 1
        /// An attachment that can't be read.
        case attachmentInvalidURL = 100
        /// A type of attachment that can't be shown.
        case attachmentUnrecognizedType = 101
        /// An attachment that is larger than the center allows.
        case attachmentInvalidFileSize = 102
        /// An attachment that a store lacks: never thrown.
        case attachmentNotInDataStore = 103
        /// An attachment that couldn't be moved into the store.
        case attachmentMoveIntoDataStoreFailed = 104
        /// An attachment whose contents are broken: never thrown.
        case attachmentCorrupt = 105
        /// A request without a date.
        case notificationInvalidNoDate = 1400
        /// A request without a text.
        case notificationInvalidNoContent = 1401
        /// A content provider that is not allowed: Belfry allows none.
        case contentProvidingObjectNotAllowed = 1500
        /// An invalid content provider: never thrown.
        case contentProvidingInvalid = 1501
        /// A badge, or another part of the content, that is out of range.
        case badgeInputInvalid = 1600
    }

    /// What went wrong.
    public let code: Code
    /// Belfry's message: the wrong value, and what to do.
    public let description: String

    /// Creates an error with a code, as an app does in tests.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code: code, description: userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)")
    }

    init(code: Code, description: String) {
        self.code = code
        self.description = description
    }

    /// The domain of these errors.
    public static let errorDomain = "UNErrorDomain"
    /// Apple's number of the code.
    public var errorCode: Int { code.rawValue }
    /// The description, for `localizedDescription`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// Belfry's error with Apple's code; the error itself if Apple has none.
    static func named(_ error: NoticeError) -> any Error {
        let code: Code? =
            switch error.code {
            case .notAuthorized: .notificationsNotAllowed
            case .fileUnreadable: .attachmentInvalidURL
            case .fileTooLarge: .attachmentInvalidFileSize
            case .invalidComponent: .notificationInvalidNoDate
            case .emptyContent: .notificationInvalidNoContent
            case .invalidContent: .badgeInputInvalid
            default: nil
            }
        return code.map { UNError(code: $0, description: error.description) } ?? error
    }
}

/// Apple's short names of the codes, also for `catch UNError.badgeInputInvalid`.
extension UNError {
    /// ``Code/notificationsNotAllowed``
    public static let notificationsNotAllowed = Code.notificationsNotAllowed
    /// ``Code/attachmentInvalidURL``
    public static let attachmentInvalidURL = Code.attachmentInvalidURL
    /// ``Code/attachmentUnrecognizedType``
    public static let attachmentUnrecognizedType = Code.attachmentUnrecognizedType
    /// ``Code/attachmentInvalidFileSize``
    public static let attachmentInvalidFileSize = Code.attachmentInvalidFileSize
    /// ``Code/attachmentNotInDataStore``
    public static let attachmentNotInDataStore = Code.attachmentNotInDataStore
    /// ``Code/attachmentMoveIntoDataStoreFailed``
    public static let attachmentMoveIntoDataStoreFailed = Code.attachmentMoveIntoDataStoreFailed
    /// ``Code/attachmentCorrupt``
    public static let attachmentCorrupt = Code.attachmentCorrupt
    /// ``Code/notificationInvalidNoDate``
    public static let notificationInvalidNoDate = Code.notificationInvalidNoDate
    /// ``Code/notificationInvalidNoContent``
    public static let notificationInvalidNoContent = Code.notificationInvalidNoContent
    /// ``Code/contentProvidingObjectNotAllowed``
    public static let contentProvidingObjectNotAllowed = Code.contentProvidingObjectNotAllowed
    /// ``Code/contentProvidingInvalid``
    public static let contentProvidingInvalid = Code.contentProvidingInvalid
    /// ``Code/badgeInputInvalid``
    public static let badgeInputInvalid = Code.badgeInputInvalid
}

/// Matches a code as a pattern: `catch UNError.notificationsNotAllowed`.
public func ~= (code: UNError.Code, error: any Error) -> Bool { (error as? UNError)?.code == code }
