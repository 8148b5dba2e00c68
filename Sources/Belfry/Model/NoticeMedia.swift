import FoundationEssentials

/// The small picture that shows the sender.
///
/// ```swift
/// let content = NoticeContent(title: "Backup done", icon: .named("drive-harddisk-symbolic"))
/// ```
public enum NoticeIcon: Sendable, Codable, Hashable {
    /// A name from the icon theme, such as `alarm-symbolic`.
    case named(String)
    /// An absolute path.
    case file(String)
}

/// The large picture that belongs to the message.
///
/// ```swift
/// let door = NoticeContent(title: "Somebody is at the door", image: .file("/var/lib/camera/door.jpg"))
/// ```
public enum NoticeImage: Sendable, Codable, Hashable {
    /// A name from the icon theme.
    case named(String)
    /// An absolute path.
    case file(String)
    /// A picture in memory.
    case pixels(Pixels)
}

extension NoticeImage {
    /// An uncompressed picture, 8 bits per channel, top row first, alpha not premultiplied.
    public struct Pixels: Sendable, Codable, Hashable {
        /// The width in pixels, 1 to 2,047: Plasma refuses larger pictures.
        public var width: Int
        /// The height in pixels, 1 to 2,047.
        public var height: Int
        /// Bytes from the start of one row to the start of the next; at least `width × channels`.
        public var rowStride: Int
        /// True: four bytes per pixel, the last one is the opacity. False: three.
        public var hasAlpha: Bool
        /// At least `(height − 1) × rowStride + width × channels` bytes.
        public var bytes: [UInt8]

        /// Creates a picture; without a row stride, its rows have no padding.
        public init(width: Int, height: Int, rowStride: Int? = nil, hasAlpha: Bool, bytes: [UInt8]) {
            self.width = width
            self.height = height
            self.hasAlpha = hasAlpha
            self.rowStride = rowStride ?? width.multipliedReportingOverflow(by: hasAlpha ? 4 : 3).partialValue
            self.bytes = bytes
        }

        /// The maximum number of bytes: enough for the largest picture with padded rows.
        static let maximumByteCount = 16 << 20

        /// The bytes per pixel: 4 with alpha, 3 without.
        public var channels: Int { hasAlpha ? 4 : 3 }

        /// The error in the values, as the end of a sentence; nil if they are valid.
        public var validationError: String? {
            guard (1..<2048).contains(width), (1..<2048).contains(height) else {
                return "a picture of \(width) × \(height) pixels; each side must be 1 to 2,047"
            }
            guard rowStride >= width * channels, rowStride <= 1 << 20 else {
                return
                    "a row stride of \(rowStride) bytes; \(width) pixels of \(channels) bytes need \(width * channels)"
            }
            let needed = (height - 1) * rowStride + width * channels
            guard bytes.count >= needed else { return "\(bytes.count) bytes of pixels; the picture needs \(needed)" }
            guard bytes.count <= Self.maximumByteCount else {
                return "\(bytes.count) bytes of pixels; \(Self.maximumByteCount) are the most"
            }
            return nil
        }
    }
}

/// The bytes are coded as one Base64 string: numbers would be three times as long, and far slower to read.
extension NoticeImage.Pixels {
    private enum CodingKeys: String, CodingKey { case width, height, rowStride, hasAlpha, bytes }

    /// Also reads bytes that an earlier version wrote as numbers.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        width = try values.decode(Int.self, forKey: .width)
        height = try values.decode(Int.self, forKey: .height)
        rowStride = try values.decode(Int.self, forKey: .rowStride)
        hasAlpha = try values.decode(Bool.self, forKey: .hasAlpha)
        if let text = try? values.decode(String.self, forKey: .bytes) {
            guard let data = Data(base64Encoded: text) else {
                throw NoticeError(.invalidContent, "The pixels of an image are no Base64: '\(text.prefix(80))'.")
            }
            bytes = Array(data)
        } else {
            bytes = try values.decode([UInt8].self, forKey: .bytes)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        try values.encode(rowStride, forKey: .rowStride)
        try values.encode(hasAlpha, forKey: .hasAlpha)
        try values.encode(Data(bytes).base64EncodedString(), forKey: .bytes)
    }
}

/// The sound of a notice.
///
/// ```swift
/// let tea = NoticeContent(title: "Tea is ready", sound: .named("alarm-clock-elapsed"))
/// ```
public enum NoticeSound: Sendable, Codable, Hashable {
    /// The desktop's usual sound for a message.
    case standard
    /// A name from the freedesktop sound theme, such as `alarm-clock-elapsed`.
    case named(String)
    /// An absolute path.
    case file(String)
    /// No sound: the server is asked to be silent.
    case silent
}

/// A file that belongs to the notice. If the content has no image, the first attachment that is a picture is shown.
///
/// ```swift
/// var content = NoticeContent(title: "Scan finished")
/// content.attachments = [NoticeAttachment(id: "scan", path: "/srv/scans/letter.png")]
/// ```
public struct NoticeAttachment: Sendable, Codable, Hashable, Identifiable {
    /// The app's name for the file.
    public var id: String
    /// The absolute path. `add` checks the file, which is never moved. A store on disk copies it. With
    /// ``NoticeStore/memory``, it must exist until the notice is shown.
    public var path: String
    /// The media type (`image/png`); nil derives it from the file name.
    public var mediaType: String?

    /// Creates an attachment; `add` checks that the file can be read.
    public init(id: String, path: String, mediaType: String? = nil) {
        self.id = id
        self.path = path
        self.mediaType = mediaType
    }

    private enum CodingKeys: String, CodingKey {
        case id = "identifier"
        case path, mediaType
    }

    var isPicture: Bool {
        if let mediaType { return mediaType.hasPrefix("image/") }
        let name = path.lowercased()
        return [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp"].contains { name.hasSuffix($0) }
    }
}
