import BelfryTestSupport
import Foundation
import Synchronization
import Testing

/// A terminal of the tests' own, at the other end of a pseudo-terminal: it answers questions as its script says, keeps
/// the notices that it is sent by OSC 99, and reports what a user does with them.
final class ScriptedTerminal: Sendable {
    struct Script: Sendable {
        /// The answer to OSC 99's question; nil is a terminal without it.
        var support: String?
        /// Its name and version.
        var name: String?
        var answersAttributes = true
        /// Comes before each answer.
        var garbage = ""
        /// Answers come in single bytes.
        var isSlow = false
        /// Closing is said to be unknown, as on macOS.
        var isUntracked = false

        static let kitty = Script(
            support:
                "a=report,focus:o=always,unfocused,invisible:u=0,1,2:p=title,body,?,close,icon,alive,buttons:c=1:w=1"
                + ":s=system,silent,error,info,question,warn,warning",
            name: "kitty(0.42.1)"
        )
        static let silent = Script(answersAttributes: false)
    }

    /// A notice, as OSC 99 has it.
    struct Notice: Sendable, Hashable {
        let id: String
        var title = ""
        var body = ""
        var buttons: [String] = []
        /// Of the first command.
        var keys: [String: String] = [:]

        var reports: Bool { keys["a"]?.contains("report") == true }
        var reportsClosing: Bool { keys["c"] == "1" }
    }

    private struct State {
        var stream = TerminalStream()
        var begun: Notice?
        var shown: [Notice] = []
        var open: [Notice] = []
        var commandCount = 0
        var sequenceCount = 0
        var bytes: [UInt8] = []
    }

    let terminal: PseudoTerminal
    private let script: Script
    private let state = Mutex(State())
    private let changes = NSCondition()
    /// Unsafe: activated in the initializer and canceled in the deinitializer, and left alone between them.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    init(_ script: Script) throws {
        terminal = try PseudoTerminal()
        self.script = script
        let queue = DispatchQueue(label: "scripted terminal")
        source = DispatchSource.makeReadSource(fileDescriptor: terminal.master, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        // Closed when libdispatch has let go of it, which would take another file of the same number for this one.
        source.setCancelHandler { [terminal] in withExtendedLifetime(terminal) {} }
        source.activate()
    }

    deinit { source.cancel() }

    var path: String { terminal.path }
    var commands: [String] { state.withLock { $0.stream.commands } }
    var bytes: [UInt8] { state.withLock { $0.bytes } }
    /// All that were shown or replaced, in order.
    var shown: [Notice] { state.withLock { $0.shown } }
    var open: [Notice] { state.withLock { $0.open } }
    var titles: [String] { shown.map(\.title) }

    /// Returns when it is so; the test's time limit ends the waiting.
    func wait(until isSo: @escaping @Sendable (ScriptedTerminal) -> Bool) async {
        await offThePool {
            self.changes.lock()
            defer { self.changes.unlock() }
            while !isSo(self), self.changes.wait(until: Date(timeIntervalSinceNow: 30)) {}
        }
    }

    // MARK: the user

    /// The notice itself, or one of its buttons, counted from 1.
    func activate(_ notice: Notice, button: Int? = nil) {
        if notice.reports { send("\u{1B}]99;i=\(notice.id);\(button.map(String.init) ?? "")\u{1B}\\") }
        close(notice)
    }

    func close(_ notice: Notice) {
        let wasOpen = state.withLock { state in
            let count = state.open.count
            state.open.removeAll { $0.id == notice.id }
            return state.open.count < count
        }
        if wasOpen, notice.reportsClosing, !script.isUntracked { send("\u{1B}]99;i=\(notice.id):p=close;\u{1B}\\") }
    }

    func send(_ text: String) { terminal.press(text) }

    /// What a shell would take for keys, lines and parts of them.
    var unread: Int32 {
        var settings = termios()
        tcgetattr(terminal.slave, &settings)
        settings.c_lflag &= ~tcflag_t(ICANON)
        tcsetattr(terminal.slave, TCSANOW, &settings)
        var waiting: Int32 = 0
        return ioctl(terminal.slave, UInt(FIONREAD), &waiting) == 0 ? waiting : -1
    }

    // MARK: what is read

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(terminal.master, &buffer, buffer.count)
        guard count > 0 else { return }
        let (commands, sequences) = state.withLock { state in
            state.bytes += buffer[..<count]
            state.stream.take(buffer[..<count])
            defer {
                state.commandCount = state.stream.commands.count
                state.sequenceCount = state.stream.sequences.count
            }
            return (
                Array(state.stream.commands[state.commandCount...]),
                Array(state.stream.sequences[state.sequenceCount...])
            )
        }
        for command in commands { obey(command) }
        for sequence in sequences { answer(sequence) }
        changes.lock()
        changes.broadcast()
        changes.unlock()
    }

    private func answer(_ sequence: String) {
        switch sequence {
        // In both ways that there are of asking it.
        case ">0q", ">q": if let name = script.name { reply("\u{1B}P>|\(name)\u{1B}\\") }
        case "c": if script.answersAttributes { reply("\u{1B}[?62;22c") }
        default: break
        }
    }

    private func obey(_ command: String) {
        let fields = command.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3, fields[0] == "99" else { return }
        var keys: [String: String] = [:]
        for pair in fields[1].split(separator: ":") {
            let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
            keys[sides[0]] = sides.count > 1 ? sides[1] : ""
        }
        guard let id = keys["i"] else { return }
        switch keys["p"] ?? "title" {
        case "?": if let support = script.support { reply("\u{1B}]99;i=\(id):p=?;\(support)\u{1B}\\") }
        case "close": if let notice = open.first(where: { $0.id == id }) { close(notice) }
        case let kind: add(fields[2], kind, id, keys)
        }
    }

    private func add(_ payload: String, _ kind: String, _ id: String, _ keys: [String: String]) {
        let data = Data(base64Encoded: payload) ?? Data()
        let text = String(decoding: data, as: UTF8.self)
        let done = state.withLock { state -> Notice? in
            var notice = state.begun ?? Notice(id: id, keys: keys)
            switch kind {
            case "title": notice.title += text
            case "body": notice.body += text
            case "buttons": notice.buttons = text.split(separator: "\u{2028}").map(String.init)
            default: break
            }
            state.begun = keys["d"] == "0" ? notice : nil
            guard state.begun == nil else { return nil }
            state.open.removeAll { $0.id == id }
            state.open.append(notice)
            state.shown.append(notice)
            return notice
        }
        if let done, done.reportsClosing, script.isUntracked { reply("\u{1B}]99;i=\(id):p=close;untracked\u{1B}\\") }
    }

    private func reply(_ text: String) {
        guard script.isSlow else { return send(script.garbage + text) }
        for byte in script.garbage + text { send(String(byte)) }
    }
}
