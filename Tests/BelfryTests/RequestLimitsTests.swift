import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("How much a request may hold", .takesTurns)
struct RequestLimitsTests {
    private static func nested(_ levels: Int) -> JSONValue {
        (0..<levels).reduce(.null) { value, level in level.isMultiple(of: 2) ? .array([value]) : .object(["k": value]) }
    }

    private func validate(_ change: (inout NoticeRequest) -> Void) throws(NoticeError) {
        var request = NoticeRequest(id: "x", title: "T")
        change(&request)
        try RequestValidation().validate(request)
    }

    @Test("userInfo: 64 levels, 256 KiB") func userInfo() throws {
        try validate { $0.content.userInfo = ["deep": Self.nested(64)] }
        try validate { $0.content.userInfo = ["long": .string(String(repeating: "x", count: 262_000))] }
        for value in [Self.nested(65), Self.nested(5_000), .string(String(repeating: "x", count: 262_144))] {
            let error = #expect(throws: NoticeError.self) { try validate { $0.content.userInfo = ["given": value] } }
            #expect(error?.code == .invalidContent && error?.message.contains("userInfo") == true)
        }
    }

    @Test("A request: 1 MiB, wherever it is; the pixels of an image are not counted") func request() throws {
        let half = String(repeating: "x", count: 600_000)
        let changes: [(inout NoticeRequest) -> Void] = [
            { $0.content.title = half }, { $0.content.translations = ["de": .init(body: half)] },
            { $0.content.desktop.hints = ["x-hint": .string(half)] },
            { $0.escalation = [NoticeSeries.EscalationStep(from: 2, title: half)] },
            { $0.content.actions = [NoticeAction("a", title: half)] },
            { $0.content.summary = ThreadSummary(moreThan: 1, within: .seconds(1), title: half) },
        ]
        for change in changes {
            try validate(change)
            let error = #expect(throws: NoticeError.self) {
                try validate {
                    change(&$0)
                    $0.content.body = half
                }
            }
            #expect(error?.message.contains("1048576") == true)
        }
        let bytes = [UInt8](repeating: 7, count: 4_000_000)
        let pixels = NoticeImage.Pixels(width: 1_000, height: 1_000, hasAlpha: true, bytes: bytes)
        try validate { $0.content.image = .pixels(pixels) }
    }

    @Test("500 languages, also with those that steps add") func translations() throws {
        func languages(_ range: Range<Int>) -> [String: NoticeContent.Translation] {
            Dictionary(uniqueKeysWithValues: range.map { ("x-\($0)", .init(title: "\($0)")) })
        }
        try validate { $0.content.translations = languages(0..<500) }
        for steps in [0..<0, 0..<100] {
            let error = #expect(throws: NoticeError.self) {
                try validate { request in
                    request.content.translations = languages(0..<(steps.isEmpty ? 501 : 500))
                    request.escalation = steps.map { step in
                        .init(from: step + 1, title: "\(step)", translations: languages(step * 400..<step * 400 + 400))
                    }
                }
            }
            #expect(error?.message.contains("translations: 500 are the most") == true)
        }
    }

    @Test("32 buttons, and the click on the notice itself") func actions() throws {
        let actions = (0..<33).map { NoticeAction("a\($0)", title: "\($0)") }
        try validate {
            $0.content.actions = [NoticeAction(NoticeAction.defaultID, title: "Open")] + actions.dropLast()
        }
        let error = #expect(throws: NoticeError.self) { try validate { $0.content.actions = actions } }
        #expect(error?.message.contains("33 actions") == true)
        #expect(throws: NoticeError.self) {
            try RequestValidation().validate([NoticeCategory("many", actions: actions)])
        }
    }

    @Test("An attachment: 64 MiB unless the options say otherwise, of a sparse file too; nothing but ordinary files")
    func files() async throws {
        let folder = NSTemporaryDirectory() + "belfry-limits-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (sparse, fifo) = (folder + "/sparse", folder + "/fifo")
        #expect(FileManager.default.createFile(atPath: sparse, contents: nil))
        #expect(truncate(sparse, off_t(64 << 20) + 1) == 0)
        #expect(mkfifo(fifo, 0o600) == 0)
        @Sendable func content(_ path: String) -> NoticeContent {
            NoticeContent(title: "T").with { $0.attachments = [NoticeAttachment(id: "a", path: path)] }
        }
        let error = #expect(throws: NoticeError.self) { try RequestValidation().validate(content(sparse), of: "x") }
        #expect(error?.code == .fileTooLarge && error?.message.contains("67108865") == true)
        try RequestValidation(attachmentLimit: 65 << 20).validate(content(sparse), of: "x")
        for path in [fifo, "/dev/zero"] {
            let error = #expect(throws: NoticeError.self) { try RequestValidation().validate(content(path), of: "x") }
            #expect(error?.code == .fileUnreadable)
        }
        try await World.run(options: CenterOptions(attachmentLimit: 65 << 20)) { world in
            try await world.center.add(NoticeRequest(id: "x", content: content(sparse), trigger: .after(.seconds(60))))
            #expect(try await world.pendingIDs() == ["x"])
        }
    }

    @Test("An identifier that was no UTF-8 is refused: two of them would be one") func identifiers() {
        for bytes in [[0x61, 0xFF], [0x61, 0xFE]] as [[UInt8]] {
            let error = #expect(throws: NoticeError.self) {
                try validate { $0.id = String(decoding: bytes, as: UTF8.self) }
            }
            #expect(error?.code == .invalidIdentifier)
        }
    }

    @Test("What is snoozed again is looked at as well: a response may come from elsewhere") func snoozed() async throws
    {
        try await World.run { world in
            var request = NoticeRequest(id: "x", title: "T")
            request.content.actions = (0..<33).map { NoticeAction("a\($0)", title: "") }
            let response = NoticeResponse(
                id: "r",
                requestID: "x",
                deliveryID: "d",
                kind: .opened,
                date: World.start,
                request: request
            )
            await expectError(.invalidContent) { try await world.center.snooze(response, for: .seconds(60)) }
        }
    }

    @Test("JSON that is nested deeper is refused at the first level too many, and a wide one comes back as it was")
    func json() throws {
        let deep = String(repeating: #"{"k":"#, count: 400) + "1" + String(repeating: "}", count: 400)
        let error = #expect(throws: NoticeError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Data(deep.utf8))
        }
        #expect(error?.message.contains("64 levels") == true)
        let wide = JSONValue.array(Array(repeating: [1, 2.5, true, .null, "s", ["k": []]], count: 2_000))
        #expect(try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(wide)) == wide)
        let level = Self.nested(64)
        #expect(try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(level)) == level)
    }

    @Test("Pixels are Base64; those of an earlier version, which were numbers, are read") func pixels() throws {
        let pixels = NoticeImage.Pixels(width: 1, height: 1, hasAlpha: true, bytes: [0, 1, 254, 255])
        let text = String(decoding: try JSONEncoder().encode(pixels), as: UTF8.self)
        #expect(text.contains(#""AAH+\/w==""#) || text.contains(#""AAH+/w==""#), "\(text)")
        let earlier = #"{"width":1,"height":1,"rowStride":4,"hasAlpha":true,"bytes":[0,1,254,255]}"#
        #expect(try JSONDecoder().decode(NoticeImage.Pixels.self, from: Data(earlier.utf8)) == pixels)
        let broken = #"{"width":1,"height":1,"rowStride":4,"hasAlpha":true,"bytes":"?"}"#
        #expect(throws: NoticeError.self) { try JSONDecoder().decode(NoticeImage.Pixels.self, from: Data(broken.utf8)) }
        let padded = NoticeImage.Pixels(
            width: 1,
            height: 1,
            hasAlpha: true,
            bytes: Array(repeating: 0, count: 16 << 20 + 1)
        )
        #expect(padded.validationError != nil)
    }
}
