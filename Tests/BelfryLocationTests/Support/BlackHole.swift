import Foundation
import Testing

/// A port of this machine where connections are neither made nor refused: its queue is full, and the kernel drops what
/// comes.
final class BlackHole: Sendable {
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let fillers = (0..<2).map { _ in socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0) }
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(listener, pointer, length) == 0, listen(listener, 0) == 0,
                    getsockname(listener, pointer, &length) == 0
                else { return false }
                // A queue of length 0 takes one connection (listen(2)).
                for filler in fillers { _ = connect(filler, pointer, length) }
                return true
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        sockets = [listener] + fillers
        try #require(isListening)
    }

    deinit { for socket in sockets { close(socket) } }
}
