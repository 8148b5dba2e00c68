import Foundation

/// What the command line asks for.
struct Invocation: Sendable {
    /// A file, `ride` for the one that comes with the example; nil is the machine's own position.
    var track: String?
    /// How much faster than recorded the track is played; nil doesn't wait at all.
    var speed: Double?
    var stories: String?
    var isOnDesktop = false

    static let usage = """
        usage: local-news [--stories FILE] [--desktop]
                   tells stories when this machine comes near their places, until ^C
               local-news --track FILE|ride [--speed N] [--stories FILE] [--desktop]
                   plays a GPX or NMEA track instead, N times as fast as recorded; without --speed in no time
        --desktop shows popups; without it notices are lines of text.
        """

    /// Nil where it can't be understood.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--desktop": isOnDesktop = true
            case "--track":
                guard let value = rest.popFirst() else { return nil }
                track = value
            case "--stories":
                guard let value = rest.popFirst() else { return nil }
                stories = value
            case "--speed":
                guard let value = rest.popFirst().flatMap(Double.init), value > 0, value.isFinite else { return nil }
                speed = value
            default: return nil
            }
        }
        guard speed == nil || track != nil else { return nil }
    }
}
