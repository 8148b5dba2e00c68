import Belfry
import BelfryAgent
import Synchronization

/// Lists that callers read page by page: made for the first page, and kept for the others.
final class OpenLists: Sendable {
    /// Who reads which list.
    struct Reader: Hashable {
        var sender: String
        var app: String
        var method: String
        /// What the list was asked for with.
        var question: [String]
    }

    private struct Rest {
        var reader: Reader
        /// How many elements were read already.
        var offset: Int
        var texts: ArraySlice<String>
        var serial: UInt64
    }

    private struct State {
        var rests: [Rest] = []
        var lastSerial: UInt64 = 0
    }

    private let most: Int
    private let length: Int
    private let state = Mutex(State())
    /// What nobody reads on is made again for who comes after all.
    private static let keptAtMost = 16
    private static let keptFor = Duration.seconds(60)

    /// So many elements a page, and so many bytes before the last of them.
    init(most: Int = AgentNames.page, length: Int = AgentNames.pageLength) {
        self.most = most
        self.length = length
    }

    /// The elements from `offset` on that fit a page, and whether there are more. `make` is asked for the whole list where the
    /// reader has not just read the page before.
    func page(
        of reader: Reader,
        from offset: Int,
        _ make: () async throws -> [String]
    ) async throws -> (texts: [String], hasMore: Bool) {
        let texts: ArraySlice<String> =
            if let rest = take(reader, offset) { rest } else { try await make().dropFirst(offset) }
        let page = fitting(texts)
        let rest = texts.dropFirst(page.count)
        if !rest.isEmpty { keep(reader, offset + page.count, rest) }
        return (Array(page), !rest.isEmpty)
    }

    /// The first of these texts, as many as a page holds.
    func fitting(_ texts: ArraySlice<String>) -> ArraySlice<String> {
        var bytes = 0
        return texts.prefix(most).prefix { text in
            defer { bytes += text.utf8.count }
            return bytes < length
        }
    }

    private func take(_ reader: Reader, _ offset: Int) -> ArraySlice<String>? {
        state.withLock { state in
            guard let index = state.rests.firstIndex(where: { $0.reader == reader }) else { return nil }
            let rest = state.rests.remove(at: index)
            return rest.offset == offset ? rest.texts : nil
        }
    }

    private func keep(_ reader: Reader, _ offset: Int, _ texts: ArraySlice<String>) {
        let serial = state.withLock { state in
            state.lastSerial += 1
            if state.rests.count == Self.keptAtMost { state.rests.removeFirst() }
            state.rests.append(Rest(reader: reader, offset: offset, texts: texts, serial: state.lastSerial))
            return state.lastSerial
        }
        CenterThread.shared.wait(until: .now + Self.keptFor) { [weak self] in
            self?.state.withLock { $0.rests.removeAll { $0.serial == serial } }
        }
    }
}
