import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfryDBus

/// `BELFRY_FUZZ_ROUNDS` in the environment makes it longer.
@Suite(
    "Bad input over D-Bus",
    .takesTurns,
    .timeLimit(.minutes(10)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct BadInputTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["BELFRY_FUZZ_ROUNDS"].flatMap(Int.init) ?? 150
    private static let seed = RandomSeed.current

    /// What a server gets is within its bounds, whatever was given.
    private func check(_ call: NotifyCall, _ context: String) {
        #expect(call.title.count <= 256 && call.title.unicodeScalars.count <= 256 * 32, "\(context)")
        // The subtitle, a newline, the body, escaped to at most six times.
        #expect(call.body.utf8.count <= 32 * 4 * 6 * (256 + 2000 + 1), "\(context)")
        #expect(call.actions.count.isMultiple(of: 2) && call.actions.count <= 66, "\(context)")
        let keys = call.actions.indices.filter { $0.isMultiple(of: 2) }.map { call.actions[$0] }
        #expect(Set(keys).count == keys.count, "\(context): \(keys)")
        for (name, type) in HintType.known {
            guard let value = call.hint(name) else { continue }
            let isRight =
                switch (type, value) {
                case (.boolean, .boolean), (.byte, .byte), (.int32, .int32), (.int64, .int64), (.string, .string): true
                case (.field, .structure), (.field, .array): true
                default: false
                }
            #expect(isRight, "\(context): \(name) is \(value)")
        }
    }

    @Test("anything at all is shown or refused with an error that has a name", arguments: ServerProfile.all.map(\.name))
    func anything(profile name: String) async throws {
        let profile = try #require(ServerProfile.all.first { $0.name == name })
        try await Stage.center(profile) { stage, center in
            var random = RandomContent(seed: Self.seed)
            var (shown, refused) = (0, [NoticeError.Code: Int]())
            for round in 0..<Self.rounds {
                let context = "seed \(Self.seed), round \(round)"
                do throws(NoticeError) {
                    let content = random.content()
                    let preview = try await center.previewDelivery(of: content)
                    let notice = try await center.show(NoticeRequest(id: "r\(round % 50)", content: content))
                    shown += 1
                    #expect(preview.lost.count <= notice.receipt.lost.count, "\(context)")
                    if let call = stage.server.calls.last { check(call, context) }
                    if round % 3 == 0 { try await center.removeDelivered("r\(round % 50)") }
                } catch {
                    refused[error.code, default: 0] += 1
                    let known: [NoticeError.Code] = [
                        .invalidContent, .emptyContent, .fileUnreadable, .serverBusy, .invalidIdentifier,
                    ]
                    #expect(known.contains(error.code), "\(context): \(error)")
                }
            }
            print("bad input on \(name): seed \(Self.seed), \(shown) shown, \(refused) refused")
            #expect(shown > 0)
        }
    }

    @Test("the backend alone, without the core's preparation, neither crashes nor hangs") func unprepared() async throws
    {
        try await Stage.run(Stage.profile(["body", "body-markup", "actions", "inline-reply", "action-icons"])) {
            stage,
            _ in
            var random = RandomContent(seed: Self.seed &+ 1)
            for round in 0..<Self.rounds {
                let content = random.content()
                do throws(NoticeError) {
                    let receipt = try await stage.backend.deliver(Stage.delivery("r\(round)") { $0 = content })
                    if round % 2 == 0 { try await stage.backend.withdraw(receipt) }
                } catch {
                    #expect(error.code == .invalidContent, "seed \(Self.seed), round \(round): \(error)")
                }
            }
        }
    }

    @Test("signals of any kind about any notice, and the backend still answers") func signals() async throws {
        try await Stage.run(.hostile) { stage, events in
            var random = RandomContent(seed: Self.seed &+ 2)
            let first = try await stage.backend.deliver(Stage.delivery("First"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: first.server))
            for _ in 0..<(Self.rounds * 10) {
                let (member, arguments) = random.signal()
                stage.server.emit(member, arguments)
            }
            let last = try await stage.backend.deliver(Stage.delivery("Last"))
            stage.server.close(try #require(UInt32(last.handle)), 1)
            while let event = await events.next(isolation: #isolation) {
                // Of the first only what its own type allows has come.
                if event == .closed(DeliveryReceipt.Reference(last), .expired) { break }
                switch event {
                case .responded(let reference, _, _, _), .closed(let reference, _):
                    #expect(reference.handle == first.handle)
                default: Issue.record("\(event)")
                }
            }
        }
    }

    @Test("nearly a megabyte of text, as many actions as there may be; one more, and forty megabytes of a hint")
    func sizes() async throws {
        try await Stage.center(.kde) { stage, center in
            let half = String(repeating: "y y y ", count: 1 << 16)
            var content = NoticeContent.made(half) { content in
                content.body = half
                content.actions = (0..<32).map { NoticeAction("a\($0)", title: "Action \($0)") }
            }
            let notice = try await center.show(NoticeRequest(id: "big", content: content))
            let call = try #require(stage.server.calls.last)
            #expect(call.title.count == 256 && call.body.count == 2000 && call.actions.count == 2 * 33)
            let lost = notice.receipt.lost.map(\.feature)
            #expect(lost == [.title, .body])
            content.actions.append(NoticeAction("more", title: "One too many"))
            let many = NoticeRequest(id: "many", content: content)
            let tooMany = await #expect(throws: NoticeError.self) { try await center.show(many) }
            #expect(tooMany?.message.contains("33 actions") == true)
            let hint = NoticeContent.made {
                $0.desktop.hints = ["x-large": .string(String(repeating: "x", count: 40 << 20))]
            }
            let refused = await #expect(throws: NoticeError.self) {
                try await center.show(NoticeRequest(id: "hint", content: hint))
            }
            #expect(refused?.code == .invalidContent)
            // The bus has not cut us off.
            _ = try await center.show(NoticeRequest(id: "after", title: "After"))
        }
    }
}
