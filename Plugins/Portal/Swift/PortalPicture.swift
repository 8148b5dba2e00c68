import Belfry
import BelfryBus
import CBelfryPortal
import FoundationEssentials
import Glibc

/// The one picture and the sound of a notification, in the portal's forms.
enum PortalPicture {
    /// The portal's own limits for a notification's icon ("Icon validation"): larger ones are left out without a word.
    private static let mostPixels = 512
    private static let mostBytes = 4 << 20

    /// Themed, or the file's bytes: in a file in memory from version 2 on. The image stands in where there is no icon but the
    /// app's.
    static func icon(of delivery: Delivery, version: UInt32, _ lost: inout [DeliveryReceipt.LostFeature]) -> BusValue? {
        let content = delivery.content
        var icon: BusValue?
        if let image = content.image, content.icon == nil || content.icon == delivery.app.icon {
            switch image {
            case .named(let name): icon = themed(name)
            case .file(let path): icon = file(path, version, .image, &lost)
            case .pixels: lost.append(DeliveryReceipt.LostFeature(.image, "the portal takes pictures as files only"))
            }
            if icon != nil { lost.append(DeliveryReceipt.LostFeature(.image, "shown small, as the icon")) }
            return icon
        }
        if content.image != nil {
            lost.append(DeliveryReceipt.LostFeature(.image, "the portal shows one picture, the icon"))
        }
        switch content.icon {
        case .named(let name): return themed(name)
        case .file(let path): return file(path, version, .icon, &lost)
        case nil: return nil
        }
    }

    static func sound(of content: NoticeContent, version: UInt32, _ lost: inout [DeliveryReceipt.LostFeature])
        -> BusValue?
    {
        // Preparation has told that there is no sound in version 1.
        guard version > 1 else { return nil }
        switch content.sound {
        case .standard: return .string("default")
        case .silent: return .string("silent")
        case .named(let name):
            lost.append(
                DeliveryReceipt.LostFeature(
                    .sound,
                    "the portal has no sounds by name: the usual one instead of '\(name)'"
                )
            )
            return .string("default")
        case .file(let path):
            guard let bytes = bytes(path, .sound, &lost) else { return nil }
            return inMemory(bytes, .sound, &lost)
        case nil: return nil
        }
    }

    private static func themed(_ name: String) -> BusValue {
        .structure([.string("themed"), .variant(.strings([name]))])
    }

    private static func file(
        _ path: String,
        _ version: UInt32,
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) -> BusValue? {
        guard let bytes = bytes(path, feature, &lost) else { return nil }
        if let (width, height) = size(ofPNG: bytes), max(width, height) > mostPixels {
            lost.append(
                DeliveryReceipt.LostFeature(
                    feature,
                    "'\(path)' is \(width) × \(height) pixels; the portal takes \(mostPixels) × \(mostPixels)"
                )
            )
            return nil
        }
        guard version > 1 else { return .structure([.string("bytes"), .variant(.bytes(bytes))]) }
        return inMemory(bytes, feature, &lost)
    }

    private static func bytes(
        _ path: String,
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) -> [UInt8]? {
        guard let bytes = try? RegularFile.bytes(of: path, limit: mostBytes + 1), !bytes.isEmpty else {
            lost.append(DeliveryReceipt.LostFeature(feature, "'\(path)' can't be read"))
            return nil
        }
        guard bytes.count <= mostBytes else {
            lost.append(DeliveryReceipt.LostFeature(feature, "'\(path)' has more than \(mostBytes >> 20) MiB"))
            return nil
        }
        return bytes
    }

    private static func inMemory(
        _ bytes: [UInt8],
        _ feature: DeliveryReceipt.LostFeature.Feature,
        _ lost: inout [DeliveryReceipt.LostFeature]
    ) -> BusValue? {
        let file = bytes.withUnsafeBytes { belfry_portal_file($0.baseAddress, $0.count) }
        guard file >= 0 else {
            lost.append(
                DeliveryReceipt.LostFeature(
                    feature,
                    "no file in memory could be made: \(String(cString: strerror(errno)))"
                )
            )
            return nil
        }
        let descriptor = BusValue.fileDescriptor(BusFileDescriptor(owning: file))
        return .structure([.string("file-descriptor"), .variant(descriptor)])
    }

    /// PNG, "IHDR": width and height follow the signature and the chunk's head, most significant byte first.
    static func size(ofPNG bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        let number = { (start: Int) in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20))
    }
}
