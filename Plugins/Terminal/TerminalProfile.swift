import Belfry
import BelfryConsole

/// The terminal's identity and capabilities.
struct TerminalProfile: Sendable, Hashable {
    let name: String
    let sequence: TerminalSequence
    /// The OSC 99 features that it reported; nil if it was not queried.
    var support: KittySupport?
    var multiplexer: Multiplexer?
    /// Whether the terminal's reports are read now.
    var isListening = false

    /// Whether the terminal reports what the user does. Within a multiplexer, reports would reach its active window as
    /// if they had been typed.
    var reports: Bool { reportsActivation || reportsClosing }
    var reportsActivation: Bool { isListening && multiplexer == nil && support?.reportsActivation == true }
    var reportsClosing: Bool { isListening && multiplexer == nil && support?.reportsClosing == true }

    var capabilities: DeliveryCapabilities {
        var features: Set<DeliveryCapabilities.Feature> = []
        if support?.payloads.contains("body") ?? true { features.insert(.body) }
        if let support {
            features.insert(.replacing)
            if support.hasUrgency { features.insert(.urgency) }
            if support.hasExpiry { features.insert(.expiry) }
            if support.payloads.contains("icon") { features.insert(.icon) }
            if !support.sounds.isEmpty { features.insert(.sound) }
            if reportsActivation, support.payloads.contains("buttons") { features.insert(.actions) }
        }
        return DeliveryCapabilities(
            server: server,
            features: features,
            titleLimit: limits.title,
            bodyLimit: limits.body,
            actionLimit: Self.mostButtons,
            reportsClosing: reportsClosing
        )
    }

    private var server: String {
        let way = multiplexer.map { " through \($0)" } ?? ""
        return "\(name.oneLine) (\(sequence.title)\(way))"
    }

    /// Maximum lengths in characters. kitty cuts both at 1,024 silently; ghostty buffers 2,048 bytes per command.
    private var limits: (title: Int, body: Int) { sequence == .osc99 ? (1024, 1024) : (80, 400) }
    /// kitty's limit.
    private static let mostButtons = 8
}

extension TerminalProfile {
    /// Creates a profile from the terminal's reply and the environment. Returns nil if no sequence is known.
    ///
    /// - Parameter asked: The app's choice, which takes precedence.
    init?(
        asked sequence: TerminalSequence?,
        _ reply: TerminalReply?,
        environment: [String: String]
    ) {
        var multiplexer = Multiplexer.found(in: environment)
        // tmux on another machine than the terminal's replies in its stead.
        if let name = reply?.name?.lowercased(), name.hasPrefix("tmux") { multiplexer = .tmux }
        let own = multiplexer == nil ? reply : nil
        let named = own?.name.flatMap(KnownTerminal.named)
        var known = named
        // Variables may be inherited; they are ignored if the terminal reported its name.
        if own?.name == nil { known = KnownTerminal.found(in: environment) }
        // A terminal that replied without a name and without OSC 99 is not kitty.
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

    /// Creates a profile from tmux's reply.
    init?(asked sequence: TerminalSequence?, _ client: TmuxClient) {
        let known = KnownTerminal.named(client.name) ?? KnownTerminal.ofKind(client.kind)
        guard let chosen = sequence ?? known?.sequence else { return nil }
        let name = [client.name, known?.name ?? "", client.kind].first { !$0.isEmpty }
        self.init(name: name ?? "terminal", sequence: chosen, multiplexer: .tmux)
    }
}
