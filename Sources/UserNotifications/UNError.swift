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
        /// An attachment that is larger than the center allows.
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
        /// A provider of content that is not allowed: here none is.
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

    /// An error of that code, as an app makes it for tests.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code: code, description: userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)")
    }

    init(code: Code, description: String) {
        self.code = code
        self.description = description
    }

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

/// Lets a code be a pattern: `catch UNError.notificationsNotAllowed`.
public func ~= (code: UNError.Code, error: any Error) -> Bool { (error as? UNError)?.code == code }
