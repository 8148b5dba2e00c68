import Belfry
import FoundationEssentials

/// The rules for notices of a sandboxed app. It can't refer to files by path, because outside the sandbox paths mean
/// other files. It can't use another app's name.
struct SandboxRules {
    let app: String

    /// Checks a request with what each step changes of its content.
    func check(_ request: NoticeRequest) throws(NoticeError) {
        try check(request.content)
        var content = request.content
        content.translations = [:]
        for step in request.escalation { try check(content.escalated(by: [step], atFiring: step.from)) }
    }

    func check(_ series: NoticeSeries) throws(NoticeError) {
        try check(NoticeRequest(id: series.id, content: series.content, escalation: series.escalation))
    }

    func check(_ entry: OwnedRequests.Entry) throws(NoticeError) {
        for request in entry.requests ?? [] { try check(request) }
    }

    func check(_ response: NoticeResponse) throws(NoticeError) {
        if let request = response.request { try check(request) }
    }

    func check(_ presentation: NoticeCenter.Presentation) throws(NoticeError) {
        if case .presentInstead(let content) = presentation { try check(content) }
    }

    /// Checks everything except texts for the user and the app's own data, so that fields added later are included.
    func check(_ content: NoticeContent) throws(NoticeError) {
        if let name = content.desktop.appName, !name.isEmpty {
            throw refusal("speaks as '\(name.prefix(80))'", "leave appName out")
        }
        if let hint = content.desktop.hints.keys.first(where: Self.identityHints.contains) {
            throw refusal("sets the hint '\(hint)', by which a desktop knows who speaks", "leave it out")
        }
        if content.bodyFormat == .markup,
            ([content.body] + content.translations.values.compactMap(\.body)).contains(where: Self.hasPicture)
        {
            throw refusal("has a picture in a text", "leave <img> out, and send pixels as the notice's image")
        }
        var rest = content
        (rest.title, rest.subtitle, rest.body) = ("", "", "")
        (rest.translations, rest.userInfo, rest.summary) = ([:], [:], nil)
        (rest.category, rest.thread) = (nil, nil)
        rest.actions = rest.actions.map(Self.withoutTexts)
        if case .pixels = rest.image { rest.image = nil }
        try checkPaths(in: rest)
    }

    func check(_ icon: NoticeIcon) throws(NoticeError) { try checkPaths(in: icon) }

    func check(_ categories: [NoticeCategory]) throws(NoticeError) {
        for category in categories { try checkPaths(in: category.actions.map(Self.withoutTexts)) }
    }

    /// Whether a markup text has a picture, which is always a file. Other characters than ASCII don't count: control
    /// characters are removed before the tags are read.
    private static func hasPicture(_ text: String) -> Bool {
        String(decoding: text.utf8.filter { (0x20...0x7E).contains($0) }, as: UTF8.self).lowercased().contains("<img")
    }

    private static let identityHints: Set<String> = [
        "desktop-entry", "sender-pid", "x-kde-appname", "x-kde-display-appname", "x-kde-origin-name",
    ]

    private static func withoutTexts(_ action: NoticeAction) -> NoticeAction {
        NoticeAction("", title: "", icon: action.icon)
    }

    private func checkPaths(in value: some Encodable) throws(NoticeError) {
        let tree: JSONValue
        do { tree = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value)) } catch {
            throw NoticeError(.invalidContent, "A notice can't be written as JSON: mend it.", cause: "\(error)")
        }
        guard let path = Self.firstPath(in: tree) else { return }
        throw refusal("names the file '\(path.prefix(80))'", "send pixels or the name of an icon or sound")
    }

    private static func firstPath(in value: JSONValue) -> String? {
        switch value {
        case .string(let text): isPath(text) ? text : nil
        case .array(let values): values.lazy.compactMap(firstPath).first
        case .object(let members): members.values.lazy.compactMap(firstPath).first
        case .null, .bool, .int, .double: nil
        }
    }

    /// Whether a text is a path. Names in themes have no slash.
    private static func isPath(_ text: String) -> Bool {
        let lowercased = text.lowercased()
        guard !lowercased.hasPrefix("https://"), !lowercased.hasPrefix("http://") else { return false }
        return text.utf8.contains(UInt8(ascii: "/")) || text.hasPrefix("~") || lowercased.hasPrefix("file:")
    }

    private func refusal(_ what: String, _ advice: String) -> NoticeError {
        NoticeError(.accessDenied, "The sandboxed application '\(app)' \(what): \(advice).")
    }
}
