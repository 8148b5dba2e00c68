import Belfry
import BelfryConsole

/// What the terminal is, and what it can show.
struct TerminalProfile: Sendable, Hashable {
    let name: String
    let sequence: TerminalSequence
    /// What it said that it can do with OSC 99; nil where it was not asked.
    var support: KittySupport?
    var multiplexer: Multiplexer?

    /// What a user does is reported, if somebody reads the terminal. Within a multiplexer it would go to whatever window
    /// is in front there, as if it had been typed.
    var reports: Bool { reportsActivation || reportsClosing }
    var reportsActivation: Bool { multiplexer == nil && support?.reportsActivation == true }
    var reportsClosing: Bool { multiplexer == nil && support?.reportsClosing == true }

    func capabilities(isListening: Bool, isUntracked: Bool) -> DeliveryCapabilities {
        var features: Set<DeliveryCapabilities.Feature> = []
        if support?.payloads.contains("body") ?? true { features.insert(.body) }
        if let support {
            features.insert(.replacing)
            if support.hasUrgency { features.insert(.urgency) }
            if support.hasExpiry { features.insert(.expiry) }
            if support.payloads.contains("icon") { features.insert(.icon) }
            if !support.sounds.isEmpty { features.insert(.sound) }
            if isListening, reportsActivation, support.payloads.contains("buttons") { features.insert(.actions) }
        }
        return DeliveryCapabilities(
            server: server,
            features: features,
            titleLimit: limits.title,
            bodyLimit: limits.body,
            actionLimit: Self.mostButtons,
            reportsClosing: isListening && reportsClosing && !isUntracked
        )
    }

    private var server: String {
        let way = multiplexer.map { " through \($0)" } ?? ""
        return "\(name.oneLine) (\(sequence.title)\(way))"
    }

    /// In characters. kitty cuts both at 1,024 without a word; ghostty holds 2,048 bytes of a command.
    private var limits: (title: Int, body: Int) { sequence == .osc99 ? (1024, 1024) : (80, 400) }
    /// kitty's.
    private static let mostButtons = 8
}

extension TerminalProfile {
    /// Where only the environment, and what the terminal has said, is to be looked at. Nil where no way is known.
    ///
    /// - Parameter asked: The app's choice, which stands above what is known.
    init?(
        asked sequence: TerminalSequence?,
        _ reply: TerminalReply?,
        environment: [String: String]
    ) {
        var multiplexer = Multiplexer.found(in: environment)
        // tmux on another machine than the terminal's, which answers in its place.
        if let name = reply?.name?.lowercased(), name.hasPrefix("tmux") { multiplexer = .tmux }
        let own = multiplexer == nil ? reply : nil
        let named = own?.name.flatMap(KnownTerminal.named)
        var known = named
        // Variables are inherited: a terminal that says what it is needs none.
        if own?.name == nil { known = KnownTerminal.found(in: environment) }
        // One that has answered, but without a name and without OSC 99, is no kitty.
        if named == nil, own?.isComplete == true, own?.support == nil, known?.sequence == .osc99 { known = nil }
        let best = own?.support != nil ? TerminalSequence.osc99 : known?.sequence
        guard let chosen = sequence ?? best else { return nil }
        self.init(
            name: own?.name ?? known?.name ?? environment["TERM"] ?? "terminal",
            sequence: chosen,
            support: chosen == .osc99 ? own?.support : nil,
            multiplexer: multiplexer
        )
    }

    /// Where tmux was asked.
    init?(asked sequence: TerminalSequence?, _ client: TmuxClient) {
        let known = KnownTerminal.named(client.name) ?? KnownTerminal.ofKind(client.kind)
        guard let chosen = sequence ?? known?.sequence else { return nil }
        let name = [client.name, known?.name ?? "", client.kind].first { !$0.isEmpty }
        self.init(name: name ?? "terminal", sequence: chosen, multiplexer: .tmux)
    }
}
