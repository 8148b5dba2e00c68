import Belfry
public import Foundation

/// An error of a call, by Apple's codes where there is one.
public struct UNError: Error, CustomNSError, CustomStringConvertible, Sendable {
    /// What went wrong.
    public enum Code: Int, Sendable {
        /// The user, or the desktop's settings, forbids notices.
        case notificationsNotAllowed = 1
        /// An attachment that can't be read.
        case attachmentInvalidURL = 100
        /// A kind of attachment that nothing shows.
        case attachmentUnrecognizedType = 101
        /// An attachment that is too large: nothing here is.
        case attachmentInvalidFileSize = 102
        /// An attachment that a store lacks: nothing throws it.
        case attachmentNotInDataStore = 103
        /// An attachment that the store could not take.
        case attachmentMoveIntoDataStoreFailed = 104
        /// An attachment whose contents are broken: nothing throws it.
        case attachmentCorrupt = 105
        /// A request without a date.
        case notificationInvalidNoDate = 1400
        /// A request without a text.
        case notificationInvalidNoContent = 1401
        /// A provider of content that is not allowed: nothing throws it.
        case contentProvidingObjectNotAllowed = 1500
        /// A provider of content that is wrong: nothing throws it.
        case contentProvidingInvalid = 1501
        /// A badge, or another part of the content, that is out of range.
        case badgeInputInvalid = 1600
    }

    /// What went wrong.
    public let code: Code
    /// What Belfry says of it: the value at fault, and what to do.
    public let description: String

    /// The domain of these errors.
    public static let errorDomain = "UNErrorDomain"
    /// The number of the code, as Apple gives it.
    public var errorCode: Int { code.rawValue }
    /// The description, for `localizedDescription`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// Belfry's error under Apple's code; the error itself where Apple has none.
    static func named(_ error: NoticeError) -> any Error {
        let code: Code? =
            switch error.code {
            case .notAuthorized: .notificationsNotAllowed
            case .fileUnreadable: .attachmentInvalidURL
            case .invalidComponent: .notificationInvalidNoDate
            case .emptyContent: .notificationInvalidNoContent
            case .invalidContent: .badgeInputInvalid
            default: nil
            }
        return code.map { UNError(code: $0, description: error.description) } ?? error
    }
}
