public import Belfry
public import BelfryRecurrence
public import FoundationEssentials

/// One entry of a schedule file.
public struct ScheduledNotice: Sendable {
    /// Unique among the file's entries: the identifier, or else a fingerprint of the entry.
    public let key: String
    /// As the file has it; nil where the form has none.
    public let id: String?
    /// Changes with what the entry says, not with blanks, comments or the order of keys.
    public let fingerprint: String
    /// Where in the file the notice stands, such as `notices[3]`.
    public let path: String
    /// The line and column of the notice.
    public internal(set) var position: TextPosition
    /// What it shows.
    public var content: NoticeContent { request.content }

    /// All but the identifier and the trigger.
    let request: NoticeRequest
    let plan: NoticePlan
    let offset: Int

    /// What the entry comes to when it begins at an instant: a relative form counts from there.
    ///
    /// - Parameters:
    ///   - anchor: The instant at which the entry begins.
    ///   - zone: The system's.
    ///   - owner: Goes into identifiers that the file does not give.
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
            let outcome = try plan.outcome(of: request, id: identifier(for: owner), beginningAt: anchor, in: zone)
            for request in outcome.requests { try request.trigger?.validate() }
            return outcome
        } catch {
            throw ScheduleDiagnostic(code: error.code, path: path, position: position, message: error.message)
        }
    }

    /// The request's identifier; the base of a series.
    public func identifier(for owner: String) -> String {
        if let id { return id }
        let name = content.title.lowercased().unicodeScalars
            .map { $0.isASCII && ($0.properties.isAlphabetic || (48...57).contains($0.value)) ? Character($0) : "-" }
        let words = String(name).split(separator: "-").joined(separator: "-").prefix(24)
        return "\(words.isEmpty ? "notice" : words)-\(Fingerprint.of(owner, key))"
    }
}
