import Belfry
import BelfryTestSupport
import BelfryTesting
import Testing

@testable import BelfryCommand

@Suite("What becomes of a plug-in's check, from the messages of its process", .takesTurns)
struct PluginCheckReportTests {
    private typealias Rule = ConformanceReport.Result

    private static let passed = Rule(rule: "It starts", outcome: .passed)
    private static let skipped = Rule(rule: "It is answered", outcome: .skipped("nobody presses"))
    private static let failed = Rule(rule: "It stops", outcome: .failed("it runs on"))

    private func report(
        _ messages: [PluginMessage],
        _ end: ChildProgram.End = .exited(status: 0)
    ) throws(NoticeError) -> PluginCheckReport {
        try PluginCheckReport(messages, end, file: "/x.so")
    }

    private func steps(_ rules: Rule...) -> [PluginMessage] {
        [.loaded(name: "mine")]
            + rules.flatMap { [.checked(.began(rule: $0.rule)), .checked(.ended($0))] as [PluginMessage] }
    }

    @Test("Messages survive their lines; what the plug-in prints is none")
    func lines() throws {
        let messages = steps(Self.passed, Self.skipped, Self.failed) + [.refused(code: "notFound", message: "a\n\"b\"")]
        for message in messages {
            let line = try #require(message.line)
            #expect(!line.contains("\n"))
            #expect(PluginMessage(line: line) == message)
        }
        for line in ["", "{}", "hello", #"{"loaded":{}}"#] { #expect(PluginMessage(line: line) == nil) }
    }

    @Test("Each rule is a line, for eyes and for programs; a broken one is an error")
    func rules() throws {
        let kept = try CapturedOutput()
        try report(steps(Self.passed, Self.skipped)).write(to: kept.output)
        #expect(try kept.lines == ["passed   It starts", "skipped  It is answered: nobody presses"])
        #expect(try kept.noteLines == ["belfry: the plug-in 'mine' keeps the rules that could be checked"])
        let broken = try CapturedOutput(json: true)
        let error = #expect(throws: NoticeError.self) {
            try report(steps(Self.passed, Self.failed)).write(to: broken.output)
        }
        #expect(error?.code == .pluginMisbehaved)
        #expect(error?.message == "The plug-in 'mine' breaks 1 of 2 rules; belfry_plugin.h has them.")
        #expect(
            try broken.lines == [
                #"{"plugin":"mine","rule":"It starts","outcome":"passed"}"#,
                #"{"plugin":"mine","rule":"It stops","outcome":"failed","detail":"it runs on"}"#,
            ]
        )
    }

    @Test("A process that ends early breaks the rule that was being checked")
    func early() throws {
        let begun = steps(Self.passed) + [.checked(.began(rule: "It stops"))]
        let crashed = try report(begun, .crashed(signal: 6)).rules
        #expect(crashed.first == Self.passed && crashed.count == 2)
        #expect(crashed.last == Rule(rule: "It stops", outcome: .failed("it ended the process by signal 6 (Aborted)")))
        let exited = try report(begun).rules
        #expect(exited.last == Rule(rule: "It stops", outcome: .failed("it ended the process")))
        let late = try report(steps(Self.passed), .late).rules
        let words = "it took too long and was given up"
        #expect(late.last == Rule(rule: "The process ends by itself", outcome: .failed(words)))
    }

    @Test("One that can't be loaded has the error of its file, or ended the process")
    func notLoaded() {
        let refused = #expect(throws: NoticeError.self) {
            try report([.refused(code: "pluginRefused", message: "It is not yours.")])
        }
        #expect(refused?.code.rawValue == "pluginRefused" && refused?.message == "It is not yours.")
        for (end, words) in [
            (ChildProgram.End.crashed(signal: 11), "signal 11"), (.late, "too long"), (.exited(status: 0), "ended"),
        ] {
            let error = #expect(throws: NoticeError.self) { try report([], end) }
            #expect(error?.code == .pluginMisbehaved)
            #expect(error?.message.contains("/x.so") == true && error?.message.contains(words) == true)
        }
    }
}
