import Belfry
import BelfryAgent
import Synchronization

/// Lists that callers read page by page. A list is made for the first page and kept for the others.
///
/// A list consists of its elements, or of identifiers whose elements are read for each page.
final class OpenLists: Sendable {
    /// The caller and the list that it reads.
    struct Reader: Hashable {
        var sender: String
        var app: String
        var method: String
        /// The string arguments of the call.
        var question: [String]
    }

    private struct Rest {
        var reader: Reader
        /// The number of elements that were read already.
        var offset: Int
        var elements: ArraySlice<String>
        var serial: UInt64
    }

    private struct State {
        var rests: [Rest] = []
        var lastSerial: UInt64 = 0
    }

    private let most: Int
    private let length: Int
    private let state = Mutex(State())
    /// The limit of kept lists of an app: none drops those of another. A dropped list is made again if its reader
    /// continues after all.
    private static let keptPerApp = 16
    /// More elements might not fit on the page and be read for nothing.
    private static let readAtOnce = 1_024
    private static let keptFor = Duration.seconds(60)

    /// - Parameters:
    ///   - most: The most elements of a page.
    ///   - length: The most bytes of a page before its last element.
    init(most: Int = AgentNames.page, length: Int = AgentNames.pageLength) {
        self.most = most
        self.length = length
    }

    /// Returns the elements from `offset` that fit on a page, and whether there are more.
    ///
    /// - Parameters:
    ///   - make: Returns the whole list. Called unless the reader has just read the page before.
    ///   - read: Returns the texts of some elements; nil for an element that no longer exists.
    func page(
        of reader: Reader,
        from offset: Int,
        _ make: () async throws -> [String],
        reading read: (ArraySlice<String>) async throws -> [String?] = { $0.map(Optional.some) }
    ) async throws -> (texts: [String], hasMore: Bool) {
        var rest: ArraySlice<String> =
            if let kept = take(reader, offset) { kept } else { try await make().dropFirst(offset) }
        var texts: [String] = []
        var bytes = 0
        while !rest.isEmpty, texts.count < most, bytes < length {
            for text in try await read(rest.prefix(min(Self.readAtOnce, most - texts.count))) where bytes < length {
                rest.removeFirst()
                guard let text else { continue }
                texts.append(text)
                bytes += text.utf8.count
            }
        }
        if !rest.isEmpty { keep(reader, offset + texts.count, rest) }
        return (texts, !rest.isEmpty)
    }

    private func take(_ reader: Reader, _ offset: Int) -> ArraySlice<String>? {
        state.withLock { state in
            guard let index = state.rests.firstIndex(where: { $0.reader == reader }) else { return nil }
            let rest = state.rests.remove(at: index)
            return rest.offset == offset ? rest.elements : nil
        }
    }

    private func keep(_ reader: Reader, _ offset: Int, _ elements: ArraySlice<String>) {
        let serial = state.withLock { state in
            state.lastSerial += 1
            let ofApp = state.rests.indices.filter { state.rests[$0].reader.app == reader.app }
            if ofApp.count == Self.keptPerApp { state.rests.remove(at: ofApp[0]) }
            state.rests.append(Rest(reader: reader, offset: offset, elements: elements, serial: state.lastSerial))
            return state.lastSerial
        }
        CenterThread.shared.wait(until: .now + Self.keptFor) { [weak self] in
            self?.state.withLock { $0.rests.removeAll { $0.serial == serial } }
        }
    }
}
