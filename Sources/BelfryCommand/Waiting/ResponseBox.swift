import Belfry
import Synchronization

/// The designated handler of a command's answers: keeps the last one.
final class ResponseBox: NoticeCenterDelegate {
    private let last = Mutex<NoticeResponse?>(nil)

    var response: NoticeResponse? { last.withLock { $0 } }

    func received(_ response: NoticeResponse) async {
        last.withLock { $0 = response }
    }
}
