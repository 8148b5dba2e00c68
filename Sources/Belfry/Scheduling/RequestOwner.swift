/// The owner of requests that are synchronized as a whole.
enum RequestOwner: Sendable, Hashable {
    /// An owner that the app names, such as a schedule file.
    case app(String)
    /// A ``RegionFeed``, by its name.
    case feed(String)

    var feed: String? { if case .feed(let name) = self { name } else { nil } }
}

extension RequestOwner {
    /// The prefix that the first stores were written with.
    private static let feedPrefix = "window:"
    private static let escape = "app:"

    /// The name in storage. An app's owner is stored under its own name, escaped if that would be read as a feed's name
    /// or as an escaped one.
    var storedName: String {
        switch self {
        case .app(let name): Self.needsEscape(name) ? Self.escape + name : name
        case .feed(let name): Self.feedPrefix + name
        }
    }

    init(storedName name: String) {
        if name.hasPrefix(Self.feedPrefix) {
            self = .feed(String(name.dropFirst(Self.feedPrefix.count)))
        } else {
            self = .app(Self.needsEscape(name) ? String(name.dropFirst(Self.escape.count)) : name)
        }
    }

    /// Returns true for `window:…`, `app:window:…`, `app:app:window:…` and so on.
    private static func needsEscape(_ name: String) -> Bool {
        var rest = name[...]
        while rest.hasPrefix(escape) { rest = rest.dropFirst(escape.count) }
        return rest.hasPrefix(feedPrefix)
    }
}

extension RequestOwner: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.storedName < right.storedName }
}

extension RequestOwner: CustomStringConvertible {
    var description: String {
        switch self {
        case .app(let name): "'\(name)'"
        case .feed(let name): "the feed '\(name)'"
        }
    }
}
