public import Belfry
import BelfryConsole
import Dispatch
import FoundationEssentials

/// The state of the backend, and its run.
extension TerminalBackend {
    struct State {
        fileprivate struct OpenNotice {
            let handle: UInt32
            let buttons: [String]
            /// Whether the terminal reports clicks and closing.
            let isReported: Bool
        }

        /// The variables that identify the terminal; nil until they are read from the program's.
        fileprivate var environment: [String: String]?
        var terminal: TerminalDevice?
        var reply: TerminalReply?
        /// A query that got no complete reply in time.
        var late: TerminalQuestion?
        /// Notices that can receive responses and be withdrawn, oldest first.
        fileprivate var notices: [OpenNotice] = []
        /// Withdrawn notices, and how many reports of their closing are still expected.
        fileprivate var leaving: [UInt32: Int] = [:]
        fileprivate var cannotRead = false

        init(environment: [String: String]?) { self.environment = environment }
    }

    /// The maximum number of notices that can receive responses or be withdrawn; older ones are dropped.
    private static let openLimit = 1000

    /// Whether reports can be read, which is impossible in the background.
    func canListen(on terminal: TerminalDevice) -> Bool {
        listens && !state.withLock { $0.cannotRead } && terminal.isInFront
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try listener.begin(report)
        var reader: TerminalReader?
        if await state.waitUnlessCancelled(until: \.hasReportedNotice) {
            reader = makeReader()
            await untilCancelled()
        }
        await takeDown()
        await reader?.end()
        listener.end()
        await readLateReply()
    }

    /// Returns a reader, to be ended even if it can't read, which is reported; nil if there is no terminal.
    private func makeReader() -> TerminalReader? {
        guard let terminal = state.withLock({ $0.terminal }) else { return nil }
        let reader = TerminalReader(
            terminal.descriptor,
            consequence: "What the terminal reports can't be read"
        ) { [weak self] input in
            if case .command(let text) = input, let report = KittyReport(text) { self?.take(report) }
        } report: { [state, listener] error, isOver in
            if isOver { state.withLock { $0.cannotRead = true } }
            listener.report([.error(error)])
        }
        reader.begin()
        return reader
    }

    private func take(_ report: KittyReport) {
        guard let handle = TerminalBackend.handle(of: report.id) else { return }
        listener.report(state.withLock { $0.events(of: report.event, about: handle) })
    }

    // MARK: the end

    /// Closes the notices whose reports would arrive after reading has ended, and waits briefly for those reports.
    private func takeDown() async {
        let (terminal, handles) = state.withLock { $0.end() }
        if let terminal, !handles.isEmpty {
            let closings = handles.map { TerminalMessage.closing(Self.id(of: $0)) }
            let isWritten = (try? await write(closings, through: nil, to: terminal)) != nil
            // Otherwise they may still be on the screen, as after a withdrawal that fails.
            if isWritten { listener.report(handles.map { .closed(.init(handle: String($0)), .withdrawn) }) }
        }
        _ = await withTimeout(timeouts.reply) { [state] in await state.wait { $0.leaving.isEmpty } }
    }

    private func readLateReply() async {
        guard let late = state.withLock({ $0.late }), late.device.isInFront else { return }
        await TerminalTurn.ask { late.readLateReply() }
        state.withLock { $0.late = nil }
    }
}

extension TerminalBackend.State {
    mutating func open(at path: String) throws(NoticeError) -> TerminalDevice {
        if let terminal { return terminal }
        let opened = try TerminalDevice(path)
        terminal = opened
        return opened
    }

    /// Returns the variables that identify the terminal. Copies the program's at the first use.
    mutating func variables() -> [String: String] {
        let variables = environment ?? ProcessInfo.processInfo.environment
        environment = variables
        return variables
    }

    /// Whether a notice is shown whose reports have to be read.
    fileprivate var hasReportedNotice: Bool { notices.contains(where: \.isReported) }

    mutating func open(_ content: NoticeContent, as handle: UInt32, isReported: Bool) {
        _ = close(handle)
        let buttons = content.buttons.map(\.id)
        notices.append(.init(handle: handle, buttons: buttons, isReported: isReported))
        if notices.count > TerminalBackend.openLimit { notices.removeFirst() }
    }

    /// Removes an open notice. Returns whether it was open.
    mutating func close(_ handle: UInt32) -> Bool {
        guard let place = notices.lastIndex(where: { $0.handle == handle }) else { return false }
        notices.remove(at: place)
        return true
    }

    /// Removes a withdrawn notice and returns whether it was open. A report of its closing is still expected.
    mutating func takeBack(_ handle: UInt32) -> Bool {
        let isReported = notices.last { $0.handle == handle }?.isReported == true
        if isReported, reply?.support?.reportsClosing == true { leaving[handle, default: 0] += 1 }
        return close(handle)
    }

    fileprivate mutating func events(of event: KittyReport.Event, about handle: UInt32) -> [BackendEvent] {
        if case .closed = event, let count = leaving[handle] {
            leaving[handle] = count > 1 ? count - 1 : nil
            return []
        }
        guard let notice = notices.last(where: { $0.handle == handle }) else { return [] }
        let reference = DeliveryReceipt.Reference(handle: String(handle))
        switch event {
        case .activated(let button):
            var action = NoticeAction.defaultID
            if let button {
                guard notice.buttons.indices.contains(button - 1) else { return [] }
                action = notice.buttons[button - 1]
            }
            var events = [BackendEvent.responded(reference, action: action, text: nil, activationToken: nil)]
            // A terminal that reports closing does so next.
            if reply?.support?.reportsClosing != true {
                _ = close(handle)
                events.append(.closed(reference, .dismissed))
            }
            return events
        case .closed:
            _ = close(handle)
            // By the user or by expiry: the terminal doesn't report which.
            return [.closed(reference, .unknown)]
        case .untracked:
            reply?.support?.reportsClosing = false
            return []
        case .support: return []
        }
    }

    /// Ends the run and returns the notices that must be closed.
    fileprivate mutating func end() -> (terminal: TerminalDevice?, handles: [UInt32]) {
        let handles = notices.filter(\.isReported).map(\.handle)
        for handle in handles { _ = takeBack(handle) }
        return (terminal, handles)
    }
}
