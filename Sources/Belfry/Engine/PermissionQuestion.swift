/// What the user answered to the question whether the app may show notices, and who waits for the answer.
struct PermissionQuestion {
    typealias Asker = CheckedContinuation<Result<AuthorizationStatus, NoticeError>, Never>

    /// Nil until there is one.
    var answer: AuthorizationStatus?
    private var askers: [Asker] = []

    /// Whether the question is before the user.
    var isOpen: Bool { !askers.isEmpty }

    /// True where nobody else waits for it, so that it is to be asked.
    mutating func wait(_ asker: Asker) -> Bool {
        // The answer may have come on the way in here.
        if let answer {
            asker.resume(returning: .success(answer))
            return false
        }
        askers.append(asker)
        return askers.count == 1
    }

    mutating func close(with result: Result<AuthorizationStatus, NoticeError>) {
        let all = askers
        askers = []
        for asker in all { asker.resume(returning: result) }
    }
}
