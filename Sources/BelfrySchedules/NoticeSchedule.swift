import Belfry
public import BelfryRecurrence
import FoundationEssentials

/// The notices of a schedule file, read and checked, not yet begun.
///
/// ```swift
/// let schedule = try NoticeSchedule(contentsOf: "/etc/tea/schedule.json")
/// let report = try await center.synchronize(with: schedule, owner: "schedule.json")
/// ```
///
/// Four forms of JSON and JSON5 are read, and iCalendar's alarms; the article "Schedule files" describes them.
public struct NoticeSchedule: Sendable {
    /// As it was named; errors begin with it.
    public let source: String
    /// In the order of the file.
    public let entries: [ScheduledNotice]
    /// What was left out of account, such as an alarm that sends mail.
    public let warnings: [String]

    /// Reads a file. Throws ``ScheduleError`` with all errors in it; permanent until the file is mended.
    public init(contentsOf path: String, options: ScheduleOptions = ScheduleOptions()) throws(ScheduleError) {
        try self.init(try Self.bytes(of: path, named: options.name), of: path, options: options)
    }

    /// What a file held.
    init(_ bytes: [UInt8], of path: String, options: ScheduleOptions) throws(ScheduleError) {
        var options = options
        if options.folder == nil {
            options.folder = URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
        }
        try self.init(bytes, named: options.name ?? path, options: options)
    }

    /// Reads a text.
    public init(
        parsing text: String,
        named source: String = "schedule",
        options: ScheduleOptions = ScheduleOptions()
    ) throws(ScheduleError) {
        try self.init(Array(text.utf8), named: source, options: options)
    }

    init(_ bytes: [UInt8], named source: String, options: ScheduleOptions) throws(ScheduleError) {
        let text = SourceText(bytes)
        let collector = DiagnosticCollector(text)
        var reading = ScheduleReading(collector: collector, options: options)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Self.unusable(source, .invalidSchedule, "the file is not UTF-8")
        }
        if CalendarFile.isOne(bytes) { reading.readCalendar(bytes) } else { reading.readJSON(bytes) }
        guard collector.isEmpty else { throw ScheduleError(source: source, diagnostics: collector.diagnostics) }
        var entries = reading.entries
        for (index, position) in text.positions(of: entries.map(\.offset)).enumerated() {
            entries[index].position = position
        }
        self.source = source
        self.entries = entries
        warnings = reading.warnings
    }

    static func bytes(of path: String, named name: String? = nil) throws(ScheduleError) -> [UInt8] {
        do throws(RegularFile.Failure) {
            // A huge file would fill the memory.
            return try RegularFile.bytes(of: path, limit: JSON5Reader.maximumSize + 1)
        } catch {
            let reason =
                error == .notRegular ? "is not a regular file" : error.isAbsent ? "is not there" : "can't be read"
            throw unusable(name ?? path, .fileUnreadable, "the file \(reason); name a schedule file that you may read")
        }
    }

    private static func unusable(_ source: String, _ code: NoticeError.Code, _ message: String) -> ScheduleError {
        ScheduleError(source: source, diagnostics: [ScheduleDiagnostic(code: code, path: "", message: message)])
    }
}

/// How a schedule file is read.
public struct ScheduleOptions: Sendable {
    /// The languages to choose translations by, best first; nil follows the environment of the moment of showing.
    public var languages: [String]?
    /// The zone of dates and times of day that name none; nil is the system's, and that of the center's clock where a
    /// center follows the file.
    public var zone: ZoneRules?
    /// What pictures and sounds that are named by a relative path are relative to; nil is the file's own folder.
    public var folder: String?
    /// What errors call the file; nil is its path.
    public var name: String?
    /// What the numbers of `type` mean in files of form C.
    public var types: [Int: NoticeType]

    /// What `type` says in files of form C; its name becomes the notice's category.
    public enum NoticeType: String, Sendable, Codable, Hashable, CaseIterable {
        /// The type of notices about downtimes.
        case downtime
        /// The type of greetings.
        case greetings
        /// Given to the app when it is due, and never shown.
        case notDisplayed
        /// All other types.
        case others
    }

    /// Creates options; each default is what most files want.
    public init(
        languages: [String]? = nil,
        zone: ZoneRules? = nil,
        folder: String? = nil,
        name: String? = nil,
        types: [Int: NoticeType] = [0: .downtime, 1: .greetings, 2: .notDisplayed, 3: .others]
    ) {
        self.languages = languages
        self.zone = zone
        self.folder = folder
        self.name = name
        self.types = types
    }
}
