import Belfry
import BelfryBus
import SeededRandom

/// Contents and signals of any kind, the same for the same seed.
struct RandomContent {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func next() -> UInt64 { random.next() }
    private mutating func below(_ bound: Int) -> Int { random.below(bound) }
    private mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
    private mutating func one<Element>(of elements: [Element]) -> Element { random.pick(elements) }

    mutating func text() -> String {
        switch below(12) {
        case 0: ""
        case 1: String(decoding: (0..<below(200)).map { _ in UInt8(truncatingIfNeeded: next()) }, as: UTF8.self)
        case 2: "<b><i>&amp;&lt;a href=\"" + String(below(9)) + "\"><a href='x'>y</a></b> & <3"
        case 3: String(repeating: one(of: ["\0", "\u{1B}[2J", "\u{202E}", "\u{FFFE}", "\r\n"]), count: below(20))
        case 4: "e" + String(repeating: "\u{301}", count: below(5000))
        case 5: String(repeating: one(of: ["y", "👨‍👩‍👧‍👦", "ä ", "<b>", "&"]), count: below(20_000))
        case 6: one(of: ["default", "settings", "inline-reply", "Inline-Reply", "belfry-action-1"])
        default:
            String(
                String.UnicodeScalarView((0..<below(60)).compactMap { _ in Unicode.Scalar(UInt32(below(0x11_0000))) })
            )
        }
    }

    private mutating func hint() -> NoticeContent.Hint {
        switch below(7) {
        case 0: .bool(chance(2))
        case 1: .byte(UInt8(truncatingIfNeeded: next()))
        case 2: .int(Int32(truncatingIfNeeded: next()))
        case 3: .int64(Int64(truncatingIfNeeded: next()))
        case 4: .uint(UInt32(truncatingIfNeeded: next()))
        case 5: .double(one(of: [0, 1, 0.5, -7, 1e300, .nan, .infinity]))
        default: .string(text())
        }
    }

    private mutating func action() -> NoticeAction {
        NoticeAction(
            text(),
            title: text(),
            kind: chance(4) ? .reply(placeholder: text()) : .button,
            icon: chance(3) ? text() : nil
        )
    }

    private mutating func pixels() -> NoticeImage.Pixels {
        let (width, height) = (below(20) - 1, below(20) - 1)
        let count = max(0, width) * max(0, height) * 4
        return NoticeImage.Pixels(
            width: chance(9) ? 2047 : width,
            height: chance(50) ? .max : height,
            rowStride: chance(2) ? nil : one(of: [0, -1, .max, .min, 80, 1 << 20]),
            hasAlpha: chance(2),
            bytes: [UInt8](repeating: 7, count: chance(3) ? below(count + 1) : count)
        )
    }

    mutating func content() -> NoticeContent {
        var content = NoticeContent(title: text(), subtitle: text(), body: text())
        if chance(3) { content.bodyFormat = .markup }
        content.level = one(of: [.passive, .active, .timeSensitive, .critical])
        content.actions = (0..<one(of: [0, 0, 1, 3, 40])).map { _ in action() }
        let names = ["urgency", "x", "image-data", "image-path", "value", "sound-file", "transient", "x-kde-urls"]
        if chance(4) {
            for _ in 0..<below(4) { content.desktop.hints[chance(2) ? one(of: names) : text()] = hint() }
        }
        if chance(4) { content.image = .pixels(pixels()) }
        if chance(9) { content.image = one(of: [.named(text()), .file(text()), .file("/dev/null"), .file("/")]) }
        if chance(9) { content.icon = one(of: [.named(text()), .file(text())]) }
        if chance(9) { content.sound = one(of: [.named(text()), .file(text()), .silent, .standard]) }
        if chance(5) { content.progress = one(of: [0, 0.5, 1, -1, 7, .nan, .infinity]) }
        if chance(5) { content.badge = one(of: [0, 1, -1, .max, .min]) }
        if chance(5) {
            content.desktop.expiry = one(of: [
                .never, .after(.zero), .after(.seconds(-1)), .after(.seconds(Int64.max)), .after(.milliseconds(5)),
            ])
        }
        if chance(5) { content.thread = text() }
        if chance(5) { content.desktop.category = text() }
        content.desktop.isTransient = chance(3)
        content.desktop.isResident = chance(3)
        return content
    }

    mutating func signal() -> (String, [BusValue]) {
        let values: [BusValue] = [
            .uint32(1), .uint32(2), .uint32(UInt32(truncatingIfNeeded: next())), .string("default"), .string("x"),
            .int32(1), .strings(["1"]), .byte(1), .variant(.uint32(1)), .structure([.uint32(1)]), .bytes([1, 2]),
            .double(.nan), .boolean(true),
        ]
        let member = one(of: [
            "ActionInvoked", "NotificationClosed", "ActivationToken", "NotificationReplied", "Nothing",
        ])
        return (member, (0..<below(4)).map { _ in one(of: values) })
    }
}
