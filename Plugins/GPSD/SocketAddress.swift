import Belfry
import Dispatch
import FoundationEssentials
import Glibc

/// An address for a TCP connection.
struct SocketAddress: Sendable, Hashable {
    /// A `sockaddr` of its family.
    fileprivate let bytes: [UInt8]
    private let family: Int32

    /// All addresses of a host. Names are resolved on a separate queue, since that may block indefinitely.
    static func resolve(
        _ host: String,
        _ port: UInt16,
        within limit: Duration
    ) async -> Result<[SocketAddress], GPSDSession.End> {
        if case .success(let found) = look(up: host, port, AI_NUMERICHOST) { return .success(found) }
        let result = AwaitedValue<Result<[SocketAddress], GPSDSession.End>>()
        DispatchQueue(label: "org.belfry.gpsd.names").async { result.give(look(up: host, port, 0)) }
        return await result.value(
            within: limit,
            late: .failure(.unreachable("the address of this name was not found in time")),
            cancelled: .failure(.cancelled)
        )
    }

    private static func look(
        up host: String,
        _ port: UInt16,
        _ flags: Int32
    ) -> Result<[SocketAddress], GPSDSession.End> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &first)
        defer { if first != nil { freeaddrinfo(first) } }
        guard status == 0 else { return .failure(.unreachable(String(cString: gai_strerror(status)))) }
        let all = sequence(first: first, next: { $0?.pointee.ai_next })
        return .success(
            all.prefix { $0 != nil }.compactMap { entry in
                guard let info = entry?.pointee, let address = info.ai_addr else { return nil }
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
                return SocketAddress(bytes: Array(bytes), family: info.ai_family)
            }
        )
    }

    /// Begins to connect and returns the socket, which the caller must close. Never blocks.
    func beginConnecting() throws(GPSDSession.End) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .unreachable(String(cString: strerror(errno))) }
        // Detects a machine that is gone: gpsd may send nothing for hours.
        var isOn: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let status = bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress else { return Int32(-1) }
            return connect(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
        guard status < 0, errno != EINPROGRESS, errno != EINTR else { return descriptor }
        let reason = String(cString: strerror(errno))
        close(descriptor)
        throw .unreachable(reason)
    }
}
