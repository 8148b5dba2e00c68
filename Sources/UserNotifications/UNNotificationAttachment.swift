import Belfry
public import Foundation

/// The type of the file, as a uniform type identifier (`public.png`) or a media type (`image/png`).
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
/// No effect outside Apple's systems: a desktop shows the picture itself.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// No effect outside Apple's systems.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// No effect outside Apple's systems.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A file attached to a notice. The first picture is shown; the file is never moved.
///
/// ```swift
/// let url = URL(fileURLWithPath: "/usr/share/tea/darjeeling.png")
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// content.attachments = [try UNNotificationAttachment(identifier: "picture", url: url)]
/// ```
public final class UNNotificationAttachment: NSObject, NSCopying, Sendable {
    /// The app's identifier for it.
    public let identifier: String
    /// The location of the file.
    public let url: URL
    /// A uniform type identifier, such as `public.png`.
    public let type: String

    /// Creates an attachment. An empty identifier is replaced by a unique one.
    ///
    /// Throws `UNError.Code.attachmentInvalidURL` if there is no such file, and `attachmentUnrecognizedType` for a type
    /// that Apple's framework doesn't accept either; both permanent.
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
            throw UNError(
                code: .attachmentInvalidURL,
                description: "'\(url)' is no file that can be read: use URL(fileURLWithPath:)."
            )
        }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard let type = AttachmentType(hint: hint) ?? AttachmentType(ending: url.pathExtension) else {
            throw UNError(
                code: .attachmentUnrecognizedType,
                description: "'\(url.lastPathComponent)' is no picture, sound or film: give the type by "
                    + "UNNotificationAttachmentOptionsTypeHintKey."
            )
        }
        self.identifier = identifier.isEmpty ? UUID().uuidString : identifier
        self.url = url
        self.type = type.identifier
    }

    init(_ attachment: NoticeAttachment) {
        identifier = attachment.id
        url = URL(fileURLWithPath: attachment.path)
        let type = AttachmentType(hint: attachment.mediaType) ?? AttachmentType(ending: url.pathExtension)
        self.type = type?.identifier ?? "public.data"
    }

    var attachment: NoticeAttachment {
        NoticeAttachment(id: identifier, path: url.path, mediaType: AttachmentType(hint: type)?.mediaType)
    }

    /// The values by which two are equal.
    private var parts: [AnyHashable] { [identifier, url, type] }

    /// Whether the other has the same values.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAttachment)?.parts == parts }
    /// The hash of its values.
    public override var hash: Int { parts.hashValue }
    /// Returns the attachment itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The file types that Apple's framework accepts.
private struct AttachmentType {
    let identifier: String
    let mediaType: String
    let endings: [String]

    static let all = [
        Self(identifier: "public.jpeg", mediaType: "image/jpeg", endings: ["jpg", "jpeg"]),
        Self(identifier: "public.png", mediaType: "image/png", endings: ["png"]),
        Self(identifier: "com.compuserve.gif", mediaType: "image/gif", endings: ["gif"]),
        Self(identifier: "public.aiff-audio", mediaType: "audio/x-aiff", endings: ["aif", "aiff"]),
        Self(identifier: "com.microsoft.waveform-audio", mediaType: "audio/x-wav", endings: ["wav"]),
        Self(identifier: "public.mp3", mediaType: "audio/mpeg", endings: ["mp3"]),
        Self(identifier: "public.mpeg-4-audio", mediaType: "audio/mp4", endings: ["m4a"]),
        Self(identifier: "public.mpeg", mediaType: "video/mpeg", endings: ["mpg", "mpeg"]),
        Self(identifier: "public.mpeg-2-video", mediaType: "video/mpeg", endings: ["m2v"]),
        Self(identifier: "public.mpeg-4", mediaType: "video/mp4", endings: ["mp4"]),
        Self(identifier: "public.avi", mediaType: "video/x-msvideo", endings: ["avi"]),
    ]
}

extension AttachmentType {
    init?(hint: String?) {
        guard let hint, let type = Self.all.first(where: { $0.identifier == hint || $0.mediaType == hint }) else {
            return nil
        }
        self = type
    }

    init?(ending: String) {
        guard let type = Self.all.first(where: { $0.endings.contains(ending.lowercased()) }) else { return nil }
        self = type
    }
}
