import Belfry
import BelfryRecurrence
import Foundation

/// A notice for programs: the fields of `--json`, absent where there is nothing.
struct NoticeObject: Encodable {
    struct Button: Encodable {
        let id: String
        let title: String
        let icon: String?
        /// The placeholder of a field to type into.
        let reply: String?
    }

    private let id: String
    private let delivery: String
    private let app: String
    private let title: String
    private let subtitle: String?
    private let body: String?
    private let bodyFormat: NoticeContent.BodyFormat?
    private let at: String
    private let late: Double
    private let level: InterruptionLevel
    private let thread: String?
    private let series: String?
    private let category: String?
    private let desktopCategory: String?
    private let actions: [Button]?
    private let progress: Double?
    private let badge: Int?
    private let icon: String?
    private let image: String?
    private let sound: String?
    private let expires: Double?
    private let possiblyRepeated: Bool?
    private let lost: [String]?
    private let userInfo: [String: JSONValue]?

    init(_ delivery: Delivery, lost: [LostFeature], in zone: ZoneRules) {
        func some(_ text: String) -> String? { text.isEmpty ? nil : text }
        let content = delivery.content
        id = delivery.requestID
        self.delivery = delivery.id
        app = delivery.app.id
        title = content.title
        subtitle = some(content.subtitle)
        body = some(content.body)
        bodyFormat = content.bodyFormat == .plain ? nil : content.bodyFormat
        at = LocalTimestamp(of: delivery, in: zone).rfc3339
        late = max(0, (delivery.late.seconds * 1000).rounded() / 1000)
        level = content.level
        thread = content.thread
        series = delivery.series
        category = content.category ?? content.desktopCategory
        desktopCategory = content.desktopCategory
        let buttons = content.actions.map { action in
            let placeholder: String? = if case .reply(let text) = action.kind { text } else { nil }
            return Button(id: action.identifier, title: action.title, icon: action.icon, reply: placeholder)
        }
        actions = buttons.isEmpty ? nil : buttons
        progress = content.progress
        badge = content.badge
        icon = content.icon.map { icon in
            switch icon {
            case .named(let text), .file(let text): text
            }
        }
        image = content.image.map(Self.name)
        sound = content.sound.map(Self.name)
        expires = if case .after(let duration) = content.expiry { duration.seconds } else { nil }
        possiblyRepeated = delivery.isPossiblyRepeated ? true : nil
        self.lost = lost.isEmpty ? nil : lost.map(\.description)
        userInfo = content.userInfo.isEmpty ? nil : content.userInfo
    }

    /// The object on a line of its own.
    var line: String { Self.line(self) }

    static func withdrawn(_ delivery: Delivery) -> String { line(["withdrawn": ["id": delivery.requestID]]) }

    private static func name(_ image: NoticeImage) -> String {
        switch image {
        case .named(let text), .file(let text): text
        case .pixels(let pixels): "\(pixels.width)x\(pixels.height) pixels"
        }
    }

    private static func name(_ sound: NoticeSound) -> String {
        switch sound {
        case .standard: "standard"
        case .silent: "silent"
        case .named(let text), .file(let text): text
        }
    }

    private static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        // Strings, numbers and lists of them: there is nothing in it that could fail to be encoded.
        guard let data = try? encoder.encode(value) else { preconditionFailure("a notice that is no JSON") }
        return String(decoding: data, as: UTF8.self).withEscapedControls + "\n"
    }
}

extension String {
    /// The control characters that JSON allows in strings and some terminals obey (DEL, C1), and the separators that
    /// some readers take for the end of a line, as `\u` escapes. Outside of strings JSON has none of them.
    fileprivate var withEscapedControls: String {
        func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
            (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
        }
        guard unicodeScalars.contains(where: mustBeEscaped) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            guard mustBeEscaped(scalar) else { return text.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
