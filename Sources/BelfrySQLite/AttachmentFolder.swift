import Belfry
import FoundationEssentials
import Glibc
import Synchronization

/// The copies of attachments: a folder for each revision that has any.
///
/// Copies are made, and on the disk, before the request is committed; they go after its content is dropped. What a
/// crash leaves in between belongs to no request, and goes at the next opening.
final class AttachmentFolder: Sendable {
    private let path: String
    /// Whose folders there are, so that dropping content asks no disk where there is nothing to remove.
    private let revisions: Mutex<Set<Int64>>

    /// ``SQLiteStoreOptions/attachmentLimit``.
    private let limit: Int

    /// - Parameter isKnown: whether a revision has content.
    init(_ path: String, limit: Int, keeping isKnown: (Int64) throws -> Bool) rethrows {
        self.path = path
        self.limit = limit
        var found: Set<Int64> = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            guard let revision = Int64(name) else { continue }
            if try isKnown(revision) {
                found.insert(revision)
            } else {
                try? FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
        revisions = Mutex(found)
    }

    /// Copies each file, and answers the attachments with the paths of the copies. A file that isn't there (any more),
    /// or has outgrown the limit, stays named as it is: the center has checked it, and its absence is told at the
    /// delivery.
    func copy(_ attachments: [NoticeAttachment], of revision: Int64) throws(NoticeError) -> [NoticeAttachment] {
        remove(revision)
        let folder = "\(path)/\(revision)"
        var copies = attachments
        var madeFolder = false
        for (index, attachment) in attachments.enumerated() {
            // A pipe without a writer must not hold up every transaction.
            guard let source = try? RegularFile.open(attachment.path) else { continue }
            defer { close(source) }
            var info = stat()
            guard fstat(source, &info) == 0, info.st_size <= limit else { continue }
            if !madeFolder {
                for each in [path, folder] where mkdir(each, 0o700) != 0 && errno != EEXIST {
                    throw NoticeError(file: each, "make the folder", errno: errno)
                }
                _ = revisions.withLock { $0.insert(revision) }
                madeFolder = true
            }
            // Its own name at the end: media types are told from it.
            let name = String((attachment.path.split(separator: "/").last ?? "").utf8.suffix(200)) ?? "file"
            let copy = "\(folder)/\(index)-\(name)"
            if try self.copy(source, to: copy) { copies[index].path = copy } else { unlink(copy) }
        }
        if madeFolder {
            StoreFolder.synchronize(folder)
            StoreFolder.synchronize(path)
        }
        return copies
    }

    func remove(_ revision: Int64) {
        guard revisions.withLock({ $0.remove(revision) }) != nil else { return }
        try? FileManager.default.removeItem(atPath: "\(path)/\(revision)")
    }

    /// False where there is more of it than may be: somebody may be writing it.
    private func copy(_ source: Int32, to path: String) throws(NoticeError) -> Bool {
        let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw NoticeError(file: path, "make the copy", errno: errno) }
        defer { close(target) }
        var block = [UInt8](repeating: 0, count: 65_536)
        var copied = 0
        while true {
            let count = read(source, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw NoticeError(file: path, "read what is to be copied to", errno: errno) }
            if count == 0 { break }
            copied += count
            guard copied <= limit else { return false }
            var done = 0
            while done < count {
                let written = block.withUnsafeBytes { write(target, $0.baseAddress! + done, count - done) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw NoticeError(file: path, "write the copy", errno: errno) }
                done += written
            }
        }
        guard fsync(target) == 0 else { throw NoticeError(file: path, "make the copy durable", errno: errno) }
        return true
    }
}
