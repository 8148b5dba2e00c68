import Belfry
import FoundationEssentials
import Glibc

/// The copies of attachments: a directory for each revision that has any.
///
/// Copies are made, and synced to the disk, before the transaction of the request. They are removed after its content
/// is dropped. Copies that a crash leaves behind belong to no request, and are removed at the next opening.
final class AttachmentFolder {
    private let path: String
    /// The revisions that have a directory, so that dropping other content needs no disk access.
    private var revisions: Set<Int64> = []

    /// ``SQLiteStoreOptions/attachmentLimit``.
    private let limit: Int

    /// - Parameter isKnown: returns whether a revision has content.
    init(_ path: String, limit: Int, keeping isKnown: (Int64) throws -> Bool) rethrows {
        self.path = path
        self.limit = limit
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            // `Int64` also reads "+5" and "005", which are somebody else's.
            guard let revision = Int64(name), "\(revision)" == name else { continue }
            if try isKnown(revision) {
                revisions.insert(revision)
            } else {
                try? FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
    }

    /// Copies each file, and returns the attachments with the paths of the copies. A file that no longer exists, can't
    /// be read, or has grown beyond the limit, keeps its path. The center has checked it before, and the delivery
    /// reports it as missing.
    ///
    /// - Parameter made: The copies of the current transaction, by the paths of their files. Elements of a series share
    ///   one, by hard links.
    func copy(
        _ attachments: [NoticeAttachment],
        of revision: Int64,
        sharing made: inout [String: String]
    ) throws(NoticeError) -> [NoticeAttachment] {
        remove(revision)
        let folder = "\(path)/\(revision)"
        var copies = attachments
        var madeFolder = false
        for (index, attachment) in attachments.enumerated() {
            // A pipe without a writer must not block every transaction.
            guard let source = try? RegularFile.open(attachment.path) else { continue }
            defer { close(source) }
            var info = stat()
            guard fstat(source, &info) == 0, info.st_size <= limit else { continue }
            if !madeFolder {
                for each in [path, folder] where mkdir(each, 0o700) != 0 && errno != EEXIST {
                    throw NoticeError(file: each, "make the folder", errno: errno)
                }
                revisions.insert(revision)
                madeFolder = true
            }
            // The copy keeps the name as a suffix, because media types are derived from it.
            // A character that the suffix begins inside of becomes U+FFFD.
            let name = String(
                decoding: (attachment.path.split(separator: "/").last ?? "").utf8.suffix(200),
                as: UTF8.self
            )
            let copy = "\(folder)/\(index)-\(name)"
            // Writing into what an interrupted attempt left would change what is linked to it.
            unlink(copy)
            // A file system may have no links, or a limit of them.
            if let earlier = made[attachment.path], link(earlier, copy) == 0 {
                copies[index].path = copy
            } else if try self.copy(source, to: copy) {
                copies[index].path = copy
                made[attachment.path] = copy
            } else {
                unlink(copy)
            }
        }
        if madeFolder {
            StoreFolder.synchronize(folder)
            StoreFolder.synchronize(path)
        }
        return copies
    }

    /// Replaces the paths of a request's copies by those in `folder`. Their stored paths are absolute, and the store
    /// may have been moved since.
    static func locate(_ attachments: inout [NoticeAttachment], of revision: Int64, in folder: String) {
        for (index, attachment) in attachments.enumerated() {
            let tail = attachment.path.split(separator: "/").suffix(3)
            guard tail.starts(with: ["attachments", "\(revision)"]), let name = tail.last,
                name.hasPrefix("\(index)-")
            else { continue }
            let copy = "\(folder)/\(revision)/\(name)"
            if StoreFolder.exists(copy) { attachments[index].path = copy }
        }
    }

    func hasCopies(of revision: Int64) -> Bool { revisions.contains(revision) }

    func remove(_ revision: Int64) {
        guard revisions.remove(revision) != nil else { return }
        try? FileManager.default.removeItem(atPath: "\(path)/\(revision)")
    }

    /// Returns false if the file can't be read, or exceeds the limit: another program may be writing it.
    private func copy(_ source: Int32, to path: String) throws(NoticeError) -> Bool {
        let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw NoticeError(file: path, "make the copy", errno: errno) }
        defer { close(target) }
        var copied = 0
        while true {
            guard let block = try? RegularFile.bytes(from: source, limit: 65_536) else { return false }
            if block.isEmpty { break }
            copied += block.count
            guard copied <= limit else { return false }
            guard RegularFile.write(block, to: target) else {
                throw NoticeError(file: path, "write the copy", errno: errno)
            }
        }
        guard fsync(target) == 0 else { throw NoticeError(file: path, "make the copy durable", errno: errno) }
        return true
    }
}
