import Belfry
import BelfryBus
import BelfryServers
import CLinux
import FoundationEssentials
import Glibc

/// The single image and the sound of a notification, in the portal's forms.
extension PortalMessage {
    /// The portal's own limits for icons ("Icon validation"): it drops others silently.
    private static let mostPixels = 512
    private static let mostBytes = 4 << 20

    /// Returns a theme icon or the bytes of an image, in a memory file from version 2 on. The image replaces a missing
    /// icon or the app's own.
    mutating func icon() -> BusValue? {
        if let image = content.image, content.icon == nil || content.icon == delivery.app.icon {
            var icon: BusValue?
            switch image {
            case .named(let name): icon = Self.themed(name)
            case .file(let path): icon = picture(path, .image)
            case .pixels(let pixels):
                if let error = pixels.validationError {
                    lost.add(.image, "it is \(error)")
                } else {
                    icon = inForm(pixels.scaledDown().squarePNG, .image)
                }
            }
            if icon != nil { lost.add(.image, "shown small, as the icon") }
            return icon
        }
        if content.image != nil { lost.add(.image, "the portal shows one picture, the icon") }
        switch content.icon {
        case .named(let name): return Self.themed(name)
        case .file(let path): return picture(path, .icon)
        case nil: return nil
        }
    }

    mutating func sound() -> BusValue? {
        // The preparation has reported that version 1 has no sound.
        guard profile.version > 1 else { return nil }
        switch content.sound {
        case .standard: return .string("default")
        case .silent: return .string("silent")
        case .named(let name):
            lost.add(.sound, "the portal has no sounds by name: the usual one instead of '\(name)'")
            return .string("default")
        case .file(let path): return bytes(path, .sound).flatMap { inMemory($0, .sound) }
        case nil: return nil
        }
    }

    private static func themed(_ name: String) -> BusValue {
        .structure([.string("themed"), .variant(.strings([name]))])
    }

    private mutating func picture(_ path: String, _ feature: Feature) -> BusValue? {
        guard let bytes = bytes(path, feature) else { return nil }
        guard let header = PictureHeader(bytes) else {
            lost.add(feature, "'\(path)' is no PNG, JPEG or SVG, and the portal takes no other pictures")
            return nil
        }
        let most = Self.mostPixels
        if let (width, height) = header.size, width > most || width != height {
            lost.add(
                feature,
                "'\(path)' is \(width) × \(height) pixels; the portal takes squares, up to \(most) × \(most)"
            )
            return nil
        }
        return inForm(bytes, feature)
    }

    private mutating func inForm(_ bytes: [UInt8], _ feature: Feature) -> BusValue? {
        guard profile.version > 1 else { return .structure([.string("bytes"), .variant(.bytes(bytes))]) }
        return inMemory(bytes, feature)
    }

    private mutating func bytes(_ path: String, _ feature: Feature) -> [UInt8]? {
        guard let bytes = try? RegularFile.bytes(of: path, limit: Self.mostBytes + 1), !bytes.isEmpty else {
            lost.add(feature, "'\(path)' can't be read")
            return nil
        }
        guard bytes.count <= Self.mostBytes else {
            lost.add(feature, "'\(path)' has more than \(Self.mostBytes >> 20) MiB")
            return nil
        }
        return bytes
    }

    private mutating func inMemory(_ bytes: [UInt8], _ feature: Feature) -> BusValue? {
        let file = BusFileDescriptor(owning: belfry_memory_file())
        // The portal reads from the position.
        guard file.number >= 0, RegularFile.write(bytes, to: file.number), lseek(file.number, 0, SEEK_SET) == 0 else {
            lost.add(feature, "no file in memory could be made: \(String(cString: strerror(errno)))")
            return nil
        }
        return .structure([.string("file-descriptor"), .variant(.fileDescriptor(file))])
    }
}
