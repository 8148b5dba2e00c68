public import Foundation

/// What a tour has seen of one server, in the order of seeing.
public struct TourFacts: Sendable, Codable, Hashable {
    /// The program's name, as `Tests/Desktop/servers` has it.
    public var server: String
    /// What the server calls itself, with its version.
    public var identity: String
    public var backend: String
    public var facts: [Fact]

    public struct Fact: Sendable, Codable, Hashable {
        public var what: String
        public var found: String
    }

    public init(server: String, identity: String, backend: String, facts: [Fact] = []) {
        self.server = server
        self.identity = identity
        self.backend = backend
        self.facts = facts
    }

    public subscript(_ what: String) -> String? { facts.first { $0.what == what }?.found }

    public mutating func note(_ what: String, _ found: String) { facts.append(Fact(what: what, found: found)) }

    public var text: String {
        ["\(identity) (\(server)) through \(backend):"].appending(facts.map { "  \($0.what): \($0.found)" })
            .joined(separator: "\n")
    }

    public func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: url)
    }

    public init(reading url: URL) throws { self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url)) }
}

/// What was recorded of a server on one release of Debian.
public struct RecordedTour: Sendable {
    public let release: String
    public let facts: TourFacts

    /// From the oldest release to the newest, as in `docs/servers`; a release that is not named here is the newest.
    static let releases = ["bookworm", "trixie", "sid"]

    /// The folder `docs/servers`, with a folder for each release.
    public static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/servers")

    /// Of one server, from the oldest release to the newest.
    public static func all(of server: String) throws -> [RecordedTour] {
        try releases.compactMap { release in
            let file = folder.appendingPathComponent("\(release)/\(server).json")
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            return RecordedTour(release: release, facts: try TourFacts(reading: file))
        }
    }
}

extension Array {
    fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}
