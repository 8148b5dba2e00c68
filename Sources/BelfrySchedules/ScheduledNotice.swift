public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

/// One entry of a schedule file.
///
/// ```swift
/// for entry in try NoticeSchedule(contentsOf: "/etc/tea/schedule.json").entries {
///     let requests = try entry.requests(beginningAt: Date())
///     print(entry.path, entry.content.title, requests.count)
/// }
/// ```
public struct ScheduledNotice: Sendable {
    /// The key, unique among the file's entries: the identifier, or else a fingerprint of the entry.
    public let key: String
    /// The identifier in the file; nil if its form has none.
    public let id: String?
    /// The fingerprint. It changes with the meaning of the entry, not with white space, comments or the order of keys.
    public let fingerprint: String
    /// The path of the notice in the file, such as `notices[3]`.
    public let path: String
    /// The line and column of the notice.
    public internal(set) var position: TextPosition
    /// The content of the notice.
    public var content: NoticeContent { request.content }

    /// The request without its identifier and trigger.
    let request: NoticeRequest
    let plan: NoticePlan
    let offset: Int

    /// Returns the requests of the entry if it begins at an instant, from which relative forms count.
    ///
    /// - Parameters:
    ///   - anchor: The instant at which the entry begins.
    ///   - zone: The system's zone.
    ///   - owner: A part of the identifiers that the file doesn't give.
    /// - Throws: ``ScheduleDiagnostic`` (permanent) if the entry can't begin, such as for a date out of range, or if
    ///   one of its triggers is invalid.
    public func requests(
        beginningAt anchor: Date,
        in zone: ZoneRules = .system(),
        owner: String = ""
    ) throws(ScheduleDiagnostic) -> [NoticeRequest] {
        try outcome(beginningAt: anchor, in: zone, owner: owner).requests
    }

    func outcome(beginningAt anchor: Date, in zone: ZoneRules, owner: String) throws(ScheduleDiagnostic) -> PlanOutcome
    {
        do throws(NoticeError) {
            let outcome = try plan.outcome(of: request, id: id(for: owner), beginningAt: anchor, in: zone)
            for request in outcome.requests { try request.trigger?.validate() }
            return outcome
        } catch {
            throw ScheduleDiagnostic(code: error.code, path: path, position: position, message: error.message)
        }
    }

    /// Returns the request's identifier, or the base of a series.
    public func id(for owner: String) -> String {
        if let id { return id }
        let name = content.title.lowercased().unicodeScalars
            .map { $0.isASCII && ($0.properties.isAlphabetic || (48...57).contains($0.value)) ? Character($0) : "-" }
        let words = String(name).split(separator: "-").joined(separator: "-").prefix(24)
        return "\(words.isEmpty ? "notice" : words)-\(Fingerprint.of(owner, key))"
    }
}
