import Belfry
public import BelfryRecurrence
import FoundationEssentials

/// The notices of a schedule file, read and checked, but not yet scheduled.
///
/// ```swift
/// let schedule = try NoticeSchedule(contentsOf: "/etc/tea/schedule.json")
/// let report = try await center.synchronize(with: schedule, owner: "schedule.json")
/// ```
///
/// It reads four forms of JSON and JSON5, and the alarms of iCalendar; the article "Schedule files" describes them.
public struct NoticeSchedule: Sendable {
    /// The name of the source, with which errors begin.
    public let source: String
    /// The entries, in the order of the file.
    public let entries: [ScheduledNotice]
    /// Descriptions of the parts that were ignored, such as an alarm that sends mail.
    public let warnings: [String]

    /// Reads a file. Throws ``ScheduleError`` with all errors in it; permanent until the file is corrected.
    public init(contentsOf path: String, options: ScheduleOptions = ScheduleOptions()) throws(ScheduleError) {
        try self.init(try Self.bytes(of: path, named: options.name), of: path, options: options)
    }

    /// Parses the bytes of a file.
    init(_ bytes: [UInt8], of path: String, options: ScheduleOptions) throws(ScheduleError) {
        var options = options
        if options.folder == nil {
            options.folder = PathText.absolute(path).split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        }
        try self.init(bytes, named: options.name ?? path, options: options)
    }

    /// Parses a text. Throws ``ScheduleError`` with all errors in it; permanent.
    ///
    /// - Parameters:
    ///   - text: JSON, JSON5 or iCalendar.
    ///   - source: The name of the text, with which errors begin.
    ///   - options: The options for reading it. A text has no directory: set the one of relative paths.
    public init(
        parsing text: String,
        named source: String = "schedule",
        options: ScheduleOptions = ScheduleOptions()
    ) throws(ScheduleError) {
        try self.init(Array(text.utf8), named: source, options: options)
    }

    /// The maximum size of a file; no list of notices is that long.
    private static let maximumSize = 4 << 20

    init(_ bytes: [UInt8], named source: String, options: ScheduleOptions) throws(ScheduleError) {
        guard bytes.count <= Self.maximumSize else {
            throw Self.unusable(source, .invalidSchedule, "the file has more than 4 MiB; split it")
        }
        let text = SourceText(bytes)
        let collector = DiagnosticCollector(text)
        var reading = ScheduleReading(collector: collector, options: options)
        if CalendarFile.isOne(bytes) {
            reading.readCalendar(bytes)
        } else {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw Self.unusable(source, .invalidSchedule, "the file is not UTF-8")
            }
            reading.readJSON(bytes)
        }
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
            // A huge file would exhaust the memory. One byte more than the maximum shows that it is too large.
            return try RegularFile.bytes(of: path, limit: maximumSize + 1)
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

/// The options for reading a schedule file.
///
/// ```swift
/// let options = ScheduleOptions(languages: ["de", "en"], zone: try .named("Europe/Berlin"))
/// let schedule = try NoticeSchedule(contentsOf: "/etc/tea/schedule.json", options: options)
/// ```
public struct ScheduleOptions: Sendable {
    /// The languages for choosing translations, best first; nil uses those of the environment when the notice is shown.
    public var languages: [String]?
    /// The zone of dates without one in Belfry's own form, and of instants without one in iCalendar. Nil is the
    /// system's zone, or that of the center's clock if a center follows the file. Times of day follow the system's
    /// zone.
    public var zone: ZoneRules?
    /// The directory for relative paths of pictures and sounds; nil is the file's own directory.
    public var folder: String?
    /// The name of the file in errors; nil is its path.
    public var name: String?
    /// The meanings of the numbers of `type` in files of form C.
    public var types: [Int: NoticeType]

    /// The meaning of `type` in files of form C; its name becomes the notice's category.
    public enum NoticeType: String, Sendable, Codable, Hashable, CaseIterable {
        /// Notices about downtimes.
        case downtime
        /// Greetings.
        case greetings
        /// Notices that the app receives when they are due, and that are never shown.
        case notDisplayed
        /// All other types.
        case others
    }

    /// Creates options; the defaults suit most files.
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
