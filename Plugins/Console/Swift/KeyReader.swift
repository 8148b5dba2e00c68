import Belfry
import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A key that means something.
enum Key: Sendable, Hashable {
    /// 1 to 9.
    case action(Int)
    case open
    case dismiss
}

/// Reads keys from a terminal while a backend runs, on a queue of its own. Belongs to that run alone.
final class KeyReader {
    private let terminal: Int32
    private let queue = DispatchQueue(label: "org.belfry.console.keys")
    private let source: any DispatchSourceRead
    private let front: FrontWatch
    private let ended = DispatchGroup()
    private var held: TerminalTurn.Terminal?

    static func isInFront(_ terminal: Int32) -> Bool { belfry_console_is_in_front(terminal) == 1 }

    /// - Parameter report: Told, once each, that keys wait until the program is in front again, and that there are none
    ///   any more.
    init(
        _ terminal: Int32,
        pressed: @escaping @Sendable (Key) -> Void,
        report: @escaping @Sendable (NoticeError) -> Void
    ) {
        self.terminal = terminal
        source = DispatchSource.makeReadSource(fileDescriptor: terminal, queue: queue)
        front = FrontWatch(of: source, on: queue) { report(Self.paused) }
        let parser = Mutex(KeyParser())
        source.setEventHandler { [source, front] in
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = belfry_console_keys_read(terminal, &buffer, buffer.count)
            guard count != -EAGAIN else { return }
            if count == -EIO, !Self.isInFront(terminal) { return front.look() }
            // The terminal is gone: this would be asked again at once, for ever.
            guard count > 0 else {
                source.cancel()
                return report(Self.gone)
            }
            let keys = parser.withLock { parser in buffer.prefix(Int(count)).compactMap { parser.key(of: $0) } }
            for key in keys { pressed(key) }
        }
        ended.enter()
        // Libdispatch lets go of the handlers, and so of the source itself, once it is cancelled.
        source.setCancelHandler { [ended] in ended.leave() }
    }

    /// Takes the terminal; what hinders is no failure of the backend, which goes on without keys.
    func begin() -> NoticeError? {
        guard let device = TerminalTurn.Terminal(terminal) else {
            source.activate()
            source.cancel()
            return Self.gone
        }
        queue.async { [front] in front.begin() }
        let status = TerminalTurn.beginKeys(
            TerminalTurn.Keys(descriptor: terminal, source: source, queue: queue),
            on: device
        )
        guard status != 0 else {
            held = device
            return nil
        }
        source.cancel()
        let why = status == -EBUSY ? "another backend takes the keys." : "this program is in the background."
        return NoticeError(
            .unsupported,
            "Notices can't be answered by key here: \(why)",
            cause: String(cString: strerror(-status))
        )
    }

    private static let gone = NoticeError(
        .unsupported,
        "Notices can't be answered by key any more: the terminal is gone."
    )
    private static let paused = NoticeError(
        .unsupported,
        "Notices can't be answered by key while this program is in the background: bring it to the front ('fg')."
    )

    /// Returns when the terminal is as it was and nobody reads it any more.
    func end() async {
        if let held { TerminalTurn.endKeys(on: held) }
        source.cancel()
        queue.async { [front] in front.end() }
        await withCheckedContinuation { continuation in
            ended.notify(queue: queue) { continuation.resume() }
        }
    }
}

/// Bytes of a terminal to keys. The digits inside the sequences of other keys (`ESC [ 1 ~` is Home) are none.
struct KeyParser: Sendable {
    private enum Place { case outside, afterEscape, inSequence, inSingleShift }
    private var place = Place.outside

    mutating func key(of byte: UInt8) -> Key? {
        switch place {
        case .outside: break
        case .afterEscape:
            switch byte {
            case UInt8(ascii: "["): place = .inSequence
            case UInt8(ascii: "O"): place = .inSingleShift
            case 0x1B: place = .afterEscape
            // With Alt: not the key itself.
            default: place = .outside
            }
            return nil
        case .inSingleShift:
            place = .outside
            return nil
        case .inSequence:
            // ECMA-48, 5.4: parameters and intermediates, then one final byte.
            if !(0x20...0x3F).contains(byte) { place = byte == 0x1B ? .afterEscape : .outside }
            return nil
        }
        switch byte {
        case 0x1B: place = .afterEscape
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return .action(Int(byte - UInt8(ascii: "0")))
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "o"): return .open
        case UInt8(ascii: "d"): return .dismiss
        default: break
        }
        return nil
    }
}
