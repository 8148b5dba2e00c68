import Belfry
public import Foundation

/// The name of a sound: of the desktop's sound theme, or the absolute path of a file.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name or the path.
    public let rawValue: String
    /// A name from the sound theme, or an absolute path.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A name from the sound theme, or an absolute path.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notice.
public final class UNNotificationSound: NSObject, Sendable {
    let sound: NoticeSound

    init(_ sound: NoticeSound) { self.sound = sound }

    /// The desktop's usual sound.
    public static let `default` = UNNotificationSound(.standard)
    /// The desktop's usual sound: what is critical is the content's interruption level.
    public static let defaultCritical = UNNotificationSound(.standard)

    /// A sound of the desktop's theme, or of a file where the name is an absolute path.
    public convenience init(named name: UNNotificationSoundName) {
        self.init(name.rawValue.hasPrefix("/") ? .file(name.rawValue) : .named(name.rawValue))
    }

    /// The sound of an incoming call.
    public static let defaultRingtone = UNNotificationSound(.named("phone-incoming-call"))

    /// The desktop's usual sound. The volume is the desktop's.
    public class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound { defaultCritical }

    /// A sound, as ``init(named:)``: what is critical is the content's interruption level.
    public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    /// A sound, as ``init(named:)``. The volume is the desktop's.
    public class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound { UNNotificationSound(named: name) }

    /// A sound, as ``init(named:)``.
    public class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    /// Whether the other is the same sound.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.sound == sound }
    /// The hash of the sound.
    public override var hash: Int { sound.hashValue }
}
