import Belfry
import Synchronization

/// The designated handler of a command's responses: keeps the last one that ended something.
final class ResponseBox: NoticeCenterDelegate {
    private let last = Mutex<NoticeResponse?>(nil)

    var response: NoticeResponse? { last.withLock { $0 } }

    func handle(_ response: NoticeResponse) async {
        guard response.snoozedUntil == nil else { return }
        last.withLock { $0 = response }
    }
}
