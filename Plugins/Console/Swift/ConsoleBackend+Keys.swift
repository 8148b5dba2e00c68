import Belfry
import Synchronization

extension ConsoleBackend {
    /// Returns a reader of keys for one run of the backend.
    func keyReader(of terminal: Int32) -> TerminalReader {
        TerminalReader(terminal, consequence: "The user can't respond by key") { [weak self] input in
            if case .key(let byte) = input, let key = Key(byte: byte) { self?.pressed(key) }
        } report: { [weak self, listener] error, isOver in
            if isOver { self?.state.withLock { $0.cannotRead = true } }
            listener.report([.error(error)])
        }
    }

    /// Handles a key, which applies to the latest open notice.
    func pressed(_ key: Key) {
        let words = words
        let (events, echo) = state.withLock { $0.respond(to: key, words, server) }
        guard !events.isEmpty else { return }
        // The response counts even if it can't be echoed.
        if let echo { writer.writeLater(echo + "\n") }
        listener.report(events)
    }
}

extension ConsoleBackend.State {
    mutating func respond(
        to key: Key,
        _ words: ConsoleTexts,
        _ server: String
    ) -> (events: [BackendEvent], echo: String?) {
        guard let notice = open.last else { return ([], nil) }
        let content = notice.delivery.content
        let reference = DeliveryReceipt.Reference(handle: notice.handle, server: server)
        let action: String
        let title: String
        switch key {
        case .dismiss:
            _ = close(notice.handle)
            return ([.closed(reference, .dismissed)], "-> " + words.dismissed)
        case .open:
            (action, title) = (NoticeAction.defaultID, words.opened)
        case .action(let number):
            let buttons = NoticeLines.buttons(of: content)
            guard buttons.indices.contains(number - 1) else { return ([], nil) }
            (action, title) = (buttons[number - 1].id, buttons[number - 1].title.oneLine)
        }
        var events = [BackendEvent.responded(reference, action: action, text: nil, activationToken: nil)]
        if !content.desktop.isResident {
            _ = close(notice.handle)
            // As servers do: a response closes the notice.
            events.append(.closed(reference, .dismissed))
        }
        return (events, "-> \(title)")
    }
}
