import Belfry

/// Writes to standard error what a center could not show, until the task is canceled.
public func writeErrors(of events: NoticeCenter.Events) async {
    for await event in events {
        switch event {
        case .error(let error): writeError(error.description)
        case .history(let entry) where entry.outcome == .retrying || entry.outcome == .failed:
            let tail = entry.outcome == .retrying ? "; it is tried again" : ""
            writeError("'\(entry.requestID)' could not be shown: \(entry.detail ?? "no reason given")\(tail)")
        default: break
        }
    }
}
