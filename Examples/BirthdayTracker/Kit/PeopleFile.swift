import Foundation

/// Where the people are kept: a JSON file that may be read and edited by hand.
public struct PeopleFile: Sendable, Hashable {
    public let path: String

    public init(path: String) { self.path = path }

    /// `birthday-tracker/people.json` under `XDG_DATA_HOME`, or under `~/.local/share` where that is not set. A relative
    /// path there is left out of account, as the XDG Base Directory specification demands.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> PeopleFile {
        let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = given ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
        return PeopleFile(path: folder + "/birthday-tracker/people.json")
    }

    /// Sorted by name; nobody where there is no file yet. Throws ``BirthdayError/unreadableFile(path:reason:)``.
    public func load() throws(BirthdayError) -> [Person] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            let stored = try JSONDecoder().decode(Stored.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
            return sorted(stored.people)
        } catch { throw .unreadableFile(path: path, reason: reason(error)) }
    }

    /// Adds a person, and replaces one of the same name.
    public func add(_ person: Person) throws(BirthdayError) {
        try save(load().filter { $0.name != person.name } + [person])
    }

    /// False where there was nobody of that name.
    public func remove(name: String) throws(BirthdayError) -> Bool {
        let people = try load()
        let name = Person.trimmed(name)
        guard people.contains(where: { $0.name == name }) else { return false }
        try save(people.filter { $0.name != name })
        return true
    }

    /// Whole or not at all.
    private func save(_ people: [Person]) throws(BirthdayError) {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(Stored(people: sorted(people))).write(to: file, options: .atomic)
        } catch { throw .unwritableFile(path: path, reason: reason(error)) }
    }

    private struct Stored: Codable { var people: [Person] }

    private func sorted(_ people: [Person]) -> [Person] { people.sorted { $0.name < $1.name } }

    private func reason(_ error: any Error) -> String {
        switch error {
        case let error as BirthdayError: error.description
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.debugDescription
        default: error.localizedDescription
        }
    }
}
