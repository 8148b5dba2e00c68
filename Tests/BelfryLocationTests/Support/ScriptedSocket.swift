import Foundation
import Synchronization

/// A server on a socket of this machine, which says what it is told to. Its threads end with it.
final class ScriptedSocket: Sendable {
    /// On 127.0.0.1; 0 for a Unix socket.
    let port: UInt16
    private let listener: Int32
    private let greeting: String
    private let answer: @Sendable (String) -> String
    private let state = Mutex(State())
    /// A text for each connection and for whatever one of them has said.
    let heard = Record<String>()

    private struct State {
        var open: [Int32] = []
        var isOver = false
    }

    static let connection = "connected"

    /// - Parameters:
    ///   - greeting: Said to whoever connects.
    ///   - path: A Unix socket in place of TCP.
    ///   - answer: What is said to what was heard.
    init(
        greeting: String = "",
        path: String? = nil,
        port wanted: UInt16 = 0,
        answering answer: @escaping @Sendable (String) -> String = { _ in "" }
    ) throws {
        self.greeting = greeting
        self.answer = answer
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let handle = socket(path == nil ? AF_INET : AF_UNIX, kind, 0)
        var status: Int32
        if let path {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
            status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            chmod(path, 0o666)
            port = 0
        } else {
            var isOn: Int32 = 1
            setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            address.sin_port = wanted.bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    let status = bind(handle, $0, length)
                    getsockname(handle, $0, &length)
                    return status
                }
            }
            port = UInt16(bigEndian: address.sin_port)
        }
        if status == 0 { status = listen(handle, 16) }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        listener = handle
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(handle, nil, nil)
                guard connection >= 0, let self, self.take(connection) else { break }
            }
            close(handle)
        }
    }

    deinit { stop() }

    private func take(_ connection: Int32) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.open.append(connection) }
            return state.isOver
        }
        guard !isOver else {
            close(connection)
            return false
        }
        Self.say(greeting, to: connection)
        heard.add(Self.connection)
        let (heard, answer) = (heard, answer)
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(connection, &bytes, bytes.count)
                guard count > 0 else { break }
                let text = String(decoding: bytes[..<count], as: UTF8.self)
                heard.add(text)
                Self.say(answer(text), to: connection)
            }
            heard.add("gone")
        }
        return true
    }

    private static func say(_ text: String, to connection: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// To everybody who is connected.
    func say(_ text: String) {
        for connection in state.withLock({ $0.open }) { Self.say(text, to: connection) }
    }

    /// Everybody is cut off; who comes after that is welcome.
    func hangUp() {
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    /// Nobody listens any more.
    func stop() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        guard !wasOver else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        hangUp()
    }

    /// A port that nobody listens at.
    static func freePort() throws -> UInt16 {
        let socket = try ScriptedSocket()
        defer { socket.stop() }
        return socket.port
    }
}

/// What has happened, for a test to wait for.
final class Record<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let bell = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func add(_ element: Element) {
        elements.withLock { $0.append(element) }
        bell.continuation.yield()
    }

    var all: [Element] { elements.withLock { $0 } }

    /// Returns when there are so many that fit; the test's own time limit is the bound.
    @discardableResult
    func wait(for count: Int = 1, where fits: (Element) -> Bool = { _ in true }) async -> [Element] {
        while true {
            let found = all.filter(fits)
            if found.count >= count || Task.isCancelled { return found }
            var waiting = bell.stream.makeAsyncIterator()
            _ = await waiting.next(isolation: nil)
        }
    }
}
