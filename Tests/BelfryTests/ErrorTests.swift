import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

/// Codes of a backend that is not Belfry's.
extension NoticeError.Code {
    fileprivate static let modemBusy = Self("org.example.modemBusy", isTransient: true)
    fileprivate static let numberUnknown = Self("org.example.numberUnknown", isTransient: false)
}

@Suite("Errors and their codes", .takesTurns)
struct ErrorTests {
    @Test(
        "A code says whether the same call may succeed later",
        arguments: [
            NoticeError.Code.noBus, .noServer, .serverTimedOut, .serverBusy, .failedForNow, .storeFailed,
            .backendStopped,
            .ownerChanged, .feedUnavailable, .pendingLimitReached,
        ]
    )
    func transient(_ code: NoticeError.Code) throws {
        #expect(NoticeError(code, "…").isTransient)
        // Over the bus and in JSON it is only a name.
        #expect(NoticeError(NoticeError.Code(rawValue: code.rawValue), "…").isTransient)
        let decoded = try JSONDecoder().decode(NoticeError.self, from: JSONEncoder().encode(NoticeError(code, "…")))
        #expect(decoded.isTransient && decoded.code == code)
    }

    @Test(
        "The others don't",
        arguments: [
            NoticeError.Code.neverFires, .invalidContent, .notAuthorized, .rejected, .unsupported, .systemFailure,
            .locationDenied, .storeDamaged,
        ]
    )
    func permanent(_ code: NoticeError.Code) { #expect(!NoticeError(code, "…").isTransient) }

    @Test("What a code's documentation says is what the code says") func documentation() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sources = try #require(
            FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        )
        var seen = 0
        let declaration =
            /static let \w+ = Self\((rawValue: )?"(?<name>\w+)"(, isTransient: (?<transient>true|false))?\)/
        for case let file as URL in sources where file.pathExtension == "swift" {
            var comment = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let text = line.trimmingPrefix(while: \.isWhitespace)
                if text.hasPrefix("///") {
                    comment += text.dropFirst(3)
                    continue
                }
                defer { comment = "" }
                guard let found = text.firstMatch(of: declaration) else { continue }
                let name = String(found.name)
                // Other types have codes too: those of the bus have a table of their own.
                guard !file.path.contains("BelfryBus") else { continue }
                let isTransient = found.transient.map { $0 == "true" } ?? NoticeError.Code(rawValue: name).isTransient
                #expect(isTransient == comment.lowercased().contains("transient"), "\(name): \(comment)")
                seen += 1
            }
        }
        #expect(seen > 40)
    }

    @Test("A code is a pattern where errors are untyped: in closures, too") func pattern() async {
        let caught: @Sendable (any Error) -> String = { error in
            do { throw error } catch NoticeError.Code.neverFires {
                return "never"
            } catch NoticeError.Code.storeFailed, NoticeError.Code.noBus {
                return "later"
            } catch { return "other" }
        }
        #expect(caught(NoticeError(.neverFires, "…")) == "never")
        #expect(caught(NoticeError(.noBus, "…")) == "later")
        #expect(caught(NoticeError(.rejected, "…")) == "other")
        #expect(caught(CancellationError()) == "other")
    }

    @Test("It is one where the error's type is known, too") func typedPattern() async throws {
        try await World.run { world in
            do {
                try await world.center.add(.sample("x", DateTrigger(date: World.start.addingTimeInterval(-60))))
                Issue.record("A date that is past was taken.")
            } catch NoticeError.Code.neverFires {}
        }
    }

    @Test("A backend's own code says whether the center retries a delivery") func ownCode() async throws {
        try await World.run { world in
            world.recorder.failNext(with: NoticeError(.modemBusy, "The modem sends something else."))
            try await world.center.add(.sample("retried"))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == ["retried"])
            #expect(try await world.history(of: "retried") == [.retrying, .delivered])

            world.recorder.failNext(with: NoticeError(.numberUnknown, "Nobody has the number 0."))
            try await world.center.add(.sample("given up"))
            try await world.clock.advance(by: .seconds(3_600))
            #expect(world.deliveredIDs() == ["retried"])
            #expect(try await world.history(of: "given up") == [.failed])
            #expect(try await world.center.history().last?.errorCode == .numberUnknown)
        }
    }

    @Test("Encoded, such a code is its name, which the core doesn't know: decoded, it is permanent")
    func ownCodeEncoded() throws {
        #expect(try JSONEncoder().encode([NoticeError.Code.modemBusy]) == Data(#"["org.example.modemBusy"]"#.utf8))
        let error = NoticeError(.modemBusy, "The modem sends something else.")
        let decoded = try JSONDecoder().decode(NoticeError.self, from: JSONEncoder().encode(error))
        #expect(decoded == error && decoded.code == .modemBusy)
        #expect(error.isTransient && !decoded.isTransient)
    }
}
