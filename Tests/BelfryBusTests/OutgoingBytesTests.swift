import BelfryTestSupport
import CDBus
import Glibc
import SeededRandom
import Testing

@testable import BelfryBus

@Suite("Bytes on their way to a bus", .takesTurns)
struct OutgoingBytesTests {
    /// A connected pair of sockets, the first with room for a few KiB.
    private func pair() throws -> (ours: Int32, theirs: Int32) {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        var room: Int32 = 4_096
        setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        return (sockets[0], sockets[1])
    }

    private func message(_ arguments: [BusValue]) throws -> WireMessage {
        try BusMethodCall.peer("Echo", arguments).message(limit: 1 << 20, expectsReply: true)
    }

    /// Reads what has come. Returns the bytes, and how many descriptors came with them.
    private func read(_ socket: Int32, atMost count: Int) -> (bytes: [UInt8], descriptors: Int) {
        var (bytes, control) = ([UInt8](repeating: 0, count: count), [UInt64](repeating: 0, count: 32))
        var (length, descriptors) = (0, 0)
        bytes.withUnsafeMutableBytes { buffer in
            control.withUnsafeMutableBytes { space in
                var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                withUnsafeMutablePointer(to: &part) { part in
                    var header = msghdr()
                    (header.msg_iov, header.msg_iovlen) = (part, 1)
                    (header.msg_control, header.msg_controllen) = (space.baseAddress, space.count)
                    length = recvmsg(socket, &header, Int32(MSG_DONTWAIT))
                    // A header of 16 bytes, and the numbers (cmsg(3)).
                    guard length > 0, header.msg_controllen > 0 else { return }
                    let controlLength = space.load(as: Int.self)
                    for position in stride(from: 16, to: controlLength, by: 4) {
                        close(space.load(fromByteOffset: position, as: Int32.self))
                        descriptors += 1
                    }
                }
            }
        }
        return (Array(bytes.prefix(max(0, length))), descriptors)
    }

    @Test("Every byte arrives in order, and descriptors with their message, however little the other side reads")
    func order() throws {
        var random = SeededGenerator(seed: 7)
        let (ours, theirs) = try pair()
        defer { for socket in [ours, theirs] { close(socket) } }
        let file = try BusFileDescriptor(duplicating: ours)
        var (outgoing, expected, received) = (OutgoingBytes(), [UInt8](), [UInt8]())
        var (sentDescriptors, receivedDescriptors, socketState) = (0, 0, OutgoingBytes.SocketState.open)
        func take(_ count: Int) {
            let news = read(theirs, atMost: count)
            received += news.bytes
            receivedDescriptors += news.descriptors
        }
        for number in 1...400 as ClosedRange<UInt32> {
            let text = String(repeating: "x", count: random.below(100) < 5 ? random.below(200_000) : random.below(200))
            let files = number % 40 == 0 ? [BusValue.fileDescriptor(file), .fileDescriptor(file)] : []
            let message = try message([.string(text)] + files)
            sentDescriptors += files.count
            outgoing.append(message, serial: number)
            var bytes = message.bytes
            withUnsafeBytes(of: number) { bytes.replaceSubrange(8..<12, with: $0) }
            expected += bytes
            let length = outgoing.length
            if random.below(100) < 60, socketState == .open { socketState = outgoing.write(to: ours) }
            #expect(outgoing.length <= length)
            if random.below(100) < 50 { take(1 + random.below(10_000)) }
        }
        while outgoing.length > 0, socketState == .open {
            socketState = outgoing.write(to: ours)
            take(100_000)
        }
        #expect(socketState == .open)
        while received.count < expected.count, socketState == .open { take(100_000) }
        #expect(received == expected)
        #expect(receivedDescriptors == sentDescriptors)
        #expect(sentDescriptors == 20)
    }

    @Test("The other side is gone: that is said, and raises no signal") func gone() throws {
        let (ours, theirs) = try pair()
        defer { close(ours) }
        var outgoing = OutgoingBytes()
        outgoing.append(try message([]), serial: 1)
        #expect(outgoing.write(to: ours) == .open)
        close(theirs)
        outgoing.append(try message([]), serial: 2)
        #expect(outgoing.write(to: ours) == .hungUp)
    }

    @Test(
        "More descriptors on their way than the user may have cost their own message, and nothing else",
        .enabled(if: geteuid() == 0, "only root can become a user with a limit, and root itself has none")
    )
    func tooManyDescriptors() throws {
        let (ours, theirs) = try pair()
        defer { for socket in [ours, theirs] { close(socket) } }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var lower = limit
        lower.rlim_cur = 512
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lower)
        try #require(seteuid(65_534) == 0)
        defer {
            seteuid(0)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let file = try BusFileDescriptor(duplicating: ours)
        let files = [BusValue](repeating: .fileDescriptor(file), count: 16)
        var room: Int32 = 1 << 20
        setsockopt(ours, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        for number in 1...60 as ClosedRange<UInt32> {
            var outgoing = OutgoingBytes()
            outgoing.append(try message(files), serial: number)
            #expect(outgoing.write(to: ours) == .open)
            #expect(outgoing.length == 0)
        }
        var (arrived, news) = (0, read(theirs, atMost: 100_000))
        while !news.bytes.isEmpty {
            arrived += news.descriptors
            news = read(theirs, atMost: 100_000)
        }
        #expect(arrived > 400 && arrived < 60 * 16)
    }
}
